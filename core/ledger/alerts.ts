// Owns the table `alerts`: what of a stream needs a person, until that person has seen it.
// Never tells of it; the events do, and they stay.

import { fold } from '../ids.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** `set-aside`: a file of data/ that is in failed/ now; `missing`: a landed file that is gone. */
export type AlertKind = 'set-aside' | 'missing';

export interface Alert {
  readonly kind: AlertKind;
  /** Its name in failed/, or the missing file's in data/. */
  readonly file: string;
  readonly reason: string;
  readonly at: string;
}

export interface AlertTable {
  /**
   * Makes a stream's alerts of one kind those that the folder shows now; one that a person has seen stays seen, one
   * whose cause is gone goes. Returns those that are new.
   */
  settle(stream: string, kind: AlertKind, found: readonly Omit<Alert, 'kind'>[]): Alert[];
  /** How many alerts of each stream (by folded id) nobody has seen, by kind. */
  open(): ReadonlyMap<string, Readonly<Record<AlertKind, number>>>;
  /** A person has seen all of a stream's. Returns how many that were. */
  acknowledge(stream: string, at: string): number;
}

export const alertTable = (db: SqliteDatabase): AlertTable => {
  const add = db.prepare(`
    INSERT INTO alerts (stream_key, kind, file, reason, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  const files = db.prepare('SELECT file FROM alerts WHERE stream_key = ? AND kind = ?').pluck();
  const drop = db.prepare('DELETE FROM alerts WHERE stream_key = ? AND kind = ? AND file = ?');
  const open = db.prepare(`
    SELECT stream_key AS streamKey, kind, count(*) AS n FROM alerts WHERE acknowledged_at IS NULL
    GROUP BY stream_key, kind`);
  const acknowledge = db.prepare(
    'UPDATE alerts SET acknowledged_at = ? WHERE stream_key = ? AND acknowledged_at IS NULL',
  );
  return {
    settle: (stream, kind, found) => {
      const key = fold(stream);
      const now = new Set(found.map(({ file }) => file));
      for (const file of files.all(key, kind) as string[]) {
        if (!now.has(file)) drop.run(key, kind, file);
      }
      return found
        .filter(({ file, reason, at }) => add.run(key, kind, file, reason, at).changes > 0)
        .map((alert) => ({ ...alert, kind }));
    },
    open: () => {
      const counts = new Map<string, Record<AlertKind, number>>();
      for (const row of open.all() as { streamKey: string; kind: AlertKind; n: number }[]) {
        const sum = counts.get(row.streamKey) ?? { 'set-aside': 0, missing: 0 };
        counts.set(row.streamKey, { ...sum, [row.kind]: row.n });
      }
      return counts;
    },
    acknowledge: (stream, at) => acknowledge.run(at, fold(stream)).changes,
  };
};
