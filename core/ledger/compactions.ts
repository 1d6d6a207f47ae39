// Owns the table `compactions`: the history of runs. Never decides whether one can be undone; the folder says that.

import { fold } from '../ids.ts';
import type { CompactionRun } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** A run as the ledger has it; what the folder adds is not in it. */
export type RecordedRun = Omit<CompactionRun, 'stream' | 'originalsUntil' | 'undoable'>;

export interface CompactionTable {
  /** Records a run, or what became of one that is recorded. */
  put(stream: string, run: RecordedRun): void;
  get(stream: string, run: string): RecordedRun | undefined;
  /** Newest first. */
  list(stream: string, limit: number): RecordedRun[];
  /** Ends runs that are `running` although nobody runs them, as failed; all but `besides`. */
  endBroken(stream: string, at: string, fault: string, besides: string | undefined): void;
}

const FIELDS = `run, started_by AS "by", state, started_at AS startedAt, ended_at AS endedAt,
  files_before AS filesBefore, files_after AS filesAfter, batches, rows, bytes_before AS bytesBefore,
  bytes_after AS bytesAfter, held_ms AS heldMs, fault, undone_at AS undoneAt`;

export const compactionTable = (db: SqliteDatabase): CompactionTable => {
  const put = db.prepare(`
    INSERT INTO compactions (stream_key, run, started_by, state, started_at, ended_at, files_before, files_after,
      batches, rows, bytes_before, bytes_after, held_ms, fault, undone_at)
    VALUES (@key, @run, @by, @state, @startedAt, @endedAt, @filesBefore, @filesAfter, @batches, @rows, @bytesBefore,
      @bytesAfter, @heldMs, @fault, @undoneAt)
    ON CONFLICT DO UPDATE SET state = excluded.state, ended_at = excluded.ended_at,
      files_before = excluded.files_before, files_after = excluded.files_after, batches = excluded.batches,
      rows = excluded.rows, bytes_before = excluded.bytes_before, bytes_after = excluded.bytes_after,
      held_ms = excluded.held_ms, fault = excluded.fault, undone_at = excluded.undone_at`);
  const get = db.prepare(`SELECT ${FIELDS} FROM compactions WHERE stream_key = ? AND run = ?`);
  const list = db.prepare(
    `SELECT ${FIELDS} FROM compactions WHERE stream_key = ? ORDER BY started_at DESC, seq DESC LIMIT ?`,
  );
  const end = db.prepare(`
    UPDATE compactions SET state = 'failed', ended_at = ?, fault = ? WHERE stream_key = ? AND state = 'running' AND run <> ?`);
  return {
    put: (stream, run) => void put.run({ ...run, key: fold(stream) }),
    get: (stream, run) => get.get(fold(stream), run) as RecordedRun | undefined,
    list: (stream, limit) => list.all(fold(stream), limit) as RecordedRun[],
    endBroken: (stream, at, fault, besides) => void end.run(at, fault, fold(stream), besides ?? ''),
  };
};
