// Owns the proof that DuckDB reads from our files exactly what was put in.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Codec,
  openNodeCodec,
  openWasmCodec,
  plainCodec,
} from '../../../core/lake/parquet/codec.ts';
import { encodeBatch } from '../../../core/lake/parquet/encode-batch.ts';
import { inputOf, type TestColumn } from './batch-of.ts';
import { DuckDbReader } from './duckdb-reader.ts';

let duckdb: DuckDbReader;
beforeAll(async () => {
  duckdb = await DuckDbReader.open();
});
afterAll(() => duckdb.close());

const codecs: Codec[] = [plainCodec, openNodeCodec(), await openWasmCodec()].filter(
  (codec) => codec !== null,
);

/** What DuckDB should answer for columns: their values, the batch id, the line. */
function expected(columns: readonly TestColumn[], lines?: readonly number[]): unknown[][] {
  const rows = columns[0]?.values.length ?? 0;
  return Array.from({ length: rows }, (_, row) => [
    ...columns.map((column) => column.values[row]),
    'batch-1',
    BigInt(lines?.[row] ?? row + 1),
  ]);
}

describe.each(codecs.map((codec) => [codec.name, codec] as const))('with %s', (name, codec) => {
  const land = (file: string, ...input: Parameters<typeof inputOf>) =>
    duckdb.save(`${name}-${file}.parquet`, encodeBatch(inputOf(...input), codec));

  it('keeps every value, and tells NULL from an empty string', async () => {
    const columns = [
      { name: 'a', values: ['x', '', null, 'a\0b', '\0', '1.10'] },
      { name: 'b', values: ['😀', 'é', '中文', '𝄞𝄞', '\u{10FFFF}', ' \t\n"\\'] },
      { name: 'c', values: [null, null, null, null, null, null] },
      { name: 'd', values: ['x', null, 'x', null, 'x', null] },
      { name: 'e', values: ['', '', '', '', '', ''] },
    ];
    const path = await land('values', columns);
    expect(await duckdb.content(path)).toEqual(expected(columns));
  });

  it('keeps values of every length around the copying borders', async () => {
    const values = Array.from({ length: 300 }, (_, n) => 'abcdefghij'.repeat(30).slice(0, n));
    const columns = [
      { name: 'up', values },
      { name: 'down', values: values.toReversed() },
    ];
    const path = await land('lengths', columns);
    expect(await duckdb.content(path)).toEqual(expected(columns));
  });

  it('keeps a cell of 900 KB beside short ones', async () => {
    const values = ['short', 'é9'.repeat(300_000), null, 'x'];
    const columns = [{ name: 'long', values }];
    const path = await land('long', columns);
    expect(await duckdb.content(path)).toEqual(expected(columns));
  });

  it('keeps a column of several pages', async () => {
    const values = Array.from({ length: 40_000 }, (_, n) =>
      n % 7 === 0 ? null : `value ${n} ${(n * 2654435761) % 4294967296} of a column of many pages`,
    );
    const columns = [{ name: 'v', values }];
    const path = await land('pages', columns);
    expect(await duckdb.content(path)).toEqual(expected(columns));
  });

  it('keeps 2,000 columns', async () => {
    const columns = Array.from({ length: 2000 }, (_, n) => ({
      name: `column ${n}`,
      values: [`v${n}`, n % 3 === 0 ? null : String(n)],
    }));
    const path = await land('wide', columns);
    expect(await duckdb.content(path)).toEqual(expected(columns));
  });

  it('keeps a batch of 300,000 rows with gaps between its lines', async () => {
    const values = Array.from({ length: 300_000 }, (_, n) => (n % 5 === 0 ? null : ''));
    const lines = values.map((_, n) => 1 + n + Math.floor(n / 1000) * 3);
    const path = await land('tall', [{ name: 'v', values }], { lines });
    const [row] = await duckdb.rows(
      `SELECT count(*), count(v), sum(_line), bool_and(_line = 1 + n + n // 1000 * 3),
         bool_and((v IS NULL) = (n % 5 = 0))
       FROM (SELECT *, file_row_number AS n FROM read_parquet($path, file_row_number=true))`,
      path,
    );
    const sum = lines.reduce((total, line) => total + line, 0);
    expect(row).toEqual([300_000n, 240_000n, BigInt(sum), true, true]);
  });

  it('keeps the batch id and lines of rows without any field', async () => {
    const path = await land('no-columns', [], { rows: 3, lines: [1, 4, 9] });
    expect(await duckdb.content(path)).toEqual([
      ['batch-1', 1n],
      ['batch-1', 4n],
      ['batch-1', 9n],
    ]);
  });
});

