// Owns the table `promotions`: the record of every promotion, and the plan of each as long as it matters.
// Never knows what a plan's document says.

import type { PromotionState, PromotionSummary } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** A promotion as it is recorded. */
export interface PromotionRow extends PromotionSummary {
  /** The process that runs it, and on which machine. */
  readonly pid: number;
  readonly host: string;
}

/** What may change in the record of one. */
export type PromotionChange = Partial<
  Pick<
    PromotionRow,
    'state' | 'endedAt' | 'version' | 'words' | 'items' | 'decided' | 'pid' | 'host'
  >
>;

export interface PromotionTable {
  add(row: PromotionRow): void;
  change(id: string, change: PromotionChange): void;
  get(id: string): PromotionRow | undefined;
  /** Newest first. */
  list(limit: number): PromotionRow[];
  /** Those in one of the states, newest first. */
  inStates(states: readonly PromotionState[]): PromotionRow[];
  /** The plan's document, as JSON; undefined where none is kept. */
  document(id: string): string | undefined;
  /** Keeps a document, or with null forgets it. */
  setDocument(id: string, document: string | null): void;
}

const FIELDS = `id, stream, state, by, pid, host, started_at AS startedAt, ended_at AS endedAt, base, version, words,
  items, decided`;
const COLUMNS: Readonly<Record<keyof PromotionChange, string>> = {
  ...{ state: 'state', endedAt: 'ended_at', version: 'version', words: 'words' },
  ...{ items: 'items', decided: 'decided', pid: 'pid', host: 'host' },
};

export const promotionTable = (db: SqliteDatabase): PromotionTable => {
  const add = db.prepare(`
    INSERT INTO promotions (id, stream, state, by, pid, host, started_at, ended_at, base, version, words, items, decided)
    VALUES (@id, @stream, @state, @by, @pid, @host, @startedAt, @endedAt, @base, @version, @words, @items, @decided)`);
  const get = db.prepare(`SELECT ${FIELDS} FROM promotions WHERE id = ?`);
  const list = db.prepare(`SELECT ${FIELDS} FROM promotions ORDER BY seq DESC LIMIT ?`);
  const document = db.prepare('SELECT document FROM promotions WHERE id = ?');
  const setDocument = db.prepare('UPDATE promotions SET document = ? WHERE id = ?');
  return {
    add: (row) => void add.run(row),
    change: (id, change) => {
      const names = Object.keys(change) as (keyof PromotionChange)[];
      const sets = names.map((name) => `${COLUMNS[name]} = @${name}`).join(', ');
      db.prepare(`UPDATE promotions SET ${sets} WHERE id = @id`).run({ ...change, id });
    },
    get: (id) => get.get(id) as PromotionRow | undefined,
    list: (limit) => list.all(limit) as PromotionRow[],
    inStates: (states) =>
      db
        .prepare(
          `SELECT ${FIELDS} FROM promotions WHERE state IN (${states.map(() => '?').join(', ')}) ORDER BY seq DESC`,
        )
        .all(...states) as PromotionRow[],
    document: (id) =>
      (document.get(id) as { document: string | null } | undefined)?.document ?? undefined,
    setDocument: (id, text) => void setDocument.run(text, id),
  };
};
