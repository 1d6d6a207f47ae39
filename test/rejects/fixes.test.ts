// Fixes on bytes: exact cases, and for any body: a line that a fix does not concern stays byte for byte, a body whose
// faults are of the fix's kind lands after it, and the changes that are shown lead from the one body to the other.

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseBatch } from '../../core/ingest/ndjson/parse-batch.ts';
import type { Fix, Mend } from '../../core/model.ts';
import { changesOf } from '../../core/rejects/changes.ts';
import { sourcesOf } from '../../core/rejects/diff.ts';
import { lineAt, lineStarts, sourceOf } from '../../core/rejects/lines.ts';
import { type MendLimits, mendBody } from '../../core/rejects/mend.ts';

const ANY: MendLimits = { registered: null, maxBytes: 1_048_576 };
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const textOf = (body: Uint8Array): string => Buffer.from(body).toString('latin1');
const mended = (text: string, mend: Mend, limits = ANY): string =>
  textOf(mendBody(bytesOf(text), mend, limits).bytes);
const linesOf = (body: Uint8Array): string[] => {
  const starts = lineStarts(body);
  return Array.from(starts, (_, at) => textOf(lineAt(body, starts, at + 1)));
};

describe('exactly', () => {
  test.each<[string, Fix, string, string]>([
    [
      'the first of three',
      { kind: 'drop-field', field: 'x' },
      '{ "x":1 , "b": 2.50}',
      '{ "b": 2.50}',
    ],
    [
      'the middle',
      { kind: 'drop-field', field: 'x' },
      '{"a":1, "x" : [1,{"x":2}] ,\t"b":2}',
      '{"a":1, "b":2}',
    ],
    ['the last', { kind: 'drop-field', field: 'x' }, '{"a":1 , "x":{}  } ', '{"a":1  } '],
    ['the only one', { kind: 'drop-field', field: 'x' }, '{ "x":1 }', '{  }'],
    ['every one of its name', { kind: 'drop-field', field: 'x' }, '{"x":1,"a":0,"x":2}', '{"a":0}'],
    ['by its text', { kind: 'drop-field', field: 'x"' }, '{"\\u0078\\"":1,"a":0}', '{"a":0}'],
    ['not in another case', { kind: 'drop-field', field: 'X' }, '{"x":1,"x":0}', '{"x":1,"x":0}'],
    [
      'the last stays',
      { kind: 'keep-duplicate', keep: 'last' },
      '{"a":1,"b":0,"A":1.0}',
      '{"b":0,"A":1.0}',
    ],
    [
      'the first stays',
      { kind: 'keep-duplicate', keep: 'first' },
      '{"a":1,"b":0,"A":2,"a":3}',
      '{"a":1,"b":0}',
    ],
    [
      'a name',
      { kind: 'rename-field', field: 'a', to: 'b"\n' },
      '{"a" : 1,"c":2,"c":3}',
      '{"b\\"\\n" : 1,"c":2,"c":3}',
    ],
    ['two objects', { kind: 'split-objects' }, '{"a":1}{"b": 2}', '{"a":1}\n{"b": 2}'],
    ['with commas', { kind: 'split-objects' }, ' {"a":1} , {"b":2},{} \r', '{"a":1}\n{"b":2}\n{}'],
    ['an array', { kind: 'split-objects' }, '[{"a":[{}]},\t{"b":2}]', '{"a":[{}]}\n{"b":2}'],
    ['an array of one', { kind: 'split-objects' }, '[{"a":1}]', '{"a":1}'],
    [
      'not what else stands there',
      { kind: 'split-objects' },
      '{"a":1} 2 {"b":2}',
      '{"a":1} 2 {"b":2}',
    ],
    ['not an open array', { kind: 'split-objects' }, '[{"a":1},{"b":2}', '[{"a":1},{"b":2}'],
    [
      'bytes',
      { kind: 'replace-invalid-utf8' },
      '{"a":"\xc3\xa9\xff\xc3"}',
      '{"a":"\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd"}',
    ],
    [
      'halves',
      { kind: 'replace-lone-surrogates' },
      '{"a":"\\ud83d\\ude00\\ud83d\\\\ude00"}',
      '{"a":"\\ud83d\\ude00\\ufffd\\\\ude00"}',
    ],
    [
      'not what is escaped',
      { kind: 'replace-lone-surrogates' },
      '{"a":"\\\\ud83d","b":"\\uDC00"}',
      '{"a":"\\\\ud83d","b":"\\ufffd"}',
    ],
    ['lines', { kind: 'drop-lines' }, '{"a":1}\r\nx\n\n{"a":2}\ny', '{"a":1}\r\n\n{"a":2}\n'],
    ['the last, cut', { kind: 'drop-cut-line' }, '{"a":1}\n{"a":"x', '{"a":1}\n'],
    ['the last, cut in a character', { kind: 'drop-cut-line' }, '{"a":1}\n{"a":"\xc3', '{"a":1}\n'],
    ['with blank lines after it', { kind: 'drop-cut-line' }, '{"a":1}\n{"a"\n \n', '{"a":1}\n \n'],
    ['not another fault', { kind: 'drop-cut-line' }, '{"a":1}\n{"a":1}}', '{"a":1}\n{"a":1}}'],
    ['not another line', { kind: 'drop-cut-line' }, '{"a":\n{"a":1}\n', '{"a":\n{"a":1}\n'],
  ])('%s: %o', (_, fix, before, after) => {
    const limits = { ...ANY, registered: ['a', 'b', 'c'] };
    expect(mended(before, { fixes: [fix] }, limits)).toBe(after);
  });

  it('a byte order mark stays', () => {
    const mark = '\xef\xbb\xbf';
    const fixes: Fix[] = [{ kind: 'drop-field', field: 'x' }];
    expect(mended(`${mark}{"x":1,"a":2,"a":3}\n`, { fixes })).toBe(`${mark}{"a":2,"a":3}\n`);
  });

  it('edits by hand come first, by the lines that came; several fixes follow each other', () => {
    const mend: Mend = {
      edits: [
        { line: 1, text: null },
        { line: 3, text: '{"a":"é"}\n{"b":1}{"b":2}' },
      ],
      fixes: [{ kind: 'split-objects' }, { kind: 'drop-lines' }],
    };
    const body = bytesOf('one\n{"a":1}\nthree\n{"a":4}\nfive\n');
    const { bytes, sources } = mendBody(body, mend, ANY);
    expect(Buffer.from(bytes).toString()).toBe('{"a":1}\n{"a":"é"}\n{"b":1}\n{"b":2}\n{"a":4}\n');
    expect([...(sources ?? [])]).toEqual([2, 3, 3, 3, 4]);
  });

  it('a registered column makes its lines good, in the body as it is', () => {
    const registered = { ...ANY, registered: ['a'] };
    const text = '{"a":1,"B":2}\n{"c":1}\n';
    const fixes: Fix[] = [{ kind: 'register-column', column: 'B' }, { kind: 'drop-lines' }];
    const result = mendBody(bytesOf(text), { fixes }, registered);
    expect([textOf(result.bytes), result.registers]).toEqual(['{"a":1,"B":2}\n', ['B']]);
    const known: Fix[] = [{ kind: 'register-column', column: 'A' }];
    expect(mendBody(bytesOf(text), { fixes: known }, registered).registers).toEqual([]);
    expect(mendBody(bytesOf(text), { fixes }, ANY).registers).toEqual([]);
  });

  it('says what cannot be', () => {
    expect(() => mended('{}', { edits: [{ line: 2, text: 'x' }] })).toThrow(
      'There is no line 2; the body has 1.',
    );
    expect(() => mended('{"a":1}', { fixes: [{ kind: 'unpack' }] })).toThrow('not packed');
    expect(() => mended('{}', { body: { text: 'x'.repeat(9) } }, { ...ANY, maxBytes: 8 })).toThrow(
      'over 8 bytes',
    );
  });
});

