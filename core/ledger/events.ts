// Owns the table `events`: what happened that a person may want to know. Never grows without bound.

import type { CoreEvent } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** How many events are kept; older ones go. */
const KEPT = 10_000;

export interface EventTable {
  add(event: Omit<CoreEvent, 'seq'>): void;
  /** Newest first. */
  list(limit: number): CoreEvent[];
}

export const eventTable = (db: SqliteDatabase): EventTable => {
  const add = db.prepare(
    'INSERT INTO events (at, level, kind, stream, message) VALUES (?, ?, ?, ?, ?)',
  );
  const trim = db.prepare(
    `DELETE FROM events WHERE seq <= (SELECT max(seq) FROM events) - ${KEPT}`,
  );
  const list = db.prepare(
    'SELECT seq, at, level, kind, stream, message FROM events ORDER BY seq DESC LIMIT ?',
  );
  return {
    add: (event) => {
      add.run(event.at, event.level, event.kind, event.stream, event.message);
      trim.run();
    },
    list: (limit) => list.all(limit) as CoreEvent[],
  };
};
