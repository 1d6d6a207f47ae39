// Owns where what was kept of a reject is: its body, its reason, bodies that were tried; and reading the first two whole.
// Never writes, never gives a body that retention removed, and reads nothing that a face waits for: the desk does.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../durable.ts';
import { AppError } from '../../errors.ts';
import { attemptFile, rejectFiles } from '../../knowledgebase/paths.ts';
import type { Reject } from '../../model.ts';
import type { KeptFiles } from '../../rejects/desk/work.ts';
import { type Reason, readReason } from '../../rejects/keep.ts';
import type { OpenKnowledgebase } from '../open.ts';

/** Where the body as it came is. */
export const bodyPath = ({ paths }: OpenKnowledgebase, { stream, rejectId }: Reject): string =>
  join(paths.stream(stream).failed, rejectFiles(rejectId).body);

/** Where the reason is. */
export const reasonPath = ({ paths }: OpenKnowledgebase, { stream, rejectId }: Reject): string =>
  join(paths.stream(stream).failed, rejectFiles(rejectId).reason);

/** Both. The body may be gone all the same. */
export const keptFiles = (knowledgebase: OpenKnowledgebase, reject: Reject): KeptFiles => ({
  body: reject.bodyRemovedAt === null ? bodyPath(knowledgebase, reject) : null,
  reason: reasonPath(knowledgebase, reject),
});

/** Where the body is that is there. Throws `reject_body_gone`. */
export const bodyToRead = (knowledgebase: OpenKnowledgebase, reject: Reject): string => {
  const path = bodyPath(knowledgebase, reject);
  if (reject.bodyRemovedAt === null && existsSync(path)) return path;
  throw bodyGone(reject);
};

/** Where the body is that a try sent instead. Throws `reject_body_gone` where none is kept. */
export const attemptToRead = (
  { paths }: OpenKnowledgebase,
  { stream, rejectId }: Reject,
  number: number,
): string => {
  const path = join(paths.stream(stream).failed, attemptFile(rejectId, number));
  if (existsSync(path)) return path;
  throw new AppError(
    'reject_body_gone',
    `No body is kept of try ${number} of the reject ${rejectId}.`,
  );
};

/** The body as it came, whole. Throws `reject_body_gone`. */
export const bodyOf = (knowledgebase: OpenKnowledgebase, reject: Reject): Uint8Array => {
  try {
    return readFileSync(bodyToRead(knowledgebase, reject));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw bodyGone(reject);
    throw error;
  }
};

/** The reason as it was kept; undefined where it is gone. */
export const reasonOf = (knowledgebase: OpenKnowledgebase, reject: Reject): Reason | undefined =>
  readReason(reasonPath(knowledgebase, reject));

const bodyGone = ({ rejectId, bodyRemovedAt }: Reject): AppError => {
  const when = bodyRemovedAt ? ` on ${bodyRemovedAt.slice(0, 10)}` : '';
  return new AppError('reject_body_gone', `The body of the reject ${rejectId} was removed${when}.`);
};
