// Holds the ways to look at a value to the value: lines of JSON and bytes are the text itself.

import { describe, expect, it } from 'vitest';
import { hexLines } from '../../renderer/ui/hex-lines.ts';
import { jsonLines } from '../../renderer/ui/json-lines.ts';
import { footOf } from '../../renderer/ui/value-words.ts';

const laid = (text: string): string | undefined =>
  jsonLines(text)
    ?.map((line) => line.map((piece) => piece.text).join(''))
    .join('\n');

describe('JSON in lines', () => {
  it('changes white space and nothing else', () => {
    const text = '{"a":1.10,"b":[12345678901234567890123,1E5,{"c d":null}],"e":{},"f":[ ]}';
    expect(laid(text)).toBe(
      [
        '{',
        '  "a": 1.10,',
        '  "b": [',
        '    12345678901234567890123,',
        '    1E5,',
        '    {',
        '      "c d": null',
        '    }',
        '  ],',
        '  "e": {},',
        '  "f": []',
        '}',
      ].join('\n'),
    );
  });

  it('keeps strings as they were written', () => {
    const text = '["a: [b], {c}", "\\"q\\\\\\"", "\\u00e9", "", "  "]';
    expect(laid(text)).toBe(
      ['[', '  "a: [b], {c}",', '  "\\"q\\\\\\"",', '  "\\u00e9",', '  "",', '  "  "', ']'].join(
        '\n',
      ),
    );
  });

  it('tells keys from values', () => {
    const keys = jsonLines('{"a":"b","c":["d"]}')
      ?.flat()
      .filter(({ isKey }) => isKey);
    expect(keys?.map(({ text }) => text)).toEqual(['"a"', '"c"']);
  });

  it('keeps double keys, and stands any depth', () => {
    expect(laid('{"a":1,"a":2}')).toBe('{\n  "a": 1,\n  "a": 2\n}');
    const deep = `${'['.repeat(900)}1${']'.repeat(900)}`;
    expect(laid(deep)?.replaceAll(/\s/g, '')).toBe(deep);
  });

  it('is nothing for what is no object or array', () => {
    for (const text of ['1.10', '"a"', 'null', '{"a":}', '[1,]', '', '{a:1}']) {
      expect(jsonLines(text)).toBe(null);
    }
  });
});

describe('bytes', () => {
  it('are UTF-8, eight a line, with what can be seen', () => {
    expect(hexLines('Probe é\n\t', 100)).toEqual({
      lines: ['0000  50 72 6f 62 65 20 c3 a9  Probe ··', '0008  0a 09                    ··'],
      size: 10,
    });
    expect(hexLines('🦆', 100).lines).toEqual(['0000  f0 9f a6 86              ····']);
  });

  it('are no more than asked for, and counted in all', () => {
    expect(hexLines('abcdefghij', 9)).toEqual({
      lines: ['0000  61 62 63 64 65 66 67 68  abcdefgh', '0008  69                       i'],
      size: 10,
    });
  });
});

describe('the words below a value', () => {
  it('speak of a tint where something is tinted, and only there', () => {
    expect(footOf('text', 'sensor-001')).toBe('');
    expect(footOf('text', '漢字 🌊')).toBe('');
    expect(footOf('text', 'a\tb')).toBe('tinted: what the eye cannot see');
    expect(footOf('text', 'a ')).toBe('tinted: what the eye cannot see');
    expect(footOf('text', 'a\u202eb')).toBe('tinted: what the eye cannot see');
  });

  it('say how much is shown', () => {
    expect(footOf('text', 'a'.repeat(20_000))).toBe('');
    expect(footOf('text', `\t${'a'.repeat(20_000)}`)).toBe(
      'the first 20,000 characters; Copy takes all',
    );
    expect(footOf('bytes', 'é')).toBe('2 bytes of UTF-8');
    expect(footOf('bytes', 'a')).toBe('1 byte of UTF-8');
    expect(footOf('bytes', 'a'.repeat(4_097))).toBe('the first 4,096 of 4,097 bytes of UTF-8');
    expect(footOf('json', '{}')).toBe('laid out in lines; every value as it was sent');
  });
});
