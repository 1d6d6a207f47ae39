// Owns finding the members of a record on bytes, also of one that cannot land, as long as it is JSON.
// Never changes a byte.

import { scanString } from '../../ingest/ndjson/scan-string.ts';
import { scanValue, skipSpace } from '../../ingest/ndjson/scan-value.ts';
import { noTrouble } from '../../ingest/ndjson/trouble.ts';

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** A member of a record: offsets in its line. */
export interface Member {
  readonly name: string;
  /** Of the name's opening quotation mark. */
  readonly start: number;
  /** After the name's closing quotation mark. */
  readonly nameEnd: number;
  /** After the value. */
  readonly end: number;
}

/** A line with the line feed that every scan ends at. */
export const ended = (line: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(line.length + 1);
  bytes.set(line);
  bytes[line.length] = LINE_FEED;
  return bytes;
};

/** After a byte order mark and white space. */
export const startOf = (line: Uint8Array): number =>
  skipSpace(line, line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0);

/** The members of the object that a line is; null when it is not one, and nothing else. */
export const membersOf = (line: Uint8Array): Member[] | null => {
  const start = startOf(line);
  if (line[start] !== OPEN_BRACE) return null;
  const bytes = ended(line);
  const found = scanMembers(bytes, start);
  return found !== null && bytes[skipSpace(bytes, found.end)] === LINE_FEED ? found.members : null;
};

/** The object at `at`: its members and the offset after it; null when it is not JSON to its end. Depth is no limit. */
const scanMembers = (bytes: Uint8Array, at: number): { members: Member[]; end: number } | null => {
  if (bytes[at] !== OPEN_BRACE) return null;
  const trouble = noTrouble();
  const open = new Uint8Array(bytes.length);
  const members: Member[] = [];
  let i = skipSpace(bytes, at + 1);
  if (bytes[i] === CLOSE_BRACE) return { members, end: i + 1 };
  for (;;) {
    if (bytes[i] !== QUOTE) return null;
    const start = i;
    const close = scanString(bytes, i + 1, false, trouble);
    if (close < 0) return null;
    const colon = skipSpace(bytes, close + 1);
    if (bytes[colon] !== COLON) return null;
    const end = scanValue(bytes, skipSpace(bytes, colon + 1), open, trouble);
    if (end < 0) return null;
    members.push({ name: nameIn(bytes, start, close + 1), start, nameEnd: close + 1, end });
    i = skipSpace(bytes, end);
    if (bytes[i] === CLOSE_BRACE) return { members, end: i + 1 };
    if (bytes[i] !== COMMA) return null;
    i = skipSpace(bytes, i + 1);
  }
};

// A scanned string is one that JSON.parse takes, whatever its bytes; halves of pairs stay halves.
const nameIn = (bytes: Uint8Array, start: number, end: number): string =>
  JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'));
