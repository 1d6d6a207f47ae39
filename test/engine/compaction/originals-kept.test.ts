// Originals are the last copy where a file that was made of them is gone or damaged: they stay, and an undo takes them.

import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listRuns } from '../../../core/engine/compaction/history.ts';
import { removeOriginals } from '../../../core/engine/compaction/originals.ts';
import { openPolicy } from '../../../core/engine/compaction/policy.ts';
import { readStreamSettings, writeSettings } from '../../../core/knowledgebase/settings.ts';
import { landSome, newLanded } from '../../helpers/compacted.ts';
import {
  compact,
  expectAll,
  filesIn,
  openCompacted,
  parts,
  undo,
} from '../../helpers/compacting.ts';
import { codeOf, type TestCore } from '../../helpers/core.ts';
import { removeTempFolders } from '../../helpers/server.ts';

afterAll(removeTempFolders);

const keepNothing = (core: TestCore): void => {
  const { settings } = parts(core).stream.paths;
  const now = readStreamSettings(settings);
  writeSettings(settings, { ...now, compaction: { ...now.compaction, retention_days: 0 } });
};

const HARM = {
  gone: (path: string) => rmSync(path),
  damaged: (path: string) => truncateSync(path, 200),
};

describe.each(['gone', 'damaged'] as const)('a merged file that is %s', (harm) => {
  it('keeps its originals when they are due, which is said once, and an undo brings them back', async () => {
    const landed = newLanded();
    const { core } = await openCompacted(landed, 6);
    const before = filesIn(landed, 'data');
    const { run } = await compact(core);
    const made = `c~${run}-1.parquet`;
    HARM[harm](join(parts(core).stream.paths.data, made));
    const { knowledgebase, stream, ledger } = parts(core);

    expect(await codeOf(removeOriginals(knowledgebase, stream, run))).toBe('compaction_differs');
    keepNothing(core);
    const policy = openPolicy(core);
    await policy.tick();
    await policy.tick();
    await policy.close();
    await removeOriginals(knowledgebase, stream);
    expect(filesIn(landed, 'processed', run)).toEqual(before);
    const said = ledger.events.list(100).filter(({ kind }) => kind === 'originals-kept');
    expect(said).toMatchObject([{ level: 'error', stream: 's' }]);
    expect(said[0]?.message).toContain(made);

    await undo(core);
    await expectAll(core, landed);
    expect(filesIn(landed, 'data')).toEqual(before);
    expect(filesIn(landed, 'processed')).toEqual([]);
    expect(filesIn(landed, '_tmp')).toEqual([]);
    expect(filesIn(landed, 'failed')).toEqual(harm === 'gone' ? [] : [made, `${made}.txt`]);
    expect(listRuns(ledger, stream, 1)).toMatchObject([{ run, state: 'undone', undoable: false }]);
    await compact(core);
    await expectAll(core, landed);
  });

  it('of a later run keeps those of the run that it merged, too', async () => {
    const landed = newLanded();
    const { core } = await openCompacted(landed, 3);
    const one = await compact(core);
    await landSome(core, landed, 5);
    const two = await compact(core);
    const { knowledgebase, stream } = parts(core);
    const path = join(stream.paths.data, `c~${two.run}-1.parquet`);
    const whole = readFileSync(path);
    HARM[harm](path);
    keepNothing(core);
    expect((await removeOriginals(knowledgebase, stream)).runs).toHaveLength(2);
    expect(await codeOf(removeOriginals(knowledgebase, stream, one.run))).toBe(
      'compaction_differs',
    );
    writeFileSync(path, whole);
    expect((await removeOriginals(knowledgebase, stream)).runs).toEqual([]);
    await expectAll(core, landed);
  });
});

it('what a rebuilt ledger has lost with a merged file comes back with an undo', async () => {
  const landed = newLanded();
  const { core } = await openCompacted(landed, 6);
  const { run } = await compact(core);
  rmSync(join(parts(core).stream.paths.data, `c~${run}-1.parquet`));
  await core.repair('k');
  expect(parts(core).ledger.batches.sums('s')).toEqual({ batches: 0, rows: 0 });
  await undo(core);
  await core.knowledgebase('k').views.settled(15_000);
  await expectAll(core, landed);
});

it('originals that are damaged take no place of a merged file that is gone', async () => {
  const landed = newLanded();
  const { core } = await openCompacted(landed, 6);
  const { run } = await compact(core);
  const { stream } = parts(core);
  rmSync(join(stream.paths.data, `c~${run}-1.parquet`));
  truncateSync(join(stream.paths.processed, run, 'b-0001.parquet'), 100);
  expect(await codeOf(undo(core))).toBe('compaction_differs');
  expect(filesIn(landed, 'processed')).toEqual([run, `${run}.json`]);
});
