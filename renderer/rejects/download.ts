// Owns handing a body to the person as a file, byte for byte as it came. Never changes one.

import { client } from '../api.ts';
import { bytesOfBase64 } from './hex-rows.ts';
import type { BodyName } from './use-body.ts';

const PIECE = 1_048_576;

/** Reads a body whole. Throws `reject_body_gone`. */
const readBytes = async (name: BodyName): Promise<Blob> => {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let offset = 0; ; ) {
    const { bodyBytes, piece } = await client.rejects.body({
      ...name,
      range: { as: 'base64', offset, bytes: PIECE },
    });
    if (piece.as !== 'base64') break;
    if (piece.bytes > 0) pieces.push(bytesOfBase64(piece.base64));
    offset = piece.offset + piece.bytes;
    if (piece.bytes === 0 || offset >= bodyBytes) break;
  }
  return new Blob(pieces, { type: 'application/octet-stream' });
};

/** Leaves the body with the person as a file. */
export const downloadBody = async (name: BodyName): Promise<void> => {
  const url = URL.createObjectURL(await readBytes(name));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.stream}-${name.rejectId.replaceAll('~', '-')}.ndjson`;
  link.click();
  // The download reads it after this.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
