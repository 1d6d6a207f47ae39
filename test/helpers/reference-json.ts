// Owns a second, slow reading of a batch: on strings, by recursion, straight from RFC 8259.
// Never shares code with the parser it is held against.

/** What a body is held against; the same meaning as the parser's options. */
export interface ReferenceLimits {
  readonly maxDepth: number;
  readonly maxColumns: number;
  readonly registered?: readonly string[];
}

export interface ReferenceFault {
  readonly code: string;
  readonly line: number | null;
  readonly column: number | null;
}

export interface ReferenceColumn {
  readonly key: string;
  readonly firstLine: number;
  readonly values: readonly (string | null)[];
}

export type ReferenceOutcome =
  | { readonly ok: true; readonly lines: readonly number[]; readonly columns: ReferenceColumn[] }
  | { readonly ok: false; readonly faults: readonly ReferenceFault[]; readonly faultCount: number };

/** Thrown inside this file: a code, and an index into the line's string. */
class Stop extends Error {
  readonly code: string;
  readonly index: number;
  constructor(code: string, index: number) {
    super(code);
    this.code = code;
    this.index = index;
  }
}

interface Field {
  readonly name: string;
  readonly nameIndex: number;
  readonly value: string | null;
}

/** A reader of one line: every method takes the index where its token begins, and gives where it ends. */
class LineReader {
  readonly line: string;
  readonly maxDepth: number;

  constructor(line: string, maxDepth: number) {
    this.line = line;
    this.maxDepth = maxDepth;
  }

  match(pattern: RegExp, index: number): string | undefined {
    const sticky = new RegExp(pattern.source, 'uy');
    sticky.lastIndex = index;
    return sticky.exec(this.line)?.[0];
  }

  space(index: number): number {
    return index + (this.match(/[ \t\r]*/, index) as string).length;
  }

  expect(pattern: RegExp, index: number): number {
    const found = this.match(pattern, index);
    if (found === undefined) throw new Stop('not_json', index);
    return index + found.length;
  }

  string(index: number, storable: boolean): number {
    const end = this.stringEnd(index);
    const source = this.line.slice(index, end < 0 ? -end : end);
    // A pair, half a pair, or any other escape: the first of these that is a half stops the line.
    const escapes =
      /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\./gsu;
    for (const found of storable ? source.matchAll(escapes) : []) {
      if (found[1] !== undefined) throw new Stop('invalid_unicode', index + found.index);
    }
    if (end < 0) throw new Stop('not_json', -end);
    return end;
  }

