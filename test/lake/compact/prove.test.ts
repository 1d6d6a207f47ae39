// The proof of a merge: equal files pass; one row, value, null, name, line or place that differs is found and named.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, it } from 'vitest';
import type { AppError } from '../../../core/errors.ts';
import { runToEnd } from '../../../core/lake/apart/lake.ts';
import type { ManifestBatch } from '../../../core/lake/compact/manifest.ts';
import { mergeFiles } from '../../../core/lake/compact/merge.ts';
import { proveMerge } from '../../../core/lake/compact/prove.ts';
import type { MergeFile } from '../../../core/lake/compact/source.ts';
import type { StepProgress } from '../../../core/lake/compact/watch.ts';
import { describeFile } from '../../../core/lake/land.ts';
import { removeTempFolders, tempFolder } from '../../helpers/server.ts';

afterAll(removeTempFolders);

const AT = '2026-07-12T14:02:11.204Z';
const never = new AbortController().signal;
const COLUMNS = ['a', 'first', '_place', 'file_row_number', 'r', 'p'];
type Values = Readonly<Record<string, string | null>>;

const sqlOf = (value: string | null): string => (value === null ? 'NULL' : `'${value}'`);

const run = async (sql: string): Promise<unknown[][]> => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql)).getRows();
  connection.closeSync();
  instance.closeSync();
  return rows;
};

interface Input extends MergeFile {
  readonly batches: readonly ManifestBatch[];
}

/** Writes a batch as a file of its own, with only the columns that it has. */
const write = async (folder: string, batchId: string, rows: readonly Values[]): Promise<Input> => {
  const path = join(folder, `${batchId}.parquet`);
  const names = [...new Set(rows.flatMap(Object.keys))];
  const selects = rows.map((row, at) => {
    const values = names.map((name) => `${sqlOf(row[name] ?? null)}::VARCHAR AS "${name}", `);
    return `SELECT ${values.join('')}'${batchId}' AS _batch_id, ${at + 1}::BIGINT AS _line`;
  });
  await run(`COPY (${selects.join(' UNION ALL ')}) TO '${path}' (FORMAT parquet)`);
  const batch = {
    ...{ batchId, sha256: 'a'.repeat(64), bodyBytes: 100, rows: rows.length, receivedAt: AT },
    ...{ landedAt: AT, sender: null, landedFile: `${batchId}.parquet`, sizeBytes: 700 },
    ...{ repairs: null, part: null, records: null },
  };
  return { path, sizeBytes: 700, rows: rows.length, batchCount: 1, batches: [batch] };
};

const BATCHES: readonly (readonly [string, readonly Values[]])[] = [
  ['z', [{ a: '1.10' }, { a: null }, { a: '' }, { a: '1.10' }]],
  [
    'a',
    [
      { first: 'x', r: 'r' },
      { first: 'y', p: 'p' },
    ],
  ],
  ['m', [{ _place: '1', file_row_number: '2' }]],
];

const expectForward = (told: readonly StepProgress[]): void => {
  const shares = told.map(({ share }) => share);
  expect(shares).toEqual([...shares].sort((one, other) => one - other));
};

/** Inputs as the tasks take them. */
const listed = (inputs: readonly Input[]) => ({
  files: inputs,
  batches: inputs.flatMap(({ batches }) => batches),
});

/** Three batches and their merged file. */
const merged = async () => {
  const folder = tempFolder();
  const inputs: Input[] = [];
  for (const [batchId, rows] of BATCHES) inputs.push(await write(folder, batchId, rows));
  const target = join(folder, 'in', 'made.parquet');
  const columns = COLUMNS.map((name) => ({
    source: name,
    landed: name,
    firstSeenAt: AT,
    firstBatchId: null,
  }));
  const facts = { knowledgebase: 'k', stream: 's', run: 'r', columns };
  const told: StepProgress[] = [];
  const merge = { ...listed(inputs), facts, target, work: join(folder, 'work') };
  const size = await runToEnd(mergeFiles(merge, never), (progress) => told.push(progress));
  return { folder, inputs, target, facts, told, size };
};

type Merged = Awaited<ReturnType<typeof merged>>;

/** What the proof says of another file in the place of the merged one. */
const proofOf = async ({ folder, inputs }: Merged, made: string): Promise<unknown> => {
  const comparison = { ...listed(inputs), columns: COLUMNS, made, spill: join(folder, 'spill') };
  return runToEnd(proveMerge(comparison, never)).then(
    () => 'it holds',
    (error: AppError) => [error.code, error.message, error.details.batch_id],
  );
};

/** A file with the merged file's rows, changed. */
const changed = async ({ folder, target }: Merged, sql: string): Promise<string> => {
  mkdirSync(join(folder, 'other'), { recursive: true });
  const path = join(folder, 'other', 'made.parquet');
  await run(
    `COPY (${sql.replaceAll('MADE', `read_parquet('${target}')`)}) TO '${path}' (FORMAT parquet)`,
  );
  return path;
};

