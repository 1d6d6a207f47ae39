// Holds the parser against a slow reference reading, for bodies that nobody wrote.
// Never says what is right: RFC 8259, JSON.parse and TextDecoder do.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ParseOptions, parseBatch } from '../../../core/ingest/ndjson/parse-batch.ts';
import { agreeOn } from '../../helpers/agree-on-batch.ts';
import { bodyOf } from '../../helpers/read-batch.ts';
import { referenceIsJson } from '../../helpers/reference-json.ts';

const options: fc.Arbitrary<ParseOptions> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        maxDepth: fc.nat(3),
        maxColumns: fc.integer({ min: 1, max: 4 }),
        registered: fc.subarray(['A', 'b', 'temp', 'É', 'k', '__proto__']),
      },
      { requiredKeys: [] },
    ),
  },
);

const PIECES = [
  ...'{}[]:,"\\ \t\r\n-+.0123456789eEtfnu/aAé中😀\u2028\u00a0\ufeff\u0000\u007f',
  ...['true', 'false', 'null', 'True', 'NaN', '1.10', '-0', '1e5', '01', '1E+400', '""', '"x"'],
  ...['"a":', '"A":', '"b":1', ',"b":', '{"a":', '{}', '[]', '[1,2]', '{"k":{"k":[', ']}}'],
  ...[
    '\\n',
    '\\u0000',
    '\\u0061',
    '\\u00e9',
    '\\ud83d\\ude00',
    '\\ud800',
    '\\udc00',
    '\\uD8',
    '\\x',
  ],
  ...['{"a":1}\n', '{"b":"x","a":null}\n', '\r\n', '\n\n', '{"\\u0061":1,"a":2}', '{"a":"\\ud800'],
];

const BYTES = [0x80, 0xbf, 0xc0, 0xc3, 0xa9, 0xe0, 0xed, 0xa0, 0xef, 0xbb, 0xf0, 0xf4, 0x90, 0xff];

const piecesText = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 14 })
  .map((pieces) => pieces.join(''));

const space = fc.constantFrom('', '', '', '', ' ', '\t', ' \r ', '\r');

const stringInside = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom('a', 'Z', ' ', 'é', '中', '😀', '\u2028', '/', '\u007f'),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ...[
            '\\n',
            '\\t',
            '\\b',
            '\\f',
            '\\r',
            '\\"',
            '\\\\',
            '\\/',
            '\\u0041',
            '\\u00e9',
            '\\u07ff',
          ],
          ...[
            '\\u0800',
            '\\u4E2D',
            '\\uffff',
            '\\ufeff',
            '\\ud83d\\ude00',
            '\\uDBFF\\uDFFF',
            '\\u0000',
          ],
        ),
      },
      {
        weight: 1,
        arbitrary: fc
          .string({ unit: 'grapheme', maxLength: 4 })
          .map((s) => JSON.stringify(s).slice(1, -1)),
      },
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));

const string = stringInside.map((inside) => `"${inside}"`);

