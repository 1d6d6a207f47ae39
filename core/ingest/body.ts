// Owns reading a request's body: whole, within size and time, unpacked. Never parses it.

import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { AppError } from '../errors.ts';
import type { Fault } from '../model.ts';

export interface ReadOptions {
  readonly maxBytes: number;
  /** From the headers to the last byte. */
  readonly timeoutMs: number;
  readonly onGrowth: (bytes: number) => void;
  /** Is called once, with what calls the reading off. */
  readonly onClosing: (hear: () => void) => void;
}

const NOTHING: Uint8Array = new Uint8Array(0);

/**
 * Reads the body. One that comes in one piece, as a small one does, is that piece; others are gathered in a buffer of
 * their own. Throws `body_too_large`, `body_timeout`, `client_aborted`, `knowledgebase_closing`.
 */
export const readBody = (request: IncomingMessage, options: ReadOptions): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const { maxBytes } = options;
    const declared = Number(request.headers['content-length'] ?? 0);
    let bytes = NOTHING;
    let length = 0;
    let finished = false;

    const finish = (settle: () => void): void => {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      settle();
    };
    const fail = (error: AppError): void => finish(() => reject(error));
    const onData = (chunk: Buffer): void => {
      const longer = length + chunk.length;
      if (longer > maxBytes) {
        fail(tooLarge(maxBytes));
        return;
      }
      if (length === 0) {
        bytes = chunk;
      } else {
        if (longer > bytes.length) {
          const room = new Uint8Array(Math.min(Math.max(declared, length * 2, longer), maxBytes));
          room.set(bytes.subarray(0, length));
          bytes = room;
        }
        bytes.set(chunk, length);
      }
      length = longer;
      options.onGrowth(length);
    };
    const onEnd = (): void =>
      finish(() => resolve(length === bytes.length ? bytes : bytes.slice(0, length)));
    const onClose = (): void =>
      fail(new AppError('client_aborted', `The client hung up after ${length} bytes.`));
    const timer = setTimeout(
      () =>
        fail(
          new AppError(
            'body_timeout',
            `${length} bytes came in ${options.timeoutMs / 1_000} s; the rest did not.`,
          ),
        ),
      options.timeoutMs,
    );
    options.onClosing(() =>
      fail(
        new AppError(
          'knowledgebase_closing',
          `The knowledgebase was taken off the list when ${length} bytes had come; the rest was not waited for.`,
        ),
      ),
    );
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });

/** The `body_too_large` of a limit. */
export const tooLarge = (maxBytes: number): AppError =>
  new AppError('body_too_large', `The body is over ${maxBytes} bytes, unpacked.`, {
    details: { max_body_bytes: maxBytes },
  });

const gunzip = promisify(zlib.gunzip) as unknown as Unpack;
const unzstd = zlib.zstdDecompress
  ? (promisify(zlib.zstdDecompress) as unknown as Unpack)
  : undefined;

type Unpack = (
  bytes: Uint8Array,
  options: { maxOutputLength: number; info: true },
) => Promise<{ buffer: Buffer; engine: { bytesWritten: number } }>;

/**
 * Unpacks a body, stopping at `maxBytes`. Gives a fault when it is cut short, damaged, or followed by bytes that
 * belong to no member (RFC 1952, 2.2): dropping those would lose data silently. Throws `body_too_large`.
 */
export const unpackBody = async (
  body: Uint8Array,
  encoding: string,
  maxBytes: number,
): Promise<Uint8Array | Fault> => {
  const unpack = encoding === 'zstd' && unzstd ? unzstd : gunzip;
  try {
    const { buffer, engine } = await unpack(body, { maxOutputLength: maxBytes, info: true });
    if (engine.bytesWritten < body.length) {
      return badEncoding(`${body.length - engine.bytesWritten} bytes follow the ${encoding} data.`);
    }
    return new Uint8Array(buffer);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    if (code === undefined) throw error;
    return badEncoding(`The ${encoding} data cannot be unpacked: ${message}.`);
  }
};

const badEncoding = (message: string): Fault => ({
  code: 'bad_encoding',
  message,
  line: null,
  column: null,
});
