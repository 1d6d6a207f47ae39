// Owns the property that any batch comes back from DuckDB as it was.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Codec,
  openNodeCodec,
  openWasmCodec,
  plainCodec,
} from '../../../core/lake/parquet/codec.ts';
import { encodeBatch } from '../../../core/lake/parquet/encode-batch.ts';
import { readFooterSync } from '../../../core/lake/parquet/read-footer.ts';
import { inputOf } from './batch-of.ts';
import { DuckDbReader } from './duckdb-reader.ts';

let duckdb: DuckDbReader;
beforeAll(async () => {
  duckdb = await DuckDbReader.open();
});
afterAll(() => duckdb.close());

/** Names as a stream lands them: 1 to 255 bytes of UTF-8 without NUL, unique without ASCII case. */
const names = fc.uniqueArray(
  fc
    .oneof(
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
      fc.constantFrom('__proto__', 'constructor', 'toString', 'rowid', 'file_row_number'),
    )
    .filter((name) => !name.includes('\0') && !['_batch_id', '_line'].includes(fold(name))),
  { minLength: 0, maxLength: 6, selector: fold },
);

function fold(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom('', '\0', '😀', '1.10', 'null', 'a\r\nb') },
);
const value = fc.option(text, { freq: 4 });

const batch = fc.tuple(names, fc.integer({ min: 1, max: 60 })).chain(([columnNames, rows]) =>
  fc.record({
    rows: fc.constant(rows),
    columns: fc.tuple(
      ...columnNames.map((name) =>
        fc.record({
          name: fc.constant(name),
          values: fc.oneof(
            { weight: 6, arbitrary: fc.array(value, { minLength: rows, maxLength: rows }) },
            { weight: 1, arbitrary: fc.constant(Array<string | null>(rows).fill(null)) },
          ),
        }),
      ),
    ),
    gaps: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: rows, maxLength: rows }),
    batchId: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/),
    metadata: fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })),
  }),
);

/** Every page is compressed, however small. */
function eager(codec: Codec): Codec {
  return { ...codec, worthwhileBytes: 0 };
}

const codecs: Codec[] = [plainCodec, openNodeCodec(), await openWasmCodec()].filter(
  (codec) => codec !== null,
);

it.each(codecs.map((codec) => [codec.name, codec] as const))(
  'any batch comes back with %s',
  async (name, codec) => {
    let files = 0;
    await fc.assert(
      fc.asyncProperty(batch, async ({ rows, columns, gaps, batchId, metadata }) => {
        let line = 0;
        const lines = gaps.map((gap) => (line += gap));
        const input = inputOf(columns, { rows, lines, batchId, metadata });
        const bytes = encodeBatch(input, name === 'plain' ? codec : eager(codec));
        const expected = lines.map((at, row) => [
          ...columns.map((column) => column.values[row]),
          batchId,
          BigInt(at),
        ]);
        const path = await duckdb.save(`${name}-${++files}.parquet`, bytes);
        expect(await duckdb.content(path)).toEqual(expected);
        expect(readFooterSync(path)).toEqual({
          rows,
          columns: [...columns.map((column) => column.name), '_batch_id', '_line'],
          metadata: new Map(Object.entries(metadata)),
          sizeBytes: bytes.length,
        });
      }),
      { numRuns: 150 },
    );
  },
);
