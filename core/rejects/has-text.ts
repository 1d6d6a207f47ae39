// Owns whether bytes have a text, whatever they are. Pure.
// Never says where.

/** Byte for byte, ASCII letters without case: each byte is a character of Latin 1. */
export const hasText = (bytes: Buffer, text: string): boolean =>
  bytes
    .toString('latin1')
    .toLowerCase()
    .includes(Buffer.from(text).toString('latin1').toLowerCase());
