// Owns sending a file as a download. Never as anything that a browser would show or run.

import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Sends a file's bytes; that who fetches it hangs up is no fault. */
export const sendFile = async (
  response: ServerResponse,
  bytes: Readable,
  size: number,
): Promise<void> => {
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': size,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  try {
    await pipeline(bytes, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
};
