// Owns the form of a tar archive (POSIX.1-2001 ustar, with pax headers for long names). Pure.
// Never reads a file.

const BLOCK = 512;

/** What stands before a file's content in an archive. */
export const tarHead = (name: string, sizeBytes: number, mtimeMs: number): Uint8Array[] => {
  const bytes = Buffer.byteLength(name);
  const isLong = bytes > 100;
  const path = isLong ? paxOf(name, mtimeMs) : [];
  const shortName = isLong ? name.replace(/[^\x20-\x7e]/g, '_').slice(0, 100) : name;
  return [...path, headerOf(shortName, sizeBytes, mtimeMs, '0')];
};

/** What follows it, up to the next file. */
export const tarPadding = (sizeBytes: number): Uint8Array =>
  new Uint8Array((BLOCK - (sizeBytes % BLOCK)) % BLOCK);

/** What ends an archive. */
export const tarEnd = (): Uint8Array => new Uint8Array(2 * BLOCK);

/** A header that gives the next file a name too long for its own (pax: "length path=name\n", its own length counted). */
const paxOf = (name: string, mtimeMs: number): Uint8Array[] => {
  const record = ` path=${name}\n`;
  const bytes = Buffer.byteLength(record);
  let length = bytes + String(bytes).length;
  if (String(length).length > String(bytes).length) length += 1;
  const content = Buffer.from(`${length}${record}`);
  return [headerOf('pax', content.length, mtimeMs, 'x'), content, tarPadding(content.length)];
};

const headerOf = (name: string, size: number, mtimeMs: number, type: string): Uint8Array => {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string =>
    `${Math.floor(value).toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0, 100);
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(mtimeMs / 1_000, 11), 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};
