// Owns the place where bytes stop being UTF-8 (RFC 3629). Asked only once a body is known to be broken.
// Never decodes.

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80;

/** Length of the well-formed character at `at` (RFC 3629 section 4), or 0 where there is none. */
function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const second = bytes[at + 1];
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4 || second === undefined || !isContinuation(second)) return 0;
  if (lead < 0xe0) return 2;
  if (!isContinuation(bytes[at + 2])) return 0;
  // Overlong forms and the surrogates U+D800 to U+DFFF are told by the second byte.
  if (lead < 0xf0)
    return (lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f) ? 0 : 3;
  if (!isContinuation(bytes[at + 3])) return 0;
  return (lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f) ? 0 : 4;
}

/** Offset of the first byte at or after `from` that begins no well-formed character; the length if none. */
export function findInvalidUtf8(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length) {
    const length = characterLength(bytes, i);
    if (length === 0) return i;
    i += length;
  }
  return i;
}
