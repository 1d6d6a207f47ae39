// Owns the proof that footers of whole files are read rightly, whoever wrote them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCodec, plainCodec } from '../../../core/lake/parquet/codec.ts';
import { encodeBatch } from '../../../core/lake/parquet/encode-batch.ts';
import { readFooter, readFooterSync } from '../../../core/lake/parquet/read-footer.ts';
import { inputOf } from './batch-of.ts';
import { DuckDbReader } from './duckdb-reader.ts';

let duckdb: DuckDbReader;
beforeAll(async () => {
  duckdb = await DuckDbReader.open();
});
afterAll(() => duckdb.close());

/** Reads a footer both ways. */
async function read(path: string) {
  const footer = await readFooter(path);
  expect(readFooterSync(path)).toEqual(footer);
  return footer;
}

describe('of our files', () => {
  it('says rows, columns, metadata and size', async () => {
    const columns = [
      { name: 'a', values: ['1', null] },
      { name: 'Größe', values: [null, null] },
    ];
    const metadata = { batch_id: 'b-1', rows: '2', note: 'ä😀' };
    const bytes = encodeBatch(inputOf(columns, { metadata }), plainCodec);
    const footer = await read(await duckdb.save('small.parquet', bytes));
    expect(footer).toEqual({
      rows: 2,
      columns: ['a', 'Größe', '_batch_id', '_line'],
      metadata: new Map(Object.entries(metadata)),
      sizeBytes: bytes.length,
    });
  });

  it.each([
    ['without rows', 0, 1],
    ['with one row', 1, 1],
    ['without columns', 3, 0],
    ['with 2,000 columns, whose footer is longer than one read', 2, 2000],
    ['with 20,000 rows, longer than one read', 20_000, 2],
  ])('%s', async (title, rows, width) => {
    const columns = Array.from({ length: width }, (_, c) => ({
      name: `c${c}`,
      values: Array.from({ length: rows }, (_, row) => `${c} ${row}`),
    }));
    const bytes = encodeBatch(inputOf(columns, { rows }), await openCodec());
    const footer = await read(await duckdb.save(`${title}.parquet`, bytes));
    expect(footer.rows).toBe(rows);
    expect(footer.columns).toEqual([...columns.map(({ name }) => name), '_batch_id', '_line']);
    expect(footer.sizeBytes).toBe(bytes.length);
  });
});

describe('of files of DuckDB', () => {
  const flat = "SELECT i AS id, 'v' || i AS v, i % 3 = 0 AS b, i / 7 AS f FROM range(10000) t(i)";
  const nested = `SELECT {'a': i, 'b': [i, NULL]} AS s, MAP {'k': i} AS m, [[i]] AS l
    FROM range(100) t(i)`;
  const many = `SELECT ${Array.from({ length: 600 }, (_, n) => `${n} AS c${n}`).join()}`;
  const types = `SELECT 1::TINYINT a, 2::UBIGINT b, 3.5::DECIMAL(9,2) c, DATE '2024-01-01' d,
    now() e, uuid() f, 'x'::BLOB g, INTERVAL 1 DAY h, 1::HUGEINT i, TIME '12:00' j, NULL k,
    'a'::ENUM('a', 'b') l, '{}'::JSON m`;

  it.each([
    ['plain', flat, 'COMPRESSION uncompressed'],
    ['snappy', flat, 'COMPRESSION snappy'],
    ['zstd', flat, 'COMPRESSION zstd'],
    ['gzip', flat, 'COMPRESSION gzip'],
    ['lz4', flat, 'COMPRESSION lz4_raw'],
    ['version 2', flat, 'PARQUET_VERSION v2'],
    ['several row groups', flat, 'ROW_GROUP_SIZE 2048'],
    ['metadata', flat, "KV_METADATA {batches: '[1,2]', note: 'ä😀', empty: ''}"],
    ['field ids', flat, "FIELD_IDS 'auto'"],
    ['no rows', `${flat} LIMIT 0`, 'COMPRESSION zstd'],
    ['nested columns', nested, 'COMPRESSION zstd'],
    ['many columns', many, 'COMPRESSION zstd'],
    ['many types', types, 'COMPRESSION zstd'],
  ])('%s', async (title, query, option) => {
    const path = duckdb.path(`duckdb ${title}.parquet`);
    await duckdb.rows(`COPY (${query}) TO $path (FORMAT parquet, ${option})`, path);
    const footer = await read(path);

    const file = 'SELECT num_rows, file_size_bytes FROM parquet_file_metadata($path)';
    expect([[BigInt(footer.rows), BigInt(footer.sizeBytes)]]).toEqual(
      await duckdb.rows(file, path),
    );
    const leaves = 'SELECT name FROM parquet_schema($path) WHERE type IS NOT NULL';
    expect(footer.columns.map((name) => [name])).toEqual(await duckdb.rows(leaves, path));
    const pairs = 'SELECT decode(key), decode(value) FROM parquet_kv_metadata($path)';
    expect([...footer.metadata]).toEqual(await duckdb.rows(pairs, path));
  });
});

describe('where there is no file', () => {
  it('the error of the file system comes through', async () => {
    const path = duckdb.path('nothing.parquet');
    await expect(readFooter(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(() => readFooterSync(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  it('a folder is not Parquet', async () => {
    await expect(readFooter(duckdb.folder)).rejects.toMatchObject({
      name: 'NotParquetError',
      reason: 'not_a_file',
    });
  });
});