/** Lines by what is wrong with them; a fix for each kind. */
const KINDS = {
  good: ['{"a":1}', '{"b":"x","a":null}', '', ' ', '{"c":[{"a":1}]}\r', '{"a":"\xc3\xa9"}'],
  broken: ['{"a":', 'x', '{"a":1}}', "{'a':1}", '{"a":01}', '[1]', '"s"', '{"a":1,}'],
  objects: ['{"a":1}{"b":2}', '[{"a":1},{"a":2}]', '{"a":1} , {"a":2}'],
  twice: ['{"a":1,"a":2}', '{"a":1,"b":2,"A":3}', '{"b":1,"b":2,"b":3}'],
  bytes: ['{"a":"\xff"}', '{"b":"\xc3"}', '{"\x80a":"\xed\xa0\x80"}'],
  halves: ['{"a":"\\ud800"}', '{"b":"x\\udc00\\ud800"}'],
  foreign: ['{"z":1}', '{"a":1,"z":{"z":1},"b":2}', '{"z":1,"z":2}'],
} as const;

const FIXES: readonly (readonly [Fix, readonly (keyof typeof KINDS)[]])[] = [
  [{ kind: 'drop-lines' }, ['broken', 'objects', 'twice', 'bytes', 'halves', 'foreign']],
  [{ kind: 'split-objects' }, ['objects']],
  [{ kind: 'keep-duplicate', keep: 'first' }, ['twice']],
  [{ kind: 'keep-duplicate', keep: 'last' }, ['twice']],
  [{ kind: 'replace-invalid-utf8' }, ['bytes']],
  [{ kind: 'replace-lone-surrogates' }, ['halves']],
  [{ kind: 'drop-field', field: 'z' }, ['foreign']],
];
const REGISTERED: MendLimits = { ...ANY, registered: ['a', 'b', 'c', '\ufffda'] };

