// Owns how bytes read in rows of sixteen: place, hex, letters. Never fetches them.

/** Bytes in a row. */
export const ROW_BYTES = 16;

/** A byte of a row; null after the last of the body. */
export interface HexByte {
  readonly hex: string;
  /** What it is as ASCII; a point where that cannot be seen. */
  readonly letter: string;
}

/** The place of a row, eight digits or as many as it needs. */
export const placeOf = (row: number): string =>
  (row * ROW_BYTES).toString(16).toUpperCase().padStart(8, '0');

/** The bytes of a row. */
export const bytesOfRow = (bytes: Uint8Array): (HexByte | null)[] =>
  Array.from({ length: ROW_BYTES }, (_, at) => {
    const byte = bytes[at];
    if (byte === undefined) return null;
    const isSeen = byte >= 0x20 && byte < 0x7f;
    return {
      hex: byte.toString(16).toUpperCase().padStart(2, '0'),
      letter: isSeen ? String.fromCharCode(byte) : '.',
    };
  });

/** Bytes of a base64 text. */
export const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at += 1) bytes[at] = raw.charCodeAt(at);
  return bytes;
};
