// Owns writing one of the files that SQL reads a stream's rejects from: rows that it has stay, of others bodies are read.
// Never decides which rejects are in it; the ledger does.

import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { removeQuietly, renameRetrying, writeNewFile } from '../../durable.ts';
import { rejectFiles } from '../../knowledgebase/paths.ts';
import type { Reject } from '../../model.ts';
import { readReason } from '../keep.ts';
import { readSqlRows, type SqlRow, sqlRowsOf, sqlText } from '../sql-rows.ts';
import { bytesIfThere } from './bodies.ts';

/** A file to be written. */
export interface Chunk {
  readonly path: string;
  /** The folder of what was rejected. */
  readonly failed: string;
  /** The rejects that it has, oldest first. */
  readonly rejects: readonly Reject[];
}

/** Writes the file, or replaces it whole. Between two bodies others get their turn. */
export const writeChunk = async ({ path, failed, rejects }: Chunk): Promise<void> => {
  const before = readSqlRows(bytesIfThere(path)?.toString('utf8') ?? '');
  const rows: SqlRow[] = [];
  for (const reject of rejects) {
    const known = before.get(reject.rejectId);
    const isSame = known?.[0]?.received_at === reject.receivedAt && reject.bodyRemovedAt === null;
    if (known && isSame) {
      rows.push(...known.map((row) => ({ ...row, state: reject.state })));
      continue;
    }
    rows.push(...rowsOf(failed, reject));
    await turn();
  }
  const staged = `${path}.${process.pid}.new`;
  removeQuietly(staged);
  writeNewFile(staged, [Buffer.from(sqlText(rows))]);
  renameRetrying(staged, path);
};

const rowsOf = (failed: string, reject: Reject): SqlRow[] => {
  const { body, reason } = rejectFiles(reject.rejectId);
  const { code, message, line, column, bodyRemovedAt } = reject;
  const faults = readReason(join(failed, reason))?.errors ?? [{ code, message, line, column }];
  return sqlRowsOf(
    reject,
    faults,
    bodyRemovedAt === null ? bytesIfThere(join(failed, body)) : null,
  );
};