const lines = (kinds: readonly (keyof typeof KINDS)[]) =>
  fc.array(fc.constantFrom(...kinds.flatMap((kind) => [...KINDS[kind]])), { maxLength: 12 });
const anyLine = fc.oneof(
  fc.constantFrom(...Object.values(KINDS).flat()),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => textOf(bytes).replaceAll('\n', ' ')),
);
const anyBody = fc
  .tuple(fc.array(anyLine, { maxLength: 14 }), fc.boolean())
  .map(([all, ended]) => all.join('\n') + (ended ? '\n' : ''));
const badLinesOf = (body: Uint8Array): Set<number> => {
  const badLines: number[] = [];
  parseBatch(body, { badLines, registered: REGISTERED.registered as string[] });
  return new Set(badLines);
};
const anyFix = fc.constantFrom<Fix>(
  ...FIXES.map(([fix]) => fix),
  { kind: 'drop-cut-line' },
  { kind: 'rename-field', field: 'z', to: 'b' },
  { kind: 'rename-field', field: 'a', to: '\u2028"' },
);

describe('for any body', () => {
  it('a line without a fault stays as it is, where it is', () => {
    fc.assert(
      fc.property(anyBody, fc.array(anyFix, { minLength: 1, maxLength: 3 }), (text, fixes) => {
        const body = bytesOf(text);
        const bad = badLinesOf(body);
        const { bytes, sources } = mendBody(body, { fixes }, REGISTERED);
        const before = linesOf(body);
        const after = linesOf(bytes);
        expect(sources?.length ?? before.length).toBe(after.length);
        const kept = after
          .map((line, at) => [sourceOf(sources, at + 1), line] as const)
          .filter(([source]) => !bad.has(source));
        const good = before
          .map((line, at) => [at + 1, line] as const)
          .filter(([line]) => !bad.has(line));
        expect(kept).toEqual(good);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(FIXES)('%o mends every fault of its kind', (fix, kinds) => {
    fc.assert(
      fc.property(lines(['good', ...kinds]), (all) => {
        const body = bytesOf(all.join('\n'));
        const result = mendBody(body, { fixes: [fix] }, REGISTERED).bytes;
        expect([...badLinesOf(result)]).toEqual([]);
        // What was good stays good: nothing else was changed, so nothing is lost.
        if (badLinesOf(body).size === 0) expect(textOf(result)).toBe(textOf(body));
      }),
      { numRuns: 500 },
    );
  });

  it('the same fix again changes nothing', () => {
    fc.assert(
      fc.property(anyBody, anyFix, (text, fix) => {
        const once = mendBody(bytesOf(text), { fixes: [fix] }, REGISTERED).bytes;
        // It drops one line; the one before it, now the last, may be cut short too.
        if (fix.kind === 'drop-cut-line' && once.length < text.length) return;
        expect(textOf(mendBody(once, { fixes: [fix] }, REGISTERED).bytes)).toBe(textOf(once));
      }),
      { numRuns: 1_000 },
    );
  });
});

/** The body that the changes make of another. */
const applied = (
  before: readonly string[],
  changes: ReturnType<typeof changesOf>['changes'],
): string[] => {
  const result: string[] = [];
  let line = 1;
  for (const change of changes) {
    while (line < change.line) result.push(before[line++ - 1] as string);
    expect(change.before.map(({ text }) => text)).toEqual(
      before.slice(line - 1, line - 1 + change.before.length),
    );
    expect(change.newLine).toBe(result.length + 1);
    result.push(...change.after.map(({ text }) => text));
    line += change.before.length;
  }
  return [...result, ...before.slice(line - 1)];
};

const plain = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 });

describe('the difference of two bodies', () => {
  it('leads from the one to the other', () => {
    fc.assert(
      fc.property(plain, plain, (before, after) => {
        const one = bytesOf(before.map((line) => `${line}\n`).join(''));
        const other = bytesOf(after.map((line) => `${line}\n`).join(''));
        const sources = sourcesOf(one, other);
        expect([...sources]).toEqual([...sources].sort((x, y) => x - y));
        const { changes } = changesOf(one, { bytes: other, sources });
        expect(applied(before, changes)).toEqual(after);
      }),
      { numRuns: 3_000 },
    );
  });

  it('finds lines that stayed, however many others went or came', () => {
    const numbers = Array.from({ length: 2_000 }, (_, at) => `line ${at}`);
    const one = bytesOf(numbers.join('\n'));
    const kept = numbers.flatMap((line, at) =>
      at % 10 === 3 ? [] : at % 10 === 7 ? [line, 'new'] : [line],
    );
    const sources = sourcesOf(one, bytesOf(kept.join('\n')));
    for (const [at, line] of kept.entries()) {
      if (line !== 'new') expect(numbers[(sources[at] as number) - 1]).toBe(line);
    }
  });

  it('of bodies that have nothing in common is one change', () => {
    const one = bytesOf(Array.from({ length: 5_000 }, (_, at) => `a${at}`).join('\n'));
    const other = bytesOf(Array.from({ length: 6_000 }, (_, at) => `b${at}`).join('\n'));
    const sources = sourcesOf(one, other);
    expect([sources[0], sources[4_999], sources[5_999]]).toEqual([1, 5_000, 5_000]);
    const { changeCount, linesAdded, linesRemoved } = changesOf(one, { bytes: other, sources });
    expect([changeCount, linesAdded, linesRemoved]).toEqual([1, 6_000, 5_000]);
  });
});

describe('a body of more lines than a map can have entries', () => {
  const LINES = 2 ** 24 + 100;
  const few = bytesOf('x\n{"a":1}\n');
  const many = new Uint8Array(2 * LINES).map((_, at) => (at % 2 === 0 ? 0x78 : 0x0a));

  it('is mended, and its changes are counted', () => {
    const body = new Uint8Array(few.length + many.length);
    body.set(few);
    body.set(many, few.length);
    const mended = mendBody(body, { fixes: [{ kind: 'drop-lines' }] }, ANY);
    expect([textOf(mended.bytes), [...(mended.sources ?? [])]]).toEqual(['{"a":1}\n', [2]]);
    const { changes, ...counts } = changesOf(body, mended);
    expect(counts).toEqual({
      ...{ changeCount: 2, linesAdded: 0, linesRemoved: LINES + 1 },
      ...{ linesLost: LINES + 1, linesChanged: LINES + 1 },
    });
    expect(changes.map(({ line, before }) => [line, before.length])).toEqual([
      [1, 1],
      [3, 100],
    ]);
  }, 120_000);
});
