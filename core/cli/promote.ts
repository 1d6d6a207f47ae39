// Owns `strata promote`: the plan of a stream, and with --apply the next version of the model.

import { counted } from '../counted.ts';
import type { Plan, PromotionSummary } from '../model.ts';
import { beginApply } from '../ontology/apply.ts';
import { accountName, type Ground } from '../ontology/ground.ts';
import { beginPromotion } from '../ontology/promote.ts';
import { showPlan } from '../ontology/review.ts';
import { columnsTable, itemLines, seenLines, shownType } from './model-output.ts';
import { printJson, printLine } from './output.ts';
import { homeOf, readWords } from './usage.ts';
import { withCore } from './with-core.ts';

/** `promote KB STREAM [--apply] [--by NAME] [--why TEXT]`. Without --apply the plan stays open. */
export const promote = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB', 'STREAM'], {
    apply: { type: 'boolean', default: false },
    by: { type: 'string' },
    why: { type: 'string' },
  });
  const [knowledgebaseId, streamId] = positionals as [string, string];
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort());
  await withCore({ home: homeOf(values.home), writing: true }, async (core) => {
    const { id, ontology, streams } = core.knowledgebase(knowledgebaseId);
    const { id: stream } = streams.get(streamId);
    const by = values.by ?? accountName();
    const begun = await beginPromotion(ontology, stream, by);
    const done = await begun.run(() => {}, abort.signal);
    if (done.state === 'unchanged') {
      await showUnchanged(ontology, done, values.json);
      return;
    }
    const plan = await showPlan(ontology, begun.id);
    let version: number | null = null;
    if (values.apply) {
      const signed = { by, why: values.why ?? `Promoted ${stream}.` };
      const applying = await beginApply(ontology, begun.id, signed, true);
      ({ version } = await applying.run());
    }
    if (values.json) printJson({ knowledgebase: id, ...shownPlan(plan), version });
    else for (const line of planLines(plan, id, version)) printLine(line);
  });
};

const showUnchanged = async (
  ontology: Ground,
  { id: promotion, stream, words, base }: PromotionSummary,
  json: boolean,
): Promise<void> => {
  if (!json) {
    printLine(words);
    return;
  }
  const { model } = (await ontology.store().current()) ?? { model: { types: [], leftOut: [] } };
  printJson({
    ...{ knowledgebase: ontology.id, stream, promotion, state: 'unchanged', words },
    object_types: model.types.map((type) => shownType(model, type)),
    version: base,
  });
};

/** A plan as --json prints it. */
const shownPlan = (plan: Plan) => {
  const { promotion, snapshot, items, columns, seen, model, next } = plan;
  const mine = model.types.filter(({ streams }) => streams.includes(promotion.stream));
  return {
    ...{ stream: promotion.stream, promotion: promotion.id, next_version: next },
    ...{ rows: snapshot.rows, batches: snapshot.batches },
    object_types: mine.map((type) => shownType(model, type)),
    types: Object.fromEntries(columns.map(({ column, readAs }) => [column, readAs.type])),
    ...{ items, columns, seen },
  };
};

const planLines = (plan: Plan, id: string, version: number | null): string[] => {
  const { promotion, snapshot, items, columns, seen, next } = plan;
  const batches = counted(snapshot.batches, 'batch', 'batches');
  return [
    `Plan for ${promotion.stream}: v${next}, from ${counted(snapshot.rows, 'row')} in ${batches}`,
    '',
    ...itemLines(items),
    '',
    columnsTable(columns),
    ...(seen.length > 0 ? ['', 'Seen, not proposed:', ...seenLines(seen)] : []),
    '',
    version === null
      ? `Nothing is applied yet. Apply it: strata promote ${id} ${promotion.stream} --apply`
      : `Applied: the model of ${id} is v${version}.`,
  ];
};
