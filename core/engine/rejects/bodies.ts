// Owns reading what was kept of a reject: its body, its reason, bodies that were tried, a piece at a time.
// Never writes, and never gives a body that retention removed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../durable.ts';
import { AppError } from '../../errors.ts';
import { findInvalidUtf8 } from '../../ingest/ndjson/find-invalid-utf8.ts';
import { attemptFile, rejectFiles } from '../../knowledgebase/paths.ts';
import type { BodyPage, Reject } from '../../model.ts';
import { type Reason, readReason } from '../../rejects/keep.ts';
import { lineAt, lineStarts } from '../../rejects/lines.ts';
import { characterStart, showBytes, showLine } from '../../rejects/show-line.ts';
import type { OpenKnowledgebase } from '../open.ts';

/** The body as it came, in a buffer of its own. Throws `reject_body_gone`. */
export const bodyOf = (knowledgebase: OpenKnowledgebase, reject: Reject): Uint8Array => {
  const path = bodyPath(knowledgebase, reject);
  const body = reject.bodyRemovedAt === null ? readOwn(path) : undefined;
  if (body) return body;
  const when = reject.bodyRemovedAt ? ` on ${reject.bodyRemovedAt.slice(0, 10)}` : '';
  throw new AppError(
    'reject_body_gone',
    `The body of the reject ${reject.rejectId} was removed${when}.`,
  );
};

/** The body as it came; null where retention removed it. */
export const keptBody = (knowledgebase: OpenKnowledgebase, reject: Reject): Uint8Array | null => {
  try {
    return bodyOf(knowledgebase, reject);
  } catch (error) {
    if (error instanceof AppError && error.code === 'reject_body_gone') return null;
    throw error;
  }
};

/** Where the body as it came is. */
export const bodyPath = ({ paths }: OpenKnowledgebase, { stream, rejectId }: Reject): string =>
  join(paths.stream(stream).failed, rejectFiles(rejectId).body);

/** The body that a try sent instead. Throws `reject_body_gone` where none is kept. */
export const attemptBodyOf = (
  { paths }: OpenKnowledgebase,
  { stream, rejectId }: Reject,
  number: number,
): Uint8Array => {
  const body = readOwn(join(paths.stream(stream).failed, attemptFile(rejectId, number)));
  if (body) return body;
  throw new AppError(
    'reject_body_gone',
    `No body is kept of try ${number} of the reject ${rejectId}.`,
  );
};

/** The reason as it was kept; undefined where it is gone. */
export const reasonOf = (
  { paths }: OpenKnowledgebase,
  { stream, rejectId }: Reject,
): Reason | undefined =>
  readReason(join(paths.stream(stream).failed, rejectFiles(rejectId).reason));

/** A piece has no further line once its lines have this many bytes; the next piece goes on there. */
const PIECE_BYTES = 4_194_304;

/** Which piece of a body. */
export type BodyRange =
  | {
      readonly as: 'lines';
      readonly line: number;
      readonly count: number;
      readonly width: number;
    }
  | { readonly as: 'text' | 'base64'; readonly offset: number; readonly bytes: number };

/** A piece of a body, as it may be shown. */
export const pageOf = (body: Uint8Array, range: BodyRange): BodyPage => {
  const starts = lineStarts(body);
  const utf8 = findInvalidUtf8(body, 0) === body.length;
  return {
    ...{ bodyBytes: body.length, lines: starts.length, utf8 },
    piece: range.as === 'lines' ? linesOf(body, starts, range) : bytesOf(body, range),
  };
};

const linesOf = (
  body: Uint8Array,
  starts: Int32Array,
  { line: first, count, width }: Extract<BodyRange, { as: 'lines' }>,
): BodyPage['piece'] => {
  const lines: Extract<BodyPage['piece'], { as: 'lines' }>['lines'][number][] = [];
  const end = Math.min(starts.length, first + count - 1);
  for (let line = first, left = PIECE_BYTES; line <= end && left > 0; line += 1) {
    const bytes = lineAt(body, starts, line);
    const offset = starts[line - 1] as number;
    lines.push({ line, offset, bytes: bytes.length, ...showLine(bytes, width) });
    left -= Math.min(bytes.length, width);
  }
  return { as: 'lines', lines };
};

const bytesOf = (
  body: Uint8Array,
  { as, offset, bytes }: Exclude<BodyRange, { as: 'lines' }>,
): BodyPage['piece'] => {
  const from = Math.min(offset, body.length);
  const to = Math.min(from + bytes, body.length);
  if (as === 'base64') {
    const base64 = Buffer.from(body.subarray(from, to)).toString('base64');
    return { as, offset: from, bytes: to - from, base64 };
  }
  // Two pieces side by side have each character once.
  const start = from < body.length ? characterStart(body, from) : from;
  const end = to < body.length ? characterStart(body, to) : to;
  return { as, offset: start, bytes: end - start, ...showBytes(body.subarray(start, end)) };
};

const readOwn = (path: string): Uint8Array | undefined => {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};
