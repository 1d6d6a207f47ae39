// Owns `strata model`: showing the model, its versions and what differs, restoring one, where it is kept.

import { setModelStore } from '../engine/model-store.ts';
import { AppError } from '../errors.ts';
import type { StoreStatus } from '../model.ts';
import { restoreVersion } from '../ontology/apply.ts';
import { accountName } from '../ontology/ground.ts';
import { refusePlan } from '../ontology/review.ts';
import { diffVersions, modelDocument, showModel } from '../ontology/show.ts';
import { shownType, typesTable, versionRow } from './model-output.ts';
import { printJson, printLine, tableOf } from './output.ts';
import { homeOf, readWords, UsageError } from './usage.ts';
import { withCore } from './with-core.ts';

type Verb = (words: readonly string[]) => Promise<void>;

/** `model show | versions | diff | restore | store | refuse`. */
export const model = async ([verb, ...words]: readonly string[]): Promise<void> => {
  const known = verb !== undefined && Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!known) throw new UsageError(`model takes ${Object.keys(VERBS).join(', ')}.`);
  await known(words);
};

/** A version's number, with or without its v. */
const numberOf = (word: string | undefined): number => {
  const number = Number(/^v?([1-9]\d{0,8})$/.exec(word ?? '')?.[1]);
  if (Number.isInteger(number)) return number;
  throw new UsageError(`A version is a number from 1, not "${word ?? ''}".`);
};

/** `model show KB [--version N] [--format markdown|json]`. */
const show: Verb = async (words) => {
  const { values, positionals } = readWords(words, ['KB'], {
    format: { type: 'string' },
    version: { type: 'string' },
  });
  const { format } = values;
  if (format !== undefined && format !== 'markdown' && format !== 'json') {
    throw new UsageError(`--format is markdown or json, not "${format}".`);
  }
  if (values.json && format === 'markdown') {
    throw new UsageError('--json and --format markdown exclude each other.');
  }
  const version = values.version === undefined ? undefined : numberOf(values.version);
  await withCore({ home: homeOf(values.home), writing: false }, async (core) => {
    const { ontology } = core.knowledgebase(positionals[0]);
    if (format === 'markdown') {
      process.stdout.write((await modelDocument(ontology, 'markdown', version)).text);
      return;
    }
    const view = await showModel(ontology, version);
    if (values.json || format === 'json') {
      const { model: shown, ...rest } = view;
      const types = shown.types.map((type) => shownType(shown, type));
      printJson({ knowledgebase: ontology.id, ...rest, object_types: types, model: shown });
      return;
    }
    if (!view.version) {
      printLine(
        view.store.kind === 'none'
          ? `${ontology.id} keeps no model. Give it a store: strata model store ${ontology.id} sqlite`
          : `No model yet. Promote a stream: strata promote ${ontology.id} STREAM`,
      );
      return;
    }
    const { version: number, at, by, why } = view.version;
    printLine(`v${number} of the model of ${ontology.id}, ${at} by ${by}: ${why}`);
    printLine('');
    printLine(typesTable(view.model));
  });
};

/** `model versions KB`. */
const versions: Verb = async (words) => {
  const { values, positionals } = readWords(words, ['KB'], {});
  await withCore({ home: homeOf(values.home), writing: false }, async (core) => {
    const found = await core.knowledgebase(positionals[0]).ontology.store().versions();
    if (values.json) printJson({ versions: found });
    else if (found.length === 0) printLine('No version yet.');
    else
      printLine(tableOf(['Version', 'When', 'By', 'What', 'Types', 'Why'], found.map(versionRow)));
  });
};

/** `model diff KB FROM TO`. */
const diff: Verb = async (words) => {
  const { values, positionals } = readWords(words, ['KB', 'FROM', 'TO'], {});
  const [id, from, to] = positionals;
  const [before, after] = [numberOf(from), numberOf(to)];
  await withCore({ home: homeOf(values.home), writing: false }, async (core) => {
    const found = await diffVersions(core.knowledgebase(id).ontology, before, after);
    if (values.json) printJson(found);
    else if (found.changes.length === 0) printLine(`v${before} and v${after} are the same.`);
    else {
      const rows = found.changes.map((one) => [
        ...[one.mark, one.typeName, one.what, one.name ?? ''],
        ...[one.before ?? '', one.after ?? ''],
      ]);
      printLine(tableOf(['Change', 'Type', 'What', 'Name', 'Before', 'After'], rows));
    }
  });
};

/** `model restore KB VERSION [--by NAME] [--why TEXT]`. */
const restore: Verb = async (words) => {
  const { values, positionals } = readWords(words, ['KB', 'VERSION'], {
    by: { type: 'string' },
    why: { type: 'string' },
  });
  const number = numberOf(positionals[1]);
  await withCore({ home: homeOf(values.home), writing: true }, async (core) => {
    const { ontology } = core.knowledgebase(positionals[0]);
    const signed = { by: values.by ?? accountName(), why: values.why ?? `Restored v${number}.` };
    const made = await restoreVersion(ontology, number, signed);
    if (values.json) printJson(made);
    else printLine(`v${number} was restored: the model of ${ontology.id} is v${made.version}.`);
  });
};

/** `model store KB [none|sqlite|URL] [--model NAME]`. */
const store: Verb = async (words) => {
  const { values, positionals } = readWords(words, ['KB', '[STORE]'], {
    model: { type: 'string' },
  });
  const [id, where] = positionals;
  await withCore({ home: homeOf(values.home), writing: where !== undefined }, async (core) => {
    const knowledgebase = core.knowledgebase(id);
    const status =
      where === undefined
        ? await knowledgebase.ontology.store().status()
        : await setModelStore(knowledgebase, where, values.model);
    if (where !== undefined) await knowledgebase.views.settled(10_000);
    if (values.json) printJson(status);
    else printLine(storeLine(knowledgebase.id, status));
  });
};

const storeLine = (id: string, { kind, address, model: name, fault }: StoreStatus): string => {
  if (kind === 'none') return `${id} keeps no model.`;
  if (kind === 'sqlite') return `${id} keeps its model itself.`;
  return `${id} shares the model ${name} at ${address}${fault ? `, which cannot be reached: ${fault}` : ''}.`;
};

/** `model refuse KB STREAM [--by NAME] [--why TEXT]`. */
const refuse: Verb = async (words) => {
  const { values, positionals } = readWords(words, ['KB', 'STREAM'], {
    by: { type: 'string' },
    why: { type: 'string' },
  });
  await withCore({ home: homeOf(values.home), writing: true }, async (core) => {
    const { ontology, streams } = core.knowledgebase(positionals[0]);
    const { id: stream } = streams.get(positionals[1] as string);
    const open = ontology.ledger().promotions.inStates(['open']);
    const plan = open.find((one) => one.stream === stream);
    if (!plan) throw new AppError('no_such_plan', `The stream ${stream} has no open plan.`);
    const by = values.by ?? accountName();
    const refused = await refusePlan(ontology, plan.id, by, values.why ?? '');
    if (values.json) printJson(refused);
    else printLine(`The plan of ${stream} was refused; nothing of it stays but the record.`);
  });
};

const VERBS: Readonly<Record<string, Verb>> = { show, versions, diff, restore, store, refuse };
