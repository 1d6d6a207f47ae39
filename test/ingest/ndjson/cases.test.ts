// Holds the parser against the odd bodies that are part of the design.
// Never opens a listener: cases that HTTP decides are left to its tests.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseBatch } from '../../../core/ingest/ndjson/parse-batch.ts';
import { batchOf, rowsOf } from '../../helpers/read-batch.ts';

interface Repeat {
  readonly repeat: string;
  readonly times: number;
}
type Part = Repeat | { readonly text: string } | { readonly base64: string };
interface Case {
  readonly name: string;
  readonly body: readonly Part[];
  readonly prior_body?: readonly Part[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly code?: string;
  readonly line?: number;
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly (string | null | Repeat)[])[];
}

const file = new URL('../../fixtures/ingest-cases.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };

function bytesOf(parts: readonly Part[]): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      if ('text' in part) return Buffer.from(part.text);
      if ('base64' in part) return Buffer.from(part.base64, 'base64');
      return Buffer.from(part.repeat.repeat(part.times));
    }),
  );
}

const cell = (value: string | null | Repeat): string | null =>
  value !== null && typeof value === 'object' ? value.repeat.repeat(value.times) : value;

/** The name a column has before the view's own names are put aside. */
const asSent = (name: string): string => (name === 'filename_' ? 'filename' : name);

const decidedByHttp = (one: Case): boolean =>
  one.headers !== undefined || one.status === 413 || one.status === 415;

const decided = cases.filter((one) => !decidedByHttp(one));

test('the fixture has the cases this file counts on', () => {
  expect(cases.length).toBe(63);
  expect(decided.length).toBe(54);
});

describe('a body that lands', () => {
  test.each(decided.filter((one) => one.status === 200))('$name', (one) => {
    expect(parseBatch(bytesOf(one.body)).ok).toBe(true);
    // A stream gives its batches one after the other, which is what one longer body does.
    const outcome = parseBatch(bytesOf([...(one.prior_body ?? []), ...one.body]));
    const batch = batchOf(outcome);
    expect(batch.columns.map(({ key }) => key)).toEqual(one.columns?.map(asSent));
    if (one.rows !== undefined) expect(rowsOf(batch)).toEqual(one.rows.map((row) => row.map(cell)));
  });
});

describe('a body that is refused', () => {
  const refused = decided.filter((one) => one.status === 400 && one.code !== 'no_columns');
  test.each(refused)('$name', (one) => {
    const outcome = parseBatch(bytesOf(one.body));
    const first = outcome.ok ? null : outcome.faults[0];
    expect({ code: first?.code, line: first?.line }).toEqual({
      code: one.code,
      line: one.line ?? null,
    });
  });
});

test('only empty objects: rows without columns, for the caller to decide', () => {
  const one = decided.find(({ code }) => code === 'no_columns') as Case;
  const { text: _, ...batch } = batchOf(parseBatch(bytesOf(one.body)));
  expect(batch).toEqual({ rows: 2, lines: Int32Array.of(1, 2), columns: [] });
});