const number = fc.oneof(
  fc.constantFrom('0', '-0', '-0.0', '1.10', '1E5', '1e+05', '1e400', '12345678901234567890123'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt().map(String),
);

const scalar = fc.oneof(string, number, fc.constantFrom('true', 'false', 'null'));

/** What may stand inside another value, where only the source is kept, but not as a field's string. */
const inside = fc.oneof(
  { weight: 9, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constantFrom('"\\ud800"', '"\\uDFFFx"', '{"a":1,"a":2}', '{"":0}') },
);

const listOf = (open: string, items: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(space, items, space), { maxLength: 3 })
    .map((list) => `${open}${list.map((item) => item.join('')).join(',')}${close}`);

const membersOf = (values: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(string, space, values)
    .map(([name, between, source]) => `${name}${between}:${between}${source}`);

let nested = fc.oneof(listOf('[', inside, ']'), listOf('{', membersOf(inside), '}'));
for (let level = 0; level < 2; level++) {
  const item = fc.oneof({ weight: 3, arbitrary: inside }, { weight: 1, arbitrary: nested });
  nested = fc.oneof(listOf('[', item, ']'), listOf('{', membersOf(item), '}'));
}

const value = fc.oneof({ weight: 3, arbitrary: scalar }, { weight: 1, arbitrary: nested });
const NAMES = [
  'a',
  'b',
  'c',
  'temp',
  'k',
  'é',
  'É',
  '__proto__',
  'constructor',
  'a\\"b',
  '\\u0064',
];
const NEAR_NAMES = [
  ...NAMES,
  'A',
  'B',
  'Temp',
  'TEMP',
  '\\u0061',
  '\\u0041',
  '\\u00e9',
  '\\u0000',
  '',
];

const record = (names: readonly string[], distinct: boolean): fc.Arbitrary<string> => {
  const field = fc.tuple(fc.constantFrom(...names), space, space, value, space);
  const list = distinct
    ? fc.uniqueArray(field, { maxLength: 5, selector: ([name]) => name })
    : fc.array(field, { maxLength: 5 });
  return list.map((fields) => {
    const sources = fields.map(([name, a, b, source, c]) => `${a}"${name}"${b}:${b}${source}${c}`);
    return `{${sources.join(',')}}`;
  });
};

const body = (line: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', '', '', '\ufeff'),
      fc.array(fc.tuple(space, line, space, fc.constantFrom('\n', '\n', '\r\n', '\n \n')), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.boolean(),
    )
    .map(([mark, lines, lastFeed]) => {
      const text = mark + lines.map((parts) => parts.join('')).join('');
      return lastFeed ? text : text.replace(/\r?\n$/, '');
    });

const goodBody = body(record(NAMES, true));

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat(3),
  insert: fc.oneof(
    fc.constantFrom(...PIECES).map((piece) => [...bodyOf(piece)]),
    fc.array(fc.oneof(fc.constantFrom(...BYTES), fc.nat(255)), { maxLength: 2 }),
  ),
});

function mutated(
  bytes: Uint8Array,
  changes: readonly { at: number; remove: number; insert: number[] }[],
) {
  let result: Buffer = Buffer.from(bytes);
  for (const { at, remove, insert } of changes) {
    const index = Math.floor(at * result.length);
    const rest = result.subarray(index + remove);
    result = Buffer.concat([result.subarray(0, index), Buffer.from(insert), rest]);
  }
  return result;
}

describe('the reference', () => {
  const accepts = (line: string): boolean => {
    try {
      JSON.parse(line);
      return true;
    } catch {
      return false;
    }
  };

  test('takes a line for JSON exactly when JSON.parse does', () => {
    const line = fc.oneof(
      piecesText,
      value,
      nested,
      fc.tuple(value, piecesText).map((two) => two.join('')),
    );
    fc.assert(
      fc.property(line, (text) => {
        const oneLine = text.replaceAll('\n', '');
        expect(referenceIsJson(oneLine)).toBe(accepts(oneLine));
      }),
      { numRuns: 4000 },
    );
  });
});

describe('the parser agrees with the reference', () => {
  test('on arbitrary bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .array(
          fc.oneof(fc.constantFrom(...bodyOf('{}[]:,"\\ \t\r\na1')), fc.constantFrom(...BYTES)),
          { maxLength: 30 },
        )
        .map((list) => Uint8Array.from(list)),
    );
    fc.assert(fc.property(bytes, options, agreeOn), { numRuns: 3000 });
  });

  test('on lines of JSON fragments', () => {
    fc.assert(
      fc.property(piecesText, options, (text, some) => agreeOn(bodyOf(text), some)),
      { numRuns: 4000 },
    );
  });

  test('on records whose last value is made of fragments', () => {
    fc.assert(
      fc.property(piecesText, options, (text, some) =>
        agreeOn(bodyOf(`{"a":"x","b":${text}}`), some),
      ),
      { numRuns: 3000 },
    );
  });

  test('on good bodies, which are accepted', () => {
    fc.assert(
      fc.property(goodBody, (text) => {
        expect(parseBatch(bodyOf(text)).ok).toBe(true);
        agreeOn(bodyOf(text), {});
      }),
      { numRuns: 2000 },
    );
  });

  test('on good bodies that are held against limits', () => {
    fc.assert(
      fc.property(goodBody, options, (text, some) => agreeOn(bodyOf(text), some)),
      { numRuns: 1500 },
    );
  });

  test('on records with names that are near each other', () => {
    fc.assert(
      fc.property(body(record(NEAR_NAMES, false)), options, (text, some) =>
        agreeOn(bodyOf(text), some),
      ),
      { numRuns: 2500 },
    );
  });

  test('on good bodies with a few bytes changed', () => {
    fc.assert(
      fc.property(goodBody, fc.array(mutation, { minLength: 1, maxLength: 3 }), (text, changes) =>
        agreeOn(mutated(bodyOf(text), changes), {}),
      ),
      { numRuns: 2500 },
    );
  });

  test('on a body that is a window of a larger buffer', () => {
    fc.assert(
      fc.property(goodBody, fc.nat(9), fc.nat(9), (text, before, after) => {
        const bytes = bodyOf(text);
        const buffer = Buffer.alloc(before + bytes.length + after, '"');
        buffer.set(bytes, before);
        agreeOn(buffer.subarray(before, before + bytes.length), {});
      }),
      { numRuns: 500 },
    );
  });
});
