// Owns the rules of ids: which are allowed, how they are compared, how Strata makes its own.
// Never touches a disk.

import { randomFillSync } from 'node:crypto';
import { AppError } from './errors.ts';

const STREAM_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
const BATCH_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
// Windows reserves these as file names, also before an extension (Microsoft: Naming Files, Paths, and Namespaces).
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/** The form in which ids and names are compared: ASCII letters lowered, nothing else touched. */
export const fold = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Whether a producer's batch id can be a file's name on every platform. */
export const isBatchId = (id: string): boolean => BATCH_ID.test(id) && !DEVICE_NAME.test(id);

/** Whether an id can be a stream's. */
export const isStreamId = (id: string): boolean => STREAM_ID.test(id) && !DEVICE_NAME.test(id);

/** Throws `invalid_stream_id` unless the id can be a stream's. */
export const checkStreamId = (id: string): void => {
  if (!isStreamId(id)) {
    throw new AppError('invalid_stream_id', `"${shown(id)}" cannot be a stream id.`);
  }
};

/** Throws `invalid_knowledgebase_id` unless the id can be a knowledgebase's. */
export const checkKnowledgebaseId = (id: string): void => {
  if (!isStreamId(id)) {
    throw new AppError('invalid_knowledgebase_id', `"${shown(id)}" cannot be a knowledgebase id.`);
  }
};

/** An id as it may be shown: cut, control characters replaced. */
const shown = (id: string): string => {
  const clean = id.replace(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');
  return clean.length > 60 ? `${clean.slice(0, 60)}…` : clean;
};

let lastMs = 0;
let counter = 0;
// Random bytes are drawn for many ids at once: a call costs more than the bytes.
const random = new Uint8Array(4_096);
let randomAt = random.length;

/**
 * A batch id of our own: a UUID version 7 (RFC 9562, 5.7) that never falls behind one made before it in this
 * process, so that file names sort in landing order.
 */
export const newBatchId = (nowMs: number = Date.now()): string => {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  if (randomAt + 8 > random.length) {
    randomFillSync(random);
    randomAt = 0;
  }
  const bytes = random.subarray(randomAt, randomAt + 8);
  randomAt += 8;
  const time = lastMs.toString(16).padStart(12, '0');
  const sequence = (0x7000 | counter).toString(16);
  const variant = (0x80 | ((bytes[0] as number) & 0x3f)).toString(16);
  const rest = Buffer.from(bytes.buffer, bytes.byteOffset + 1, 7).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-${sequence}-${variant}${rest.slice(0, 2)}-${rest.slice(2)}`;
};
