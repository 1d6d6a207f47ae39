// A compacted stream whose ledger, or a file, is lost: rebuilt from the folder, or named.

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listRuns } from '../../../core/engine/compaction/history.ts';
import { repair } from '../../../core/engine/repair.ts';
import { verify } from '../../../core/engine/verify.ts';
import type { Core } from '../../../core/index.ts';
import { openDuckdb, readRows } from '../../../core/lake/duckdb.ts';
import { landSome, newLanded, pathsOf } from '../../helpers/compacted.ts';
import {
  compact,
  expectAll,
  filesIn,
  openCompacted,
  parts,
  undo,
} from '../../helpers/compacting.ts';
import { land } from '../../helpers/core.ts';
import { removeTempFolders } from '../../helpers/server.ts';

afterAll(removeTempFolders);

describe('without the ledger', () => {
  /** What a rebuild cannot know: when a file landed, to the ms, and who counted replays. */
  const essence = (core: Core) =>
    [...parts(core).ledger.batches.each('s')]
      .map(
        ({
          batchId,
          file,
          landedFile,
          rowInFile,
          rows,
          sha256,
          sender,
          bodyBytes,
          receivedAt,
          sizeBytes,
        }) => ({
          ...{
            batchId,
            file,
            landedFile,
            rowInFile,
            rows,
            sha256,
            sender,
            bodyBytes,
            receivedAt,
            sizeBytes,
          },
        }),
      )
      .sort((one, other) => (one.batchId < other.batchId ? -1 : 1));

  it('a compacted stream is rebuilt from its files: batches, replays, columns, runs, undo', async () => {
    const landed = newLanded();
    const first = await openCompacted(landed, 6);
    const run = await compact(first.core);
    await landSome(first.core, landed, 2);
    const before = essence(first.core);
    const columns = parts(first.core).ledger.columns.list('s');
    await first.core.close();
    for (const end of ['', '-wal', '-shm'])
      rmSync(join(landed.root, `ledger.sqlite${end}`), { force: true });
    const { core } = await openCompacted(landed);
    expect(essence(core)).toEqual(before);
    expect(
      parts(core)
        .ledger.columns.list('s')
        .map(({ source, landed: column }) => [source, column]),
    ).toEqual(columns.map(({ source, landed: column }) => [source, column]));
    await expectAll(core, landed);
    await landSome(core, { ...landed, rows: [], batches: 0 }, 8);
    expect(parts(core).ledger.streams.get('s')).toMatchObject({ landed: 8, replayed: 8, files: 3 });
    const { ledger, stream } = parts(core);
    expect(listRuns(ledger, stream, 10)).toEqual([{ ...run, undoable: true }]);
    await undo(core);
    await expectAll(core, landed);
    expect(parts(core).ledger.streams.get('s')).toMatchObject({ landed: 8, files: 8 });
  });

  it('repair finds the same, twice', async () => {
    const landed = newLanded();
    const { core } = await openCompacted(landed, 6);
    await compact(core);
    const before = essence(core);
    await core.close();
    for (let time = 0; time < 2; time += 1) {
      expect(repair(landed.root)).toEqual({
        ...{ recorded: 6, setAside: [], missing: [], swept: 0, broken: [], damagedLedger: null },
      });
    }
    const again = await openCompacted(landed);
    expect(essence(again.core)).toEqual(before);
    await expectAll(again.core, landed);
  });

  it('a copy of an original, put back by hand, is set aside; a lost file is named', async () => {
    const landed = newLanded();
    const { core } = await openCompacted(landed, 4);
    const { run } = await compact(core);
    await core.close();
    const at = (...names: string[]) => join(landed.root, 'strata', 'streams', 's', ...names);
    writeFileSync(
      at('data', 'b-0001.parquet'),
      readFileSync(at('processed', run, 'b-0001.parquet')),
    );
    const again = await openCompacted(landed);
    expect(filesIn(landed, 'failed')).toEqual(['b-0001.parquet', 'b-0001.parquet.txt']);
    expect(readFileSync(at('failed', 'b-0001.parquet.txt'), 'utf8')).toBe(
      `It holds the batch b-0001, which is in c~${run}-1.parquet already.\n`,
    );
    await expectAll(again.core, landed);
    await again.core.close();
    // With the compacted file gone, its originals are the only ones; put back by hand they count again.
    rmSync(at('data', `c~${run}-1.parquet`));
    for (const name of readdirSync(at('processed', run)))
      renameSync(at('processed', run, name), at('data', name));
    const last = await openCompacted(landed);
    await expectAll(last.core, landed);
    expect(parts(last.core).ledger.streams.get('s')?.files).toBe(4);
  });

  it('a lost compacted file is what verify and recovery name', async () => {
    const landed = newLanded();
    const { core } = await openCompacted(landed, 4);
    const { run } = await compact(core);
    const file = `c~${run}-1.parquet`;
    rmSync(join(pathsOf(landed).stream('s').data, file));
    const proof = await verify(parts(core).knowledgebase);
    expect([proof.holds, proof.streams[0]?.differences[0]]).toEqual([
      false,
      `${file} is recorded with 4 batches, but is not in data/.`,
    ]);
    await core.close();
    const again = await openCompacted(landed);
    expect(parts(again.core).knowledgebase.recovery?.missing).toEqual([`s/${file}`]);
  });
});

it.each([
  ['is gone', (file: string) => rmSync(file)],
  ['is damaged', (file: string) => writeFileSync(file, 'not DuckDB at all')],
] as const)(
  'a kb.duckdb that %s while Strata runs has every view again after a swap',
  async (_, spoil) => {
    const { core, landed } = await openCompacted(undefined, 3);
    await land(core, 'other', '{"a":"1"}\n', 'x');
    const { knowledgebase } = parts(core);
    await knowledgebase.views.settled(15_000);
    spoil(pathsOf(landed).duckdb);
    await compact(core);
    expect(await knowledgebase.views.settled(15_000)).toBe(true);
    const duckdb = await openDuckdb(pathsOf(landed).duckdb);
    const views = await readRows(
      duckdb.connection,
      "SELECT view_name FROM duckdb_views() WHERE schema_name = 'raw_extracted' ORDER BY 1",
    );
    duckdb.close();
    expect(views).toEqual([['stream_other'], ['stream_s']]);
  },
);
