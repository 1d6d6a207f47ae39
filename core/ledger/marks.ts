// Owns telling whether, and in what, the ledger has changed: by a few numbers that are kept anyway.
// Never counts rows of a large table.

import type { SqliteDatabase } from '../sqlite.ts';

/** A stream's running numbers. */
export interface StreamMarks {
  readonly stream: string;
  readonly received: number;
  readonly rows: number;
  readonly files: number;
  readonly sizeBytes: number;
  /** Grows with every change of its rejects. */
  readonly rejects: number;
}

export interface LedgerMarks {
  /** Changes whenever another connection, of this process or another, has committed; never by a commit of this one. */
  version(): number;
  streams(): StreamMarks[];
  /** Of what is no stream's: events, versions of the model, promotions. Two that are the same mean no change. */
  rest(): string;
}

export const ledgerMarks = (db: SqliteDatabase): LedgerMarks => {
  // SQLite: PRAGMA data_version.
  const version = db.prepare('PRAGMA data_version').pluck();
  const streams = db.prepare(`
    SELECT s.stream, s.received, s.rows, s.files, s.size_bytes AS sizeBytes,
      (SELECT coalesce(sum(version), 0) FROM reject_chunks c WHERE c.stream_key = s.stream_key) AS rejects
    FROM streams s ORDER BY s.stream_key`);
  const rest = db
    .prepare(`
      SELECT json_array((SELECT max(seq) FROM events), (SELECT max(version) FROM model_versions),
        (SELECT json_array(count(*), count(ended_at), sum(items), sum(decided)) FROM promotions))`)
    .pluck();
  return {
    version: () => version.get() as number,
    streams: () => streams.all() as StreamMarks[],
    rest: () => rest.get() as string,
  };
};