describe('a merged file', () => {
  it('has every row in order, every column, and its manifest', async () => {
    const one = await merged();
    const rows = await run(`SELECT *, _line::INTEGER AS line FROM read_parquet('${one.target}')`);
    const expected = BATCHES.flatMap(([batchId, list]) =>
      list.map((row, at) => [
        ...COLUMNS.map((name) => row[name] ?? null),
        batchId,
        BigInt(at + 1),
        at + 1,
      ]),
    );
    expect(rows).toEqual(expected);
    const described = describeFile(one.target);
    const { batches } = listed(one.inputs);
    expect(described.compacted).toEqual({ ...one.facts, batches });
    expect([described.facts, described.rows, described.sizeBytes]).toEqual([null, 7, one.size]);
    expect(one.told.at(-1)).toEqual({ files: 3, share: 1, isWriting: false });
  });

  it('is proved', async () => {
    const one = await merged();
    expect(await proofOf(one, one.target)).toBe('it holds');
  });

  const values = (batch: string) => [
    'compaction_differs',
    `Values of the batch ${batch} differ in the merged file. Every file is as it was.`,
    batch,
  ];
  it.each<[string, string, unknown]>([
    ['a null is the empty text', "SELECT * REPLACE (coalesce(a, '') AS a) FROM MADE", values('z')],
    [
      'a value is another',
      "SELECT * REPLACE (replace(a, '1.10', '1.1') AS a) FROM MADE",
      values('z'),
    ],
    ['two columns changed places', 'SELECT * REPLACE (r AS p, p AS r) FROM MADE', values('a')],
    ['a line is another', 'SELECT * REPLACE (greatest(_line, 2) AS _line) FROM MADE', values('z')],
    [
      'two rows of a batch changed places',
      "SELECT * FROM MADE ORDER BY array_position(['z', 'a', 'm'], _batch_id), CASE _line WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE _line END",
      values('z'),
    ],
    ['two batches changed places', 'SELECT * FROM MADE ORDER BY _batch_id, _line', values('z')],
    [
      'a row is missing',
      "SELECT * FROM MADE WHERE NOT (_batch_id = 'a' AND _line = 2)",
      [
        'compaction_differs',
        'The batch a has 1 row in the merged file, 2 in its own. Every file is as it was.',
        'a',
      ],
    ],
    [
      'a row is there twice',
      "SELECT * FROM MADE UNION ALL SELECT * FROM MADE WHERE _batch_id = 'm'",
      [
        'compaction_differs',
        'The batch m has 2 rows in the merged file, 1 in its own. Every file is as it was.',
        'm',
      ],
    ],
    [
      'a batch is missing',
      "SELECT * FROM MADE WHERE _batch_id <> 'm'",
      [
        'compaction_differs',
        'The merged file has 2 batches instead of 3. Every file is as it was.',
        null,
      ],
    ],
  ])('is not proved where %s', async (_, sql, expected) => {
    const one = await merged();
    expect(await proofOf(one, await changed(one, sql))).toEqual(expected);
  });

  it('is not proved where an original has changed since', async () => {
    const one = await merged();
    await write(one.folder, 'a', [
      { first: 'x', r: 'r' },
      { first: 'Y', p: 'p' },
    ]);
    expect(await proofOf(one, one.target)).toEqual(values('a'));
    await write(one.folder, 'a', [{ first: 'x', r: 'r' }]);
    expect(await proofOf(one, one.target)).toEqual([
      'compaction_differs',
      'The batch a has 1 row in its file, the ledger says 2. Every file is as it was.',
      'a',
    ]);
  });

  it('of many portions is in order too, and cancelling leaves it', async () => {
    const folder = tempFolder();
    const inputs: Input[] = [];
    for (let at = 0; at < 6; at += 1) {
      const input = await write(folder, `b${at}`, [{ a: String(at) }, { a: `${at}x` }]);
      // As large as a portion may be, each.
      const [batch] = input.batches;
      inputs.push({
        ...input,
        batches: [{ ...(batch as NonNullable<typeof batch>), bodyBytes: 60_000_000 }],
      });
    }
    const target = join(folder, 'in', 'made.parquet');
    const columns = [{ source: 'a', landed: 'a', firstSeenAt: AT, firstBatchId: null }];
    const facts = { knowledgebase: 'k', stream: 's', run: 'r', columns };
    const merge = { ...listed(inputs), facts, target, work: join(folder, 'work') };
    const merging: StepProgress[] = [];
    await runToEnd(mergeFiles(merge, never), (progress) => merging.push(progress));
    // Reading it all is half of it: then the merged file is written.
    for (const read of [1, 2, 3, 4, 5, 6]) {
      expect(merging).toContainEqual({ files: read, share: read / 12, isWriting: read === 6 });
    }
    // It never goes back from writing to merging.
    expect(merging.at(-1)).toEqual({ files: 6, share: 1, isWriting: true });
    expectForward(merging);
    expect((await run(`SELECT a FROM read_parquet('${target}')`)).flat()).toEqual(
      [0, 1, 2, 3, 4, 5].flatMap((at) => [String(at), `${at}x`]),
    );
    const spill = join(folder, 'spill');
    const comparison = { ...listed(inputs), columns: ['a'], made: target, spill };
    const proving: StepProgress[] = [];
    await runToEnd(proveMerge(comparison, never), (progress) => proving.push(progress));
    expect(proving).toContainEqual({ files: 0, share: 1 / 2, isWriting: false });
    expect(proving.at(-1)).toEqual({ files: 6, share: 1, isWriting: false });
    expectForward(proving);

    const abort = new AbortController();
    const other = { ...merge, target: join(folder, 'in', 'other.parquet') };
    const cancelled = runToEnd(mergeFiles(other, abort.signal), () => abort.abort());
    await expect(cancelled).rejects.toThrow(/abort/i);
  });
});
