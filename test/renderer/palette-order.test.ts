// Holds the palette to its order: exact, start, start of a word, within; a stream before a command.

import { describe, expect, it } from 'vitest';
import { ranked, readTyped, scoreOf } from '../../renderer/app/palette-order.ts';

const named = (...labels: string[]) => labels.map((label) => ({ label }));
const groups = [
  { group: 'Streams', actions: named('compressor-room', 'shop-complaints', 'large', 'enlarged') },
  {
    group: 'Commands',
    actions: [...named('Compact all', 'Query large', 'Query enlarged', 'Large font')],
  },
  { group: 'Go to', actions: [{ label: 'Query', keywords: 'SQL over every stream' }] },
  { group: 'Columns', actions: named('large', 'comp') },
];
const shown = (typed: string) =>
  ranked(groups, typed, ['Columns']).map(({ group, actions }) => [
    group,
    ...actions.map(({ label }) => label),
  ]);

describe('the palette', () => {
  it('opens a stream by its name before querying it', () => {
    expect(shown('large')).toEqual([
      ['Streams', 'large', 'enlarged'],
      ['Commands', 'Large font', 'Query large', 'Query enlarged'],
      ['Columns', 'large'],
    ]);
  });

  it('puts a stream before a command that answers as well', () => {
    expect(shown('comp')).toEqual([
      ['Streams', 'compressor-room', 'shop-complaints'],
      ['Commands', 'Compact all'],
      ['Columns', 'comp'],
    ]);
  });

  it('puts a screen of this very name first', () => {
    expect(shown(' QUERY ')).toEqual([
      ['Go to', 'Query'],
      ['Commands', 'Query large', 'Query enlarged'],
    ]);
  });

  it('finds by keywords, last', () => {
    expect(shown('sql every')).toEqual([['Go to', 'Query']]);
    expect(shown('sql')).toEqual([['Go to', 'Query']]);
    // Not by what is within a keyword.
    expect(shown('very')).toEqual([]);
    expect(shown('nothing has this')).toEqual([]);
  });

  it('narrows by its first character', () => {
    expect(readTyped(' #la')).toEqual({ only: 'Streams', words: 'la' });
    expect(readTyped('la#')).toEqual({ only: null, words: 'la#' });
    expect(shown('#')).toEqual([
      ['Streams', 'compressor-room', 'shop-complaints', 'large', 'enlarged'],
    ]);
    expect(shown('>lar')).toEqual([['Commands', 'Large font', 'Query large', 'Query enlarged']]);
    expect(shown('@comp')).toEqual([['Columns', 'comp']]);
    expect(shown(':12')).toEqual([]);
  });

  it('scores by where the words stand', () => {
    const score = (label: string, words: string) => scoreOf({ label }, words);
    expect(score('Prices', 'prices')).toBe(0);
    expect(score('prices-2', 'prices')).toBe(1);
    expect(score('shop-prices', 'prices')).toBe(2);
    expect(score('opera pera', 'pera')).toBe(2);
    expect(score('reprices', 'prices')).toBe(3);
    expect(score('prices', 'x')).toBe(null);
    expect(score('a.b', 'a?b')).toBe(null);
  });

  it('shows eight of a group, and forty of one that is asked for alone', () => {
    const many = [
      { group: 'Streams', actions: named(...Array.from({ length: 60 }, (_, at) => `s${at}`)) },
    ];
    expect(ranked(many, 's')[0]?.actions).toHaveLength(8);
    expect(ranked(many, '#s')[0]?.actions).toHaveLength(40);
  });
});
