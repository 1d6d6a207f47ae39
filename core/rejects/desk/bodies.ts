// Owns the bodies that the desk reads: from the disk, the newest kept for what is asked of it next.
// Never changes one; a body never changes on the disk either, but retention may take it away at any moment.

import { readFileSync, statSync } from 'node:fs';
import { errnoOf } from '../../durable.ts';
import { AppError } from '../../errors.ts';
import { type PagedBody, pagedBody } from '../page.ts';

interface Kept {
  readonly path: string;
  readonly stamp: string;
  readonly bytes: Uint8Array;
  paged?: PagedBody;
}

let newest: Kept | undefined;

/** The bytes of a body; not to be changed. Throws `reject_body_gone`. */
export const bodyAt = (path: string): Uint8Array => keptAt(path).bytes;

/** The same; null where it is gone. */
export const bodyIfThere = (path: string): Uint8Array | null => find(path)?.bytes ?? null;

/** A body to take pieces of. Throws `reject_body_gone`. */
export const pagedAt = (path: string): PagedBody => {
  const kept = keptAt(path);
  kept.paged ??= pagedBody(kept.bytes);
  return kept.paged;
};

/** The bytes of a file, which are not kept: whoever reads many needs each once. Null where it is gone. */
export const bytesIfThere = (path: string): Buffer | null => {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
};

const keptAt = (path: string): Kept => {
  const kept = find(path);
  if (kept) return kept;
  throw new AppError('reject_body_gone', 'The body was removed just now.');
};

const find = (path: string): Kept | undefined => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  const stamp = stat && `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
  if (newest?.path === path && newest.stamp === stamp) return newest;
  newest = undefined;
  const bytes = bytesIfThere(path);
  // A buffer of its own, as a body that came has: small files share one.
  if (bytes && stamp !== undefined) newest = { path, stamp, bytes: new Uint8Array(bytes) };
  return newest;
};
