// Owns the table `reject_chunks`: which of the files that SQL reads rejects from are behind the ledger.
// Never writes such a file. Triggers of the ledger count the versions, so that no change is missed.

import { fold } from '../ids.ts';
import type { Reject } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';
import { REJECT_FIELDS } from './rejects.ts';

/** A chunk whose file is behind: 256 places of the ledger, those of one stream. */
export interface StaleChunk {
  readonly stream: string;
  readonly chunk: number;
  readonly version: number;
}

export interface ChunkTable {
  stale(): StaleChunk[];
  /** Numbers of a stream's chunks. */
  list(stream: string): number[];
  /** Rejects of a chunk, oldest first. */
  rejects(stream: string, chunk: number): Reject[];
  /** Notes that the file of a chunk is gone. */
  lost(stream: string, chunk: number): void;
  /** Notes that the file has this version. False when the chunk has changed since: it is to be written again. */
  written(chunk: StaleChunk): boolean;
}

export const chunkTable = (db: SqliteDatabase): ChunkTable => {
  const stale = db.prepare(`
    SELECT s.stream, c.chunk, c.version FROM reject_chunks c JOIN streams s USING (stream_key)
    WHERE c.version <> c.written ORDER BY c.stream_key, c.chunk DESC`);
  const list = db.prepare('SELECT chunk FROM reject_chunks WHERE stream_key = ? ORDER BY chunk');
  const rejects = db.prepare(`
    SELECT ${REJECT_FIELDS} WHERE r.stream_key = ? AND r.seq >= ? AND r.seq < ? ORDER BY r.seq`);
  const lost = db.prepare(
    'UPDATE reject_chunks SET written = 0 WHERE stream_key = ? AND chunk = ?',
  );
  const written = db.prepare(`
    UPDATE reject_chunks SET written = ? WHERE stream_key = ? AND chunk = ? AND version = ?`);
  return {
    stale: () => stale.all() as StaleChunk[],
    list: (stream) => (list.all(fold(stream)) as { chunk: number }[]).map(({ chunk }) => chunk),
    rejects: (stream, chunk) =>
      rejects.all(fold(stream), chunk * 256, (chunk + 1) * 256) as Reject[],
    lost: (stream, chunk) => void lost.run(fold(stream), chunk),
    written: ({ stream, chunk, version }) =>
      written.run(version, fold(stream), chunk, version).changes > 0,
  };
};
