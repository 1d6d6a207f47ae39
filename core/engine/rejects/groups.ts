// Owns rejects gathered by stream and cause, as the inbox shows them.
// Never reads a body, unless a text is looked for.

import type { CauseCount } from '../../ledger/reject-lists.ts';
import type { Cause, RejectFilter, RejectGroup, RejectGroups } from '../../model.ts';
import { titleOf } from '../../rejects/cause.ts';
import type { OpenKnowledgebase } from '../open.ts';
import { checked, searchedPlaces } from './find.ts';

const SPANS = 12;
const SENDERS = 10;

/** Groups, those seen last first. Throws `no_such_stream`. */
export const groupRejects = async (
  knowledgebase: OpenKnowledgebase,
  filter: RejectFilter,
  signal?: AbortSignal,
): Promise<RejectGroups> => {
  const { text, ...rest } = checked(knowledgebase, filter);
  const { state: _state, ...any } = rest;
  const only =
    text === undefined ? undefined : await searchedPlaces(knowledgebase, { ...any, text }, signal);
  const { rejectLists } = knowledgebase.ledger();
  const counted = rejectLists.groups(rest, only);
  const to = rest.until ?? new Date().toISOString();
  const [first = to] = counted.map(({ firstSeenAt }) => firstSeenAt).sort();
  const from = rest.since ?? first;
  const time = { fromMs: Date.parse(from), toMs: Date.parse(to), spans: SPANS };
  const senders = byCause(rejectLists.senders(rest, only));
  const spans = byCause(rejectLists.spans(rest, time, only));
  const groups = counted.map((group): RejectGroup => {
    const key = keyOf(group);
    const spark = new Array<number>(SPANS).fill(0);
    for (const { of, rejects } of spans.get(key) ?? []) spark[of] = rejects;
    return {
      ...group,
      title: titleOf(group),
      senders: (senders.get(key) ?? [])
        .slice(0, SENDERS)
        .map(({ of, rejects }) => ({ sender: of, rejects })),
      spark,
    };
  });
  return { groups, totals: rejectLists.totals(rest, only), from, to };
};

const keyOf = ({ stream, code, field, shape }: Cause & { readonly stream: string }): string =>
  JSON.stringify([stream, code, field, shape]);

const byCause = <T>(counts: readonly CauseCount<T>[]): Map<string, CauseCount<T>[]> => {
  const found = new Map<string, CauseCount<T>[]>();
  for (const count of counts) {
    const key = keyOf(count);
    const of = found.get(key);
    if (of) of.push(count);
    else found.set(key, [count]);
  }
  return found;
};
