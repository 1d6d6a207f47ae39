// Owns what a full disk or memory means for a compaction: found before it begins, or told when it comes in the middle.
// Never frees any room.

import { statfs } from 'node:fs/promises';
import { counted, grouped } from '../../counted.ts';
import { diskFault } from '../../durable.ts';
import { AppError } from '../../errors.ts';
import { isMemoryFault, messageOf } from '../../lake/duckdb.ts';
import { sqliteCode } from '../../sqlite.ts';
import type { OpenStream } from '../streams.ts';
import type { Target } from './choose.ts';

/** A merged file was seen to be up to 6 % larger than what it was made of. */
const LARGER = 1.1;

/**
 * The most bytes that a run writes: every merged file, and beside the largest the pieces that it is made of. Without
 * room for that, producers would be refused meanwhile.
 */
export const neededBytes = (targets: readonly Target[]): number => {
  const sizes = targets.map(({ files }) =>
    files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  return Math.ceil(LARGER * (sizes.reduce((sum, size) => sum + size, 0) + largest));
};

/** Throws `disk_full` where a run could not write what it may need. */
export const checkRoom = async (
  { paths }: OpenStream,
  targets: readonly Target[],
): Promise<void> => {
  const bytes = neededBytes(targets);
  const { bavail, bsize } = await statfs(paths.data);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new AppError(
    'disk_full',
    `Compaction may need ${counted(bytes, 'byte')}, ${grouped(free)} are free. Every file is as it was.`,
    {
      hint: 'Free some space, or remove originals of earlier runs, and compact again.',
      details: { path: paths.data },
    },
  );
};

/** A full disk or memory, whoever says it, as what it is; any other error as it is. */
export const runFault = (error: unknown, stream: OpenStream): unknown => {
  if (error instanceof AppError) return error;
  if (isMemoryFault(error)) {
    const message = 'There was not enough memory to merge the files. Every file is as it was.';
    return new AppError('out_of_memory', message, {
      hint: 'Close other programs and compact again. Queries and landings go on as before; if it happens again, the log has what DuckDB says.',
      details: { reason: messageOf(error) },
      cause: error,
    });
  }
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
