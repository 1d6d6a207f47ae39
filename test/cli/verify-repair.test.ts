// `strata verify` names every difference between what was promised and what is there; `repair` mends what can be.

import { copyFileSync, cpSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Proof, Repair } from '../../core/model.ts';
import { removeTempFolders, strata, strataJson, tempFolder } from '../helpers/server.ts';

const home = tempFolder();
const backup = tempFolder();
const files = tempFolder();
const inputs = ['1', '2', '3'].map((n) => join(files, `${n}.ndjson`));

beforeAll(async () => {
  for (const [at, path] of inputs.entries()) writeFileSync(path, `{"n":"${at}"}\n{"n":"x"}\n`);
  await strataJson(home, ['kb', 'create', 'lab']);
  await strataJson(home, ['land', 'lab', 'readings', ...inputs]);
  await strata(home, ['land', 'lab', 'readings', '-'], { stdin: 'bad\n' });
  cpSync(home, backup, { recursive: true });
});
afterAll(removeTempFolders);

const stream = join(home, 'lab', 'strata', 'streams', 'readings');
const data = join(stream, 'data');
const failed = join(stream, 'failed');
const path = (name: string): string => join(home, 'lab', name);

/** The first landed file's name. */
let first: string;

// Three landed files of two rows and a reject, whole again, to be damaged.
beforeEach(() => {
  rmSync(join(home, 'lab'), { recursive: true });
  cpSync(backup, home, { recursive: true });
  first = readdirSync(data).sort()[0] as string;
});

/** Runs verify, which must fail, and returns the differences of the stream. */
const differencesOf = async (): Promise<readonly string[]> => {
  const { code, stdout, stderr } = await strata(home, ['verify', 'lab', '--json']);
  const proof = JSON.parse(stdout) as Proof;
  const { differences } = proof.streams[0] ?? { differences: [] };
  expect([code, proof.holds, proof.differences]).toEqual([1, false, []]);
  const count = `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`;
  expect(stderr).toBe(
    `strata: lab does not hold: ${count}. Run: strata repair KB, then verify again.\n`,
  );
  return differences;
};

const repair = (): Promise<Repair> => strataJson(home, ['repair', 'lab']);

/** What the stream comes to after a repair, once verify passes. */
const rowsAfter = async (): Promise<number | null | undefined> => {
  const proof = await strataJson<Proof>(home, ['verify', 'lab']);
  expect(proof.holds).toBe(true);
  return proof.streams[0]?.viewRows;
};

describe('a landed file', () => {
  test('that is gone is named, its rows are missed, and landing the file again brings them back', async () => {
    rmSync(join(data, first));
    expect(await differencesOf()).toEqual([
      `${first} is recorded with 2 rows, but is not in data/.`,
      '6 rows were acknowledged, the view has 4: 2 are missing.',
    ]);
    await repair();
    await strataJson(home, ['land', 'lab', 'readings', ...inputs]);
    expect(await rowsAfter()).toBe(6);
  });

  test('that is gone is said to people too', async () => {
    rmSync(join(data, first));
    const plain = await strata(home, ['verify', 'lab']);
    expect(plain.code).toBe(1);
    expect(plain.stdout.split('\n')).toEqual([
      '✗ readings',
      '    received 4 = landed 3 + rejected 1 + replayed 0 + refused 0',
      '    6 rows acknowledged in 3 files, 4 in the view',
      `    ✗ ${first} is recorded with 2 rows, but is not in data/.`,
      '    ✗ 6 rows were acknowledged, the view has 4: 2 are missing.',
      '',
    ]);
  });

  test('that is gone is named by repair, which cannot bring it back', async () => {
    rmSync(join(data, first));
    expect(await repair()).toMatchObject({ recorded: 2, missing: [`readings/${first}`] });
  });

  test('that is cut short is set aside, so that the others can be read', async () => {
    truncateSync(join(data, first), 100);
    const [file, view, ...more] = await differencesOf();
    expect(file).toBe(`${first}: it is not whole: It does not end with PAR1.`);
    expect(view).toMatch(/^The view cannot be counted: /);
    expect(more).toEqual([]);
    expect(await repair()).toMatchObject({ recorded: 2, setAside: [`readings/${first}`] });
    expect(readdirSync(failed)).toContain(first);
    expect(readdirSync(data)).not.toContain(first);
    expect(await rowsAfter()).toBe(4);
  });

  test('that was copied counts its rows twice, until the copy is set aside', async () => {
    copyFileSync(join(data, first), join(data, 'zz-copy.parquet'));
    expect(await differencesOf()).toEqual([
      'zz-copy.parquet is in data/, but not recorded.',
      '6 rows were acknowledged, the view has 8: 2 are too many.',
    ]);
    expect(await repair()).toMatchObject({ recorded: 3, setAside: ['readings/zz-copy.parquet'] });
    expect(await rowsAfter()).toBe(6);
  });

  test('keeps its place against a copy whose name comes first', async () => {
    copyFileSync(join(data, first), join(data, 'a-copy.parquet'));
    expect(await repair()).toMatchObject({ recorded: 3, setAside: ['readings/a-copy.parquet'] });
  });
});

