// Owns what a full disk means for a compaction: found before it begins, or told when it comes in the middle.
// Never frees any room.

import { statfs } from 'node:fs/promises';
import { diskFault } from '../../durable.ts';
import { AppError } from '../../errors.ts';
import { messageOf } from '../../lake/duckdb.ts';
import { sqliteCode } from '../../sqlite.ts';
import type { OpenStream } from '../streams.ts';

/** What a merge writes is less than what it reads; without room for that, producers would be refused meanwhile. */
export const checkRoom = async ({ paths }: OpenStream, bytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(paths.data);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new AppError(
    'disk_full',
    `Compaction may need ${bytes} bytes, ${free} are free. Every file is as it was.`,
    {
      hint: 'Free some space, or remove originals of earlier runs, and compact again.',
      details: { path: paths.data },
    },
  );
};

/** A full disk, whoever says it, as what it is; any other error as it is. */
export const runFault = (error: unknown, stream: OpenStream): unknown => {
  if (error instanceof AppError) return error;
  // DuckDB says it in words.
  const isFull =
    sqliteCode(error) === 'SQLITE_FULL' ||
    /No space left on device|ENOSPC|disk quota/i.test(messageOf(error));
  const fault = isFull
    ? diskFault({ code: 'ENOSPC' }, stream.paths.data)
    : diskFault(error, stream.paths.data);
  if (!(fault instanceof AppError) || fault.code !== 'disk_full') return fault;
  return new AppError('disk_full', 'The disk is full. Every file is as it was.', {
    hint: 'Free some space, or remove originals of earlier runs, and compact again.',
    details: fault.details,
    cause: error,
  });
};
