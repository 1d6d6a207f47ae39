// Owns the table `queries`: a person's saved queries and the history of those that were run.
// Never runs one.

import type { PastQuery, SavedQuery } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** How many runs the history keeps. */
const KEPT = 500;

export interface QueryTable {
  /** Saves a query under a name, over one of that name. */
  save(name: string, sql: string, at: string): SavedQuery;
  remove(id: number): void;
  /** By name. */
  saved(): SavedQuery[];
  /** Notes a run; the same SQL run again moves to the front. */
  note(run: Omit<PastQuery, 'id'>): void;
  /** Newest first. */
  history(limit: number): PastQuery[];
}

export const queryTable = (db: SqliteDatabase): QueryTable => {
  const drop = db.prepare("DELETE FROM queries WHERE kind = 'saved' AND name = ?");
  const insert = db.prepare(
    'INSERT INTO queries (kind, name, sql, at, elapsed_ms, fault) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const remove = db.prepare('DELETE FROM queries WHERE id = ?');
  const saved = db.prepare(
    "SELECT id, name, sql, at FROM queries WHERE kind = 'saved' ORDER BY name COLLATE NOCASE",
  );
  const dropRun = db.prepare("DELETE FROM queries WHERE kind = 'run' AND sql = ?");
  const trim = db.prepare(`DELETE FROM queries WHERE kind = 'run' AND id <= (
    SELECT id FROM queries WHERE kind = 'run' ORDER BY id DESC LIMIT 1 OFFSET ${KEPT})`);
  const history = db.prepare(`
    SELECT id, sql, at, elapsed_ms AS elapsedMs, fault FROM queries WHERE kind = 'run'
    ORDER BY id DESC LIMIT ?`);
  return {
    save: (name, sql, at) =>
      db.transaction(() => {
        drop.run(name);
        const { lastInsertRowid } = insert.run('saved', name, sql, at, null, null);
        return { id: Number(lastInsertRowid), name, sql, at };
      })(),
    remove: (id) => void remove.run(id),
    saved: () => saved.all() as SavedQuery[],
    note: ({ sql, at, elapsedMs, fault }) =>
      db.transaction(() => {
        dropRun.run(sql);
        insert.run('run', null, sql, at, elapsedMs, fault);
        trim.run();
      })(),
    history: (limit) => history.all(limit) as PastQuery[],
  };
};
