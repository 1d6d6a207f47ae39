// Owns making parsed batches from plain columns, for the tests of this folder.
// Never parses NDJSON: what a parser gives is only imitated.

import type { EncodeInput } from '../../../core/lake/parquet/encode-batch.ts';

/** A column's landed name, and its value on each row. */
export interface TestColumn {
  readonly name: string;
  readonly values: readonly (string | null)[];
}

/** The input that a parser would give for these columns: values lie scattered in one buffer. */
export function inputOf(
  columns: readonly TestColumn[],
  options: {
    readonly rows?: number;
    readonly lines?: readonly number[];
    readonly batchId?: string;
    readonly metadata?: Readonly<Record<string, string>>;
  } = {},
): EncodeInput {
  const rows = options.rows ?? columns[0]?.values.length ?? 0;
  const parts: Buffer[] = [];
  let at = 0;
  const add = (text: string): number => {
    const bytes = Buffer.from(text, 'utf8');
    parts.push(bytes);
    at += bytes.length;
    return at - bytes.length;
  };
  const parsed = columns.map(({ name, values }) => {
    const spans = new Int32Array(rows * 2);
    values.forEach((value, row) => {
      add('{"filler":"');
      spans[row * 2] = value === null ? -1 : add(value);
      spans[row * 2 + 1] = value === null ? -1 : at;
    });
    return { key: name, firstLine: 1, spans };
  });
  // Not at the start of its memory, as a request's body often is not.
  const memory = Buffer.concat([Buffer.from('before'), ...parts, Buffer.from('after')]);
  return {
    batch: {
      text: new Uint8Array(memory.buffer, memory.byteOffset + 6, at),
      rows,
      lines: Int32Array.from(options.lines ?? Array.from({ length: rows }, (_, row) => row + 1)),
      columns: parsed,
    },
    names: columns.map((column) => column.name),
    batchId: options.batchId ?? 'batch-1',
    metadata: options.metadata ?? {},
  };
}
