// Owns how tests look at a parsed batch: as plain strings, every byte decoded fatally.
// Never repairs anything: a span that is not UTF-8 throws.

import type { ParsedBatch, ParseOutcome } from '../../core/model.ts';
import type { ReferenceColumn } from './reference-json.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A body from its text. */
export const bodyOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The batch of an outcome that must be one. */
export function batchOf(outcome: ParseOutcome): ParsedBatch {
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.faults)}`);
  return outcome.batch;
}

/** The columns of a batch with their values as strings, NULL as null. */
export function columnsOf(batch: ParsedBatch): ReferenceColumn[] {
  return batch.columns.map(({ key, firstLine, spans }) => {
    if (spans.length !== batch.rows * 2) throw new Error(`${spans.length} integers in spans`);
    const values = Array.from({ length: batch.rows }, (_, row) => {
      const start = spans[row * 2] as number;
      if (start === -1) return null;
      return decoder.decode(batch.text.subarray(start, spans[row * 2 + 1]));
    });
    return { key, firstLine, values };
  });
}

/** The rows of a batch, each a list of values in the order of its columns. */
export function rowsOf(batch: ParsedBatch): (string | null)[][] {
  const columns = columnsOf(batch);
  return Array.from({ length: batch.rows }, (_, row) =>
    columns.map(({ values }) => values[row] as string | null),
  );
}