describe('the file', () => {
  const columns = [
    { name: 'a', values: ['x', null, 'y'] },
    { name: 'b', values: [null, null, null] },
  ];

  it('has VARCHAR columns, then _batch_id and _line', async () => {
    const path = await duckdb.save('types.parquet', encodeBatch(inputOf(columns), plainCodec));
    expect(await duckdb.types('SELECT * FROM read_parquet($path)', path)).toEqual([
      ['a', 'VARCHAR'],
      ['b', 'VARCHAR'],
      ['_batch_id', 'VARCHAR'],
      ['_line', 'BIGINT'],
    ]);
    const schema = await duckdb.rows(
      `SELECT name, type, repetition_type, num_children, converted_type, logical_type
       FROM parquet_schema($path)`,
      path,
    );
    const text = ['BYTE_ARRAY', 'OPTIONAL', null, 'UTF8', 'StringType()'];
    expect(schema).toEqual([
      ['strata', null, null, 4n, null, null],
      ['a', ...text],
      ['b', ...text],
      ['_batch_id', ...text],
      ['_line', 'INT64', 'OPTIONAL', null, null, null],
    ]);
  });

  it('counts NULLs, and bounds the batch id and the lines', async () => {
    const input = inputOf(columns, { lines: [3, 5, 700], batchId: 'id.7' });
    const path = await duckdb.save('statistics.parquet', encodeBatch(input, plainCodec));
    const rows = await duckdb.rows(
      `SELECT path_in_schema, num_values, stats_null_count, stats_min_value, stats_max_value,
         encodings, compression
       FROM parquet_metadata($path)`,
      path,
    );
    expect(rows).toEqual([
      ['a', 3n, 1n, null, null, 'PLAIN, RLE', 'UNCOMPRESSED'],
      ['b', 3n, 3n, null, null, 'PLAIN, RLE', 'UNCOMPRESSED'],
      ['_batch_id', 3n, 0n, 'id.7', 'id.7', 'PLAIN, RLE, RLE_DICTIONARY', 'UNCOMPRESSED'],
      ['_line', 3n, 0n, '3', '700', 'DELTA_BINARY_PACKED, RLE', 'UNCOMPRESSED'],
    ]);
  });

  it.each([
    ["_batch_id = 'id.7'", 3n],
    ["_batch_id = 'id.8'", 0n],
    ['_line = 5', 1n],
    ['_line > 700', 0n],
    ['_line BETWEEN 4 AND 800', 2n],
    ["a = 'y'", 1n],
    ['a IS NULL', 1n],
    ['b IS NOT NULL', 0n],
  ])('answers a filter by %s', async (filter, count) => {
    const input = inputOf(columns, { lines: [3, 5, 700], batchId: 'id.7' });
    const sql = `SELECT count(*) FROM read_parquet($path) WHERE ${filter}`;
    expect(await duckdb.rowsOf(encodeBatch(input, plainCodec), sql)).toEqual([[count]]);
  });

  it('carries its metadata', async () => {
    const metadata = { stream: 'orders', note: 'Größe 😀', empty: '', sha256: 'f'.repeat(64) };
    const input = inputOf(columns, { metadata });
    const path = await duckdb.save('metadata.parquet', encodeBatch(input, plainCodec));
    const rows = await duckdb.rows(
      'SELECT decode(key), decode(value) FROM parquet_kv_metadata($path)',
      path,
    );
    expect(rows).toEqual(Object.entries(metadata));
    const [written] = await duckdb.rows(
      'SELECT created_by FROM parquet_file_metadata($path)',
      path,
    );
    expect(written).toEqual(['strata version 1']);
  });

  it('keeps odd names of columns', async () => {
    const names = ['a"b', "it's", 'a.b', '__proto__', 'constructor', ' ', '😀', 'n'.repeat(255)];
    names.push('é'.repeat(127), 'select', 'a\nb', '_line_', '_batch_id_', '%', '$1', '?');
    const odd = names.map((name) => ({ name, values: [`value of ${name}`, null] }));
    const path = await duckdb.save('names.parquet', encodeBatch(inputOf(odd), plainCodec));
    const types = await duckdb.types('SELECT * FROM read_parquet($path)', path);
    expect(types.map(([name]) => name)).toEqual([...names, '_batch_id', '_line']);
    expect(await duckdb.content(path)).toEqual(expected(odd));
  });

  it('may have no rows', async () => {
    const input = inputOf([{ name: 'a', values: [] }]);
    const path = await duckdb.save('no-rows.parquet', encodeBatch(input, plainCodec));
    expect(await duckdb.content(path)).toEqual([]);
  });
});

