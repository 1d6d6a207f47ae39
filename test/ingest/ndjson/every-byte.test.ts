// Holds the parser against the reference with every byte at every kind of place.
// Never chooses at random.

import { expect, test } from 'vitest';
import { parseBatch } from '../../../core/ingest/ndjson/parse-batch.ts';
import { agreeOn } from '../../helpers/agree-on-batch.ts';
import { batchOf } from '../../helpers/read-batch.ts';

/** A tilde is where the byte goes. */
const PLACES = [
  ['the start of a line', '~'],
  ['before a record', '~{"a":1}'],
  ['after a record', '{"a":1}~'],
  ['an empty record', '{~}'],
  ['before a name', '{"a":1,~"b":2}'],
  ['inside a name', '{"a~":1}'],
  ['after a name', '{"a"~:1}'],
  ['instead of a colon', '{"a"~1}'],
  ['instead of a value', '{"a":~}'],
  ['before a value', '{"a":~1}'],
  ['after a value', '{"a":"x"~}'],
  ['instead of a comma', '{"a":"x"~"b":1}'],
  ['inside a string', '{"a":"x~y"}'],
  ['after a backslash', '{"a":"\\~0041"}'],
  ['after a backslash in a name', '{"\\~0041":1}'],
  ['after a backslash within', '{"a":["\\~0041"]}'],
  ['the first hexadecimal digit', '{"a":"\\u~041"}'],
  ['the last hexadecimal digit', '{"a":"\\u004~"}'],
  ['in a low half', '{"a":"\\ud83d\\u~e00"}'],
  ['after a high half', '{"a":"\\ud83d~ude00"}'],
  ['after a minus sign', '{"a":-~}'],
  ['after a zero', '{"a":0~}'],
  ['after a zero, before a digit', '{"a":0~5}'],
  ['after a digit, before a digit', '{"a":1~5}'],
  ['after a dot', '{"a":1.~}'],
  ['after a fraction', '{"a":1.5~5}'],
  ['after an e', '{"a":1e~}'],
  ['after an e, before a digit', '{"a":1E~5}'],
  ['after an exponent', '{"a":1e+5~}'],
  ['in true', '{"a":t~ue}'],
  ['in false', '{"a":fals~}'],
  ['in null', '{"a":nu~l}'],
  ['after null', '{"a":null~}'],
  ['an empty array', '{"a":[~]}'],
  ['after an item', '{"a":[1~]}'],
  ['between items', '{"a":[1~2]}'],
  ['after a comma', '{"a":[1,~]}'],
  ['an empty object within', '{"a":{~}}'],
  ['a colon within', '{"a":{"b"~1}}'],
  ['after a member', '{"a":{"b":1~}}'],
  ['between members', '{"a":{"b":1~"c":2}}'],
  ['inside a string within', '{"a":["x~"]}'],
  ['the end of an array', '{"a":[[]~}'],
  ['the end of an object', '{"a":{"b":{}~}'],
] as const;

test.each(PLACES)('%s: %s', (_, place) => {
  const at = place.indexOf('~');
  // A last line feed and none, and a good line before that has the same names.
  for (const [before, after] of [
    ['', ''],
    ['{"a":"x","b":2}\n', '\n'],
  ]) {
    const body = Buffer.from(`${before}${place}${after}`);
    for (let byte = 0; byte < 256; byte++) {
      body[(before as string).length + at] = byte;
      agreeOn(body, {});
    }
  }
});

test('every pair of ASCII characters as two names of a record', () => {
  const printable = Array.from({ length: 95 }, (_, i) =>
    JSON.stringify(String.fromCharCode(i + 32)),
  );
  for (const first of printable) {
    for (const second of printable) agreeOn(Buffer.from(`{${first}:1,${second}:2}`), {});
  }
});

test('every letter of A to Z is one column in both cases', () => {
  const upper = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
  const text = upper.map((letter) => `{"${letter}":1}\n{"${letter.toLowerCase()}":2}\n`).join('');
  expect(batchOf(parseBatch(Buffer.from(text))).columns.map(({ key }) => key)).toEqual(upper);
});