  /** Where the string at `index` ends, or minus the index of what cannot stand in it. */
  stringEnd(index: number): number {
    let i = index + 1;
    for (;;) {
      const c = this.line.charAt(i);
      if (c === '"') return i + 1;
      if (c === '' || c < ' ') return -i;
      if (c !== '\\') i++;
      else if (this.match(/["\\/bfnrt]/, i + 1) !== undefined) i += 2;
      else if (this.line.charAt(i + 1) !== 'u') return -(i + 1);
      else {
        const digits = (this.match(/[0-9a-fA-F]{0,4}/, i + 2) as string).length;
        if (digits < 4) return -(i + 2 + digits);
        i += 6;
      }
    }
  }

  number(index: number): number {
    let i = index;
    if (this.line.charAt(i) === '-') i++;
    i = this.expect(/0|[1-9][0-9]*/, i);
    if (this.line.charAt(i) === '.') i = this.expect(/[0-9]+/, i + 1);
    if (/[eE]/.test(this.line.charAt(i))) {
      i++;
      if (/[+-]/.test(this.line.charAt(i))) i++;
      i = this.expect(/[0-9]+/, i);
    }
    return i;
  }

  word(index: number, word: string): number {
    for (let k = 0; k < word.length; k++) {
      if (this.line.charAt(index + k) !== word.charAt(k)) throw new Stop('not_json', index + k);
    }
    return index + word.length;
  }

  value(index: number, depth: number): number {
    const c = this.line.charAt(index);
    if (c === '{' || c === '[') {
      if (depth === this.maxDepth) throw new Stop('too_deep', index);
      return c === '{' ? this.object(index, depth + 1) : this.array(index, depth + 1);
    }
    if (c === '"') return this.string(index, false);
    if (c === 't') return this.word(index, 'true');
    if (c === 'f') return this.word(index, 'false');
    if (c === 'n') return this.word(index, 'null');
    if (/[-0-9]/.test(c)) return this.number(index);
    throw new Stop('not_json', index);
  }

  array(index: number, depth: number): number {
    let i = this.space(index + 1);
    if (this.line.charAt(i) === ']') return i + 1;
    for (;;) {
      i = this.space(this.value(i, depth));
      if (this.line.charAt(i) === ']') return i + 1;
      i = this.space(this.expect(/,/, i));
    }
  }

  object(index: number, depth: number): number {
    return this.members(index, (i) => {
      const colon = this.space(this.string(i, false));
      return this.value(this.space(this.expect(/:/, colon)), depth);
    });
  }

  members(index: number, member: (index: number) => number): number {
    let i = this.space(index + 1);
    if (this.line.charAt(i) === '}') return i + 1;
    for (;;) {
      if (this.line.charAt(i) !== '"') throw new Stop('not_json', i);
      i = this.space(member(i));
      if (this.line.charAt(i) === '}') return i + 1;
      i = this.space(this.expect(/,/, i));
    }
  }

  end(index: number): void {
    const i = this.space(index);
    if (i !== this.line.length) throw new Stop('not_json', i);
  }

  /** The fields of the record that the line is; `check` sees each name as soon as it is complete. */
  record(check: (name: string, index: number) => void): Field[] {
    const start = this.space(0);
    if (this.line.charAt(start) !== '{') {
      this.end(new LineReader(this.line, Number.POSITIVE_INFINITY).value(start, 0));
      throw new Stop('not_object', start);
    }
    const fields: Field[] = [];
    const end = this.members(start, (nameIndex) => {
      const nameEnd = this.string(nameIndex, true);
      const name = JSON.parse(this.line.slice(nameIndex, nameEnd)) as string;
      check(name, nameIndex);
      const begin = this.space(this.expect(/:/, this.space(nameEnd)));
      const isString = this.line.charAt(begin) === '"';
      const stop = isString ? this.string(begin, true) : this.value(begin, 0);
      const source = this.line.slice(begin, stop);
      const value = isString ? (JSON.parse(source) as string) : source === 'null' ? null : source;
      fields.push({ name, nameIndex, value });
      return stop;
    });
    this.end(end);
    return fields;
  }
}

/** Whether a line is JSON by this file's grammar alone; its callers hold that against JSON.parse. */
export function referenceIsJson(line: string): boolean {
  const reader = new LineReader(line, Number.POSITIVE_INFINITY);
  try {
    reader.end(reader.value(reader.space(0), 0));
    return true;
  } catch (error) {
    if (error instanceof Stop) return false;
    throw error;
  }
}

const foldAscii = (name: string): string =>
  [...name].map((c) => (c >= 'A' && c <= 'Z' ? c.toLowerCase() : c)).join('');

/** The line as a string, or the number of whole characters before it stops being UTF-8. */
function decodeLine(bytes: Uint8Array): string | number {
  const fatal = (part: Uint8Array): string =>
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part);
  try {
    return fatal(bytes);
  } catch {
    // The longest prefix that decodes ends before the first byte that is no character's.
    for (let length = bytes.length - 1; length > 0; length--) {
      try {
        return [...fatal(bytes.subarray(0, length))].length;
      } catch {}
    }
    return 0;
  }
}

function splitLines(body: Uint8Array): Uint8Array[] {
  const mark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  const lines: Uint8Array[] = [];
  let start = mark;
  for (let i = mark; i < body.length; i++) {
    if (body[i] !== 10) continue;
    lines.push(body.subarray(start, i));
    start = i + 1;
  }
  if (start < body.length) lines.push(body.subarray(start));
  return lines;
}

/** What parseBatch must make of a body: whole values when all is well, else every first fault of a line. */
export function referenceBatch(body: Uint8Array, limits: ReferenceLimits): ReferenceOutcome {
  const faults: ReferenceFault[] = [];
  const records: { line: number; fields: Field[] }[] = [];
  const columns = new Map<string, { key: string; firstLine: number }>();
  const registered = limits.registered?.map(foldAscii);
  for (const [index, bytes] of splitLines(body).entries()) {
    const line = index + 1;
    const text = decodeLine(bytes);
    if (typeof text === 'number') {
      faults.push({ code: 'invalid_utf8', line, column: text + 1 });
      continue;
    }
    if (/^[ \t\r]*$/.test(text)) continue;
    const names = new Map<string, string>();
    const check = (name: string, at: number): void => {
      const folded = foldAscii(name);
      const bytesLong = new TextEncoder().encode(name).length;
      if (name === '' || name.includes('\0') || bytesLong > 255) {
        throw new Stop('invalid_column_name', at);
      }
      const earlier = names.get(folded);
      if (earlier !== undefined) {
        throw new Stop(earlier === name ? 'duplicate_key' : 'column_case_conflict', at);
      }
      names.set(folded, name);
      if (columns.has(folded)) return;
      if (registered && !registered.includes(folded)) throw new Stop('unknown_column', at);
      if (columns.size >= limits.maxColumns) throw new Stop('too_many_columns', at);
      columns.set(folded, { key: name, firstLine: line });
    };
    try {
      records.push({ line, fields: new LineReader(text, limits.maxDepth).record(check) });
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      const column = [...text.slice(0, error.index)].length + 1;
      faults.push({ code: error.code, line, column });
    }
  }
  if (faults.length > 0) {
    return { ok: false, faults: faults.slice(0, 100), faultCount: faults.length };
  }
  if (records.length === 0) {
    const fault = { code: 'empty_batch', line: null, column: null };
    return { ok: false, faults: [fault], faultCount: 1 };
  }
  return {
    ok: true,
    lines: records.map((record) => record.line),
    columns: [...columns].map(([folded, { key, firstLine }]) => ({
      key,
      firstLine,
      values: records.map(
        ({ fields }) => fields.find((field) => foldAscii(field.name) === folded)?.value ?? null,
      ),
    })),
  };
}
