// Owns finding rejects: one by its id, pages, groups by cause, searching their bodies.
// Never changes one.

import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { PlacedReject } from '../../ledger/reject-lists.ts';
import type { Reject, RejectFilter, RejectPage, RejectSelection } from '../../model.ts';
import { hasText } from '../../rejects/has-text.ts';
import type { OpenKnowledgebase } from '../open.ts';
import { bodyPath } from './bodies.ts';

/** How long a page of a search looks into bodies, and how many are asked for at a time. */
const SEARCH_MS = 1_500;
const READ_AT_ONCE = 32;
/** The most rejects that a choice by filter is. */
const MOST_CHOSEN = 1_000_000;

/** The reject. Throws `no_such_stream`, `no_such_reject`. */
export const findReject = (
  { ledger, streams }: OpenKnowledgebase,
  streamId: string,
  rejectId: string,
): Reject => {
  const stream = streams.get(streamId);
  const reject = ledger().rejects.get(stream.id, rejectId);
  if (reject) return { ...reject, stream: stream.id };
  throw new AppError(
    'no_such_reject',
    `There is no reject "${rejectId.slice(0, 140)}" in ${stream.id}.`,
  );
};

/** A page of rejects, newest first. Throws `no_such_stream`, `invalid_argument` for a cursor that is none. */
export const listRejects = async (
  knowledgebase: OpenKnowledgebase,
  filter: RejectFilter,
  limit: number,
  cursor?: string,
  signal?: AbortSignal,
): Promise<RejectPage> => {
  const { text, ...rest } = checked(knowledgebase, filter);
  const before = cursor === undefined ? undefined : placeOf(cursor);
  const { rejectLists } = knowledgebase.ledger();
  if (text === undefined) {
    const found = rejectLists.page(rest, limit + 1, before);
    const rejects = found.slice(0, limit);
    const more = found.length > limit;
    return { rejects: rejects.map(bare), cursor: cursorAfter(more, rejects.at(-1)), searched: 0 };
  }
  const found: PlacedReject[] = [];
  let searched = 0;
  let last: PlacedReject | undefined;
  const giveUpAt = Date.now() + SEARCH_MS;
  for (;;) {
    const some = rejectLists.page(rest, READ_AT_ONCE, last?.seq ?? before);
    const hits = await matching(knowledgebase, some, text);
    for (const [at, reject] of some.entries()) {
      last = reject;
      searched += 1;
      if (hits[at]) found.push(reject);
      if (found.length === limit) break;
    }
    const isEnd = some.length < READ_AT_ONCE && last === some.at(-1);
    if (some.length === 0 || isEnd) return { rejects: found.map(bare), cursor: null, searched };
    if (found.length === limit || Date.now() > giveUpAt || signal?.aborted) {
      return { rejects: found.map(bare), cursor: cursorAfter(true, last), searched };
    }
  }
};

/** Every reject of a choice, newest first, a few hundred at a time. Named ones that are not there are left out. */
export async function* chosenRejects(
  knowledgebase: OpenKnowledgebase,
  selection: RejectSelection,
  most: number = MOST_CHOSEN,
): AsyncGenerator<Reject[]> {
  if ('rejects' in selection) {
    const { ledger, streams } = knowledgebase;
    const found = selection.rejects.slice(0, most).flatMap(({ stream, rejectId }) => {
      const reject = ledger().rejects.get(streams.get(stream).id, rejectId);
      return reject ? [reject] : [];
    });
    if (found.length > 0) yield found;
    return;
  }
  const { text, ...rest } = checked(knowledgebase, selection.filter);
  let last: PlacedReject | undefined;
  for (let left = most; left > 0; ) {
    const some = knowledgebase.ledger().rejectLists.page(rest, Math.min(256, left), last?.seq);
    if (some.length === 0) return;
    last = some.at(-1);
    const hits = text === undefined ? null : await matching(knowledgebase, some, text);
    await turn();
    const found = some.filter((_, at) => hits === null || hits[at]);
    left -= found.length;
    if (found.length > 0) yield found.map(bare);
  }
}

/** Places of every reject whose body, ids or message has the text. */
export const searchedPlaces = async (
  knowledgebase: OpenKnowledgebase,
  { text, ...filter }: RejectFilter & { readonly text: string },
  signal?: AbortSignal,
): Promise<number[]> => {
  const places: number[] = [];
  for (let before: number | undefined; ; ) {
    const some = knowledgebase.ledger().rejectLists.page(filter, READ_AT_ONCE, before);
    if (some.length === 0 || signal?.aborted) return places;
    const hits = await matching(knowledgebase, some, text);
    for (const [at, { seq }] of some.entries()) if (hits[at]) places.push(seq);
    before = some.at(-1)?.seq;
  }
};

/** The filter with its stream as it is written. Throws `no_such_stream`. */
export const checked = ({ streams }: OpenKnowledgebase, filter: RejectFilter): RejectFilter =>
  filter.stream === undefined ? filter : { ...filter, stream: streams.get(filter.stream).id };

const matching = async (
  knowledgebase: OpenKnowledgebase,
  rejects: readonly Reject[],
  text: string,
): Promise<boolean[]> => {
  const found = rejects.map(({ rejectId, batchId, message }) =>
    hasText(Buffer.from(`${rejectId}\n${batchId}\n${message}`), text),
  );
  const unseen = rejects.flatMap((_, at) => (found[at] ? [] : [at]));
  const bodies = unseen.map((at) => bodyPath(knowledgebase, rejects[at] as Reject));
  if (bodies.length === 0) return found;
  const hits = await knowledgebase.desk.run('search', { bodies, text });
  for (const [index, at] of unseen.entries()) found[at] = hits[index] as boolean;
  return found;
};

const bare = ({ seq: _seq, ...reject }: PlacedReject): Reject => reject;

const cursorAfter = (more: boolean, last: PlacedReject | undefined): string | null =>
  more && last ? String(last.seq) : null;

const placeOf = (cursor: string): number => {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new AppError('invalid_argument', 'The cursor is none that a page gave.');
};