test('a Parquet file that Strata did not land is set aside', async () => {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT 1 AS n) TO '${join(data, 'foreign.parquet')}' (FORMAT parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  expect(await differencesOf()).toEqual([
    'foreign.parquet is in data/, but not recorded.',
    '6 rows were acknowledged, the view has 7: 1 is too many.',
  ]);
  expect(await repair()).toMatchObject({ recorded: 3, setAside: ['readings/foreign.parquet'] });
  expect(readdirSync(failed)).toContain('foreign.parquet');
  expect(await rowsAfter()).toBe(6);
});

test('a reject whose reason is gone is named, and forgotten by repair', async () => {
  const reason = readdirSync(failed).find((name) => name.endsWith('.err')) as string;
  rmSync(join(failed, reason));
  expect(await differencesOf()).toEqual([
    `The reject ${reason.slice(0, -4)} is recorded, but its reason is not in failed/.`,
  ]);
  await repair();
  expect(await rowsAfter()).toBe(6);
});

test('a ledger that is damaged is said, kept, and made again; nothing is counted twice', async () => {
  for (const end of ['-wal', '-shm']) rmSync(path(`ledger.sqlite${end}`), { force: true });
  writeFileSync(path('ledger.sqlite'), 'this was a ledger once, and long enough to look like one');
  const { code, stdout, stderr } = await strata(home, ['verify', 'lab']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    `strata: The ledger is damaged: ${path('ledger.sqlite')}. Rebuild it from the folder with: strata repair KB.\n`,
  );
  const { damagedLedger, recorded } = await repair();
  expect(recorded).toBe(3);
  expect(damagedLedger).toMatch(/ledger\.sqlite\.damaged-\d+$/);
  expect(await rowsAfter()).toBe(6);
  const { landings } = await strataJson<{ landings: { replayed: boolean }[] }>(home, [
    ...['land', 'lab', 'readings', ...inputs],
  ]);
  expect(landings.map(({ replayed }) => replayed)).toEqual([true, true, true]);
});

test('kb.duckdb that is damaged, or gone, changes no promise and is made again', async () => {
  writeFileSync(path('kb.duckdb'), 'this was a database once');
  expect(await rowsAfter()).toBe(6);
  await repair();
  expect(
    readdirSync(join(home, 'lab')).some((name) => /^kb\.duckdb\.damaged-\d+$/.test(name)),
  ).toBe(true);
  rmSync(path('kb.duckdb'));
  await repair();
  const sql = 'SELECT count(*) FROM kb.raw_extracted.stream_readings';
  expect(await strataJson(home, ['query', 'lab', sql])).toMatchObject({ rows: [['6']] });
});

describe('a knowledgebase that was moved', () => {
  let moved: string;
  const sql = 'SELECT count(*) FROM raw_extracted.stream_readings';

  // The first one stays where it was: a view that still named it would answer from there.
  beforeEach(() => {
    moved = tempFolder();
    cpSync(backup, moved, { recursive: true });
  });

  test('reads its own folder once it was written to', async () => {
    const landed = await strata(moved, ['land', 'lab', 'readings', '-'], {
      stdin: '{"n":"new"}\n',
    });
    expect(landed.code).toBe(0);
    expect(await strataJson(moved, ['query', 'lab', sql])).toMatchObject({ rows: [['7']] });
    expect(await strataJson(moved, ['verify', 'lab'])).toMatchObject({ holds: true });
  });

  test('can be read before anything has written to it', async () => {
    expect(await strataJson(moved, ['query', 'lab', sql])).toMatchObject({ rows: [['6']] });
    expect(await strataJson(moved, ['verify', 'lab'])).toMatchObject({ holds: true });
  });
});
