// Owns what fixes would do to many rejects, and which ones columns would let in.
// Never sends anything.

import type { Cause, Fix, GroupPreview, LetIn, Reject, RejectSelection } from '../../model.ts';
import { titleOf } from '../../rejects/cause.ts';
import type { Tried } from '../../rejects/desk/work.ts';
import type { OpenKnowledgebase } from '../open.ts';
import { bodyPath } from './bodies.ts';
import { chosenRejects } from './find.ts';
import { rulesOf } from './rules.ts';

/** How many of a choice are tried: the newest. */
const MOST_TRIED = 2_000;
const MOST_CAUSES = 10;
/** How many rejects that a column may let in are looked at. */
const MOST_LET_IN = 10_000;

/** What fixes would do to the open rejects of a choice. */
export const previewFixes = async (
  knowledgebase: OpenKnowledgebase,
  selection: RejectSelection,
  fixes: readonly Fix[],
  signal?: AbortSignal,
): Promise<GroupPreview> => {
  const counts = {
    rejects: 0,
    checked: 0,
    pass: 0,
    fail: 0,
    rows: 0,
    linesChanged: 0,
    linesLost: 0,
  };
  let withoutBody = 0;
  const registers = new Set<string>();
  const remaining = new Map<string, { cause: Cause; rejects: number }>();
  for await (const some of chosenRejects(knowledgebase, selection)) {
    for (const reject of some) {
      if (reject.state !== 'open') continue;
      counts.rejects += 1;
      if (counts.checked === MOST_TRIED || signal?.aborted) continue;
      const tried = await tryFixes(knowledgebase, reject, fixes);
      if (tried === null) {
        withoutBody += 1;
        continue;
      }
      counts.checked += 1;
      if (tried !== 'impossible' && tried.passes) {
        counts.pass += 1;
        counts.rows += tried.records;
        counts.linesChanged += tried.linesChanged;
        counts.linesLost += tried.linesLost;
        for (const column of tried.registers) registers.add(column);
        continue;
      }
      counts.fail += 1;
      const { code, field, shape } = (tried === 'impossible' ? null : tried.cause) ?? reject;
      const key = JSON.stringify([code, field, shape]);
      const of = remaining.get(key) ?? { cause: { code, field, shape }, rejects: 0 };
      remaining.set(key, { ...of, rejects: of.rejects + 1 });
    }
  }
  return {
    ...counts,
    withoutBody,
    remaining: [...remaining.values()]
      .sort((one, other) => other.rejects - one.rejects)
      .slice(0, MOST_CAUSES)
      .map(({ cause, rejects }) => ({ ...cause, title: titleOf(cause), rejects })),
    registers: [...registers],
  };
};

/** Open rejects that would land as they came if these columns were registered too. */
export const letIn = async (
  knowledgebase: OpenKnowledgebase,
  streamId: string,
  columns: readonly string[],
  signal?: AbortSignal,
): Promise<LetIn> => {
  const stream = knowledgebase.streams.get(streamId).id;
  const fixes = columns.map((column): Fix => ({ kind: 'register-column', column }));
  const filter = { stream, state: 'open', code: 'unknown_column' } as const;
  const rejects: { stream: string; rejectId: string }[] = [];
  let checked = 0;
  let rows = 0;
  for await (const some of chosenRejects(knowledgebase, { filter }, MOST_LET_IN)) {
    for (const reject of some) {
      if (signal?.aborted) break;
      const tried = await tryFixes(knowledgebase, reject, fixes);
      if (tried === null) continue;
      checked += 1;
      if (tried === 'impossible' || !tried.ok) continue;
      rejects.push({ stream, rejectId: reject.rejectId });
      rows += tried.records;
    }
  }
  return { count: rejects.length, checked, rows, selection: { rejects } };
};

/** What fixes do to a reject; null without a body. */
const tryFixes = async (
  knowledgebase: OpenKnowledgebase,
  reject: Reject,
  fixes: readonly Fix[],
): Promise<Tried | 'impossible' | null> =>
  reject.bodyRemovedAt !== null
    ? null
    : knowledgebase.desk.run('tryFixes', {
        body: bodyPath(knowledgebase, reject),
        fixes,
        rules: rulesOf(knowledgebase, reject),
      });
