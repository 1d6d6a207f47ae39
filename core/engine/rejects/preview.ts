// Owns what fixes would do to many rejects, and which ones columns would let in.
// Never sends anything.

import { setImmediate as turn } from 'node:timers/promises';
import type { Cause, Fix, GroupPreview, LetIn, RejectSelection } from '../../model.ts';
import { causeOf, titleOf } from '../../rejects/cause.ts';
import type { OpenKnowledgebase } from '../open.ts';
import { keptBody } from './bodies.ts';
import { rulesOf, tryFix } from './checking.ts';
import { chosenRejects } from './find.ts';

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
      await turn();
      const body = keptBody(knowledgebase, reject);
      if (!body) {
        withoutBody += 1;
        continue;
      }
      counts.checked += 1;
      const tried = tryFix(reject, body, { fixes }, rulesOf(knowledgebase, reject));
      if (tried?.passes) {
        counts.pass += 1;
        counts.rows += tried.checked.records;
        counts.linesChanged += tried.linesChanged;
        counts.linesLost += tried.linesLost;
        for (const column of tried.mended.registers) registers.add(column);
        continue;
      }
      counts.fail += 1;
      const [fault] = tried?.checked.faults ?? [];
      const cause = tried && fault ? causeOf(tried.mended.bytes, fault) : reject;
      const { code, field, shape } = cause;
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
      await turn();
      const body = keptBody(knowledgebase, reject);
      if (!body) continue;
      checked += 1;
      const tried = tryFix(reject, body, { fixes }, rulesOf(knowledgebase, reject));
      if (!tried?.checked.ok) continue;
      rejects.push({ stream, rejectId: reject.rejectId });
      rows += tried.checked.records;
    }
  }
  return { count: rejects.length, checked, rows, selection: { rejects } };
};
