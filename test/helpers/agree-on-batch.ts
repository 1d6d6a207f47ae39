// Owns the comparison of the parser with the reference: everything, for one body.
// Never says which of the two is right.

import assert from 'node:assert/strict';
import { type ParseOptions, parseBatch } from '../../core/ingest/ndjson/parse-batch.ts';
import { columnsOf } from './read-batch.ts';
import { referenceBatch } from './reference-json.ts';

const SENTENCE = /^(Line [0-9]+, column [0-9]+: |The batch has no records: )[^\p{Cc}]{1,200}\.$/u;

/** Parses both ways and compares everything: values, columns and lines, or codes, places and count. */
export function agreeOn(body: Uint8Array, options: ParseOptions): void {
  const before = Buffer.from(body);
  const outcome = parseBatch(body, options);
  assert.ok(before.equals(body));
  const expected = referenceBatch(body, { maxDepth: 64, maxColumns: 2000, ...options });
  if (outcome.ok) {
    const { batch } = outcome;
    assert.equal(batch.rows, batch.lines.length);
    const actual = { ok: true, lines: [...batch.lines], columns: columnsOf(batch) };
    assert.deepEqual(actual, expected);
  } else {
    for (const { message } of outcome.faults) assert.match(message, SENTENCE);
    const faults = outcome.faults.map(({ code, line, column }) => ({ code, line, column }));
    assert.deepEqual({ ...outcome, faults }, expected);
  }
}