describe('among files of DuckDB', () => {
  it('is read by one glob, with the same types', async () => {
    const ours = [{ name: 'a', values: ['1', null] }];
    const more = [{ name: 'B', values: ['only here'] }];
    await duckdb.save('glob-1.parquet', encodeBatch(inputOf(ours), plainCodec));
    await duckdb.save('glob-2.parquet', encodeBatch(inputOf(more), plainCodec));
    await duckdb.rows(
      `COPY (SELECT 'x' AS c, 'y' AS a, 'theirs' AS _batch_id, 7::BIGINT AS _line)
       TO $path (FORMAT parquet, COMPRESSION zstd)`,
      duckdb.path('glob-3.parquet'),
    );
    const sql = `SELECT a, b, c, _batch_id, _line
      FROM read_parquet($path, union_by_name=true, filename=true, hive_partitioning=false)`;
    const glob = duckdb.path('glob-*.parquet');
    expect(await duckdb.rows(`${sql} ORDER BY filename, _line`, glob)).toEqual([
      ['1', null, null, 'batch-1', 1n],
      [null, null, null, 'batch-1', 2n],
      [null, 'only here', null, 'batch-1', 1n],
      ['y', null, 'x', 'theirs', 7n],
    ]);
    const types = await duckdb.types(sql, glob);
    expect(types.map(([, type]) => type)).toEqual([
      'VARCHAR',
      'VARCHAR',
      'VARCHAR',
      'VARCHAR',
      'BIGINT',
    ]);
  });
});

describe('compression', () => {
  const values = Array.from({ length: 5000 }, (_, n) => `a value that repeats, number ${n % 10}`);
  const compressions = async (path: string) => {
    const sql = `SELECT compression, total_compressed_size < total_uncompressed_size
      FROM parquet_metadata($path)`;
    return duckdb.rows(sql, path);
  };

  it('is a choice of each chunk', async () => {
    const columns = [
      { name: 'long', values },
      { name: 'short', values: values.map(() => null) },
    ];
    for (const codec of codecs.filter((each) => each.name !== 'plain')) {
      const bytes = encodeBatch(inputOf(columns), codec);
      const path = await duckdb.save(`choice-${codec.name}.parquet`, bytes);
      expect(await compressions(path)).toEqual([
        ['ZSTD', true],
        ['UNCOMPRESSED', false],
        ['UNCOMPRESSED', false],
        ['UNCOMPRESSED', false],
      ]);
    }
  });

  it('is left out where it makes a chunk no smaller, also after several pages', async () => {
    const useless: Codec = { name: 'zstd', worthwhileBytes: 0, compress: (bytes) => bytes.slice() };
    const columns = [{ name: 'v', values: Array.from({ length: 9 }, () => values).flat() }];
    const path = await duckdb.save('useless.parquet', encodeBatch(inputOf(columns), useless));
    expect((await compressions(path)).map(([codec]) => codec)).toEqual(
      Array(3).fill('UNCOMPRESSED'),
    );
    expect(await duckdb.content(path)).toEqual(expected(columns));
  });
});

describe('what cannot be encoded', () => {
  const input = inputOf([{ name: 'a', values: ['x', 'y'] }]);

  it('is a batch with more columns than names', () => {
    expect(() => encodeBatch({ ...input, names: [] }, plainCodec)).toThrow(RangeError);
  });

  it('is a batch with fewer lines or spans than rows', () => {
    const batch = { ...input.batch, lines: new Int32Array(1) };
    expect(() => encodeBatch({ ...input, batch }, plainCodec)).toThrow(RangeError);
    const more = { ...input.batch, rows: 3, lines: new Int32Array(3) };
    expect(() => encodeBatch({ ...input, batch: more }, plainCodec)).toThrow(RangeError);
  });

  it.each([
    [0, 1_000_000],
    [5, 4],
  ])('is a span from %i to %i', (start, end) => {
    const spans = Int32Array.of(0, 1, start, end);
    const batch = { ...input.batch, columns: [{ key: 'a', firstLine: 1, spans }] };
    expect(() => encodeBatch({ ...input, batch }, plainCodec)).toThrow(RangeError);
  });

  it('leaves nothing behind for the next batch', async () => {
    const path = await duckdb.save('after.parquet', encodeBatch(input, plainCodec));
    expect(await duckdb.content(path)).toEqual([
      ['x', 'batch-1', 1n],
      ['y', 'batch-1', 2n],
    ]);
  });

  it('gives bytes that the next call does not touch', () => {
    const first = encodeBatch(input, plainCodec);
    const copy = first.slice();
    encodeBatch(inputOf([{ name: 'other', values: ['z', 'z', 'z'] }]), plainCodec);
    expect(first).toEqual(copy);
  });
});
