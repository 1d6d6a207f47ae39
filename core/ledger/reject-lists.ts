// Owns finding rejects by filter: pages, groups by cause, counts. Reads indexes, and never a body.

import { fold } from '../ids.ts';
import type { Cause, Reject, RejectFilter, RejectState } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';
import { REJECT_FIELDS } from './rejects.ts';

/** A reject and its place in the ledger, which a cursor names. */
export type PlacedReject = Reject & { readonly seq: number };

/** Rejects of one stream with one cause, counted. */
export interface CountedCause extends Cause {
  readonly stream: string;
  readonly open: number;
  readonly replayed: number;
  readonly discarded: number;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
}

/** A filter without its text, which only bodies can answer. */
export type LedgerFilter = Omit<RejectFilter, 'text'>;

/** Rejects by cause and something else of theirs. */
export interface CauseCount<T> extends Cause {
  readonly stream: string;
  readonly of: T;
  readonly rejects: number;
}

export interface RejectLists {
  /** Newest first, from before `beforeSeq`. */
  page(filter: LedgerFilter, limit: number, beforeSeq?: number): PlacedReject[];
  /** Groups, those seen last first; with `only`, of these places alone. */
  groups(filter: LedgerFilter, only?: readonly number[]): CountedCause[];
  /** The state is left out of the filter. */
  totals(filter: LedgerFilter, only?: readonly number[]): Record<RejectState, number>;
  /** Senders by cause. */
  senders(filter: LedgerFilter, only?: readonly number[]): CauseCount<string | null>[];
  /** Which of `spans` equal spans between two times, in ms since 1970, by cause; those outside are left out. */
  spans(
    filter: LedgerFilter,
    time: { readonly fromMs: number; readonly toMs: number; readonly spans: number },
    only?: readonly number[],
  ): CauseCount<number>[];
  count(filter: LedgerFilter): number;
  /** Of one sender: how many, and when the first came. */
  ofSender(filter: LedgerFilter): { readonly rejects: number; readonly firstAt: string | null };
  /** Streams that have a reject of this id. */
  streamsWith(rejectId: string): string[];
}

interface Where {
  readonly sql: string;
  readonly values: unknown[];
}

/** The condition that a filter is; `only` are places that a search of bodies left. */
const whereOf = (filter: LedgerFilter, only?: readonly number[]): Where => {
  const parts: string[] = ['true'];
  const values: unknown[] = [];
  const add = (sql: string, value: unknown): void => {
    if (value === undefined) return;
    parts.push(sql);
    values.push(value);
  };
  add('r.stream_key = ?', filter.stream === undefined ? undefined : fold(filter.stream));
  add('r.state = ?', filter.state);
  add('r.code = ?', filter.code);
  add('r.field IS ?', typeof filter.field === 'string' ? fold(filter.field) : filter.field);
  add("coalesce(r.shape, 'other') = ?", filter.shape);
  add('r.sender = ?', filter.sender);
  add('r.received_at >= ?', filter.since);
  add('r.received_at < ?', filter.until);
  add('r.operation = ?', filter.operation);
  if (only) add('r.seq IN (SELECT value FROM json_each(?))', JSON.stringify(only));
  return { sql: parts.join(' AND '), values };
};

const CAUSE = `s.stream, r.code, r.field, coalesce(r.shape, 'other') AS shape`;
const FROM = 'FROM rejects r JOIN streams s USING (stream_key)';
const BY_CAUSE = 'GROUP BY r.stream_key, r.code, r.field, 4';

export const rejectLists = (db: SqliteDatabase): RejectLists => {
  // A filter has few forms; SQLite keeps no statement that better-sqlite3 does not.
  const all = <T>(sql: string, values: readonly unknown[]): T[] =>
    db.prepare(sql).all(...values) as T[];
  const one = <T>(sql: string, values: readonly unknown[]): T =>
    db.prepare(sql).get(...values) as T;
  return {
    page: (filter, limit, beforeSeq = Number.MAX_SAFE_INTEGER) => {
      const { sql, values } = whereOf(filter);
      return all<PlacedReject>(
        `SELECT r.seq, ${REJECT_FIELDS} WHERE ${sql} AND r.seq < ? ORDER BY r.seq DESC LIMIT ?`,
        [...values, beforeSeq, limit],
      );
    },
    groups: (filter, only) => {
      const { state, ...rest } = filter;
      const { sql, values } = whereOf(rest, only);
      const wanted = state === undefined ? 'true' : `sum(r.state = ?) > 0`;
      return all<CountedCause>(
        `SELECT ${CAUSE}, sum(r.state = 'open') AS open, sum(r.state = 'replayed') AS replayed,
           sum(r.state = 'discarded') AS discarded, min(r.received_at) AS firstSeenAt,
           max(r.last_received_at) AS lastSeenAt
         ${FROM} WHERE ${sql} ${BY_CAUSE} HAVING ${wanted} ORDER BY lastSeenAt DESC, s.stream, r.code`,
        state === undefined ? values : [...values, state],
      );
    },
    totals: (filter, only) => {
      const { state: _state, ...rest } = filter;
      const { sql, values } = whereOf(rest, only);
      const found = all<{ state: RejectState; n: number }>(
        `SELECT r.state, count(*) AS n ${FROM} WHERE ${sql} GROUP BY r.state`,
        values,
      );
      const of = (state: RejectState): number => found.find((row) => row.state === state)?.n ?? 0;
      return { open: of('open'), replayed: of('replayed'), discarded: of('discarded') };
    },
    senders: ({ state: _state, ...filter }, only) => {
      const { sql, values } = whereOf(filter, only);
      return all(
        `SELECT ${CAUSE}, r.sender AS "of", count(*) AS rejects ${FROM} WHERE ${sql}
         ${BY_CAUSE}, r.sender ORDER BY rejects DESC, "of"`,
        values,
      );
    },
    spans: ({ state: _state, ...filter }, { fromMs, toMs, spans }, only) => {
      const { sql, values } = whereOf(filter, only);
      const width = Math.max(1, toMs - fromMs) / spans;
      const span = `min(cast((unixepoch(r.received_at, 'subsec') * 1000 - ?) / ? AS INTEGER), ${spans - 1})`;
      return all(
        `SELECT ${CAUSE}, ${span} AS "of", count(*) AS rejects ${FROM}
         WHERE ${sql} AND unixepoch(r.received_at, 'subsec') * 1000 BETWEEN ? AND ? ${BY_CAUSE}, 5`,
        [fromMs, width, ...values, fromMs, toMs],
      );
    },
    count: (filter) => {
      const { sql, values } = whereOf(filter);
      return one<{ n: number }>(`SELECT count(*) AS n ${FROM} WHERE ${sql}`, values).n;
    },
    ofSender: (filter) => {
      const { sql, values } = whereOf(filter);
      return one(
        `SELECT count(*) AS rejects, min(r.received_at) AS firstAt ${FROM} WHERE ${sql}`,
        values,
      );
    },
    streamsWith: (rejectId) =>
      all<{ stream: string }>(`SELECT s.stream ${FROM} WHERE r.reject_id = ? ORDER BY 1`, [
        rejectId,
      ]).map(({ stream }) => stream),
  };
};
