// `strata compact`: the dry run, the run, the undo, for people and as JSON, and what wrong use gets.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeWriterLock } from '../../core/knowledgebase/writer-lock.ts';
import type { CompactionPlan, CompactionRun, Proof } from '../../core/model.ts';
import { landSome, newLanded, pathsOf } from '../helpers/compacted.ts';
import { openTestCore } from '../helpers/core.ts';
import { DOOR, removeTempFolders, strata, strataJson } from '../helpers/server.ts';

const landed = newLanded();
const { home } = landed;

beforeAll(async () => {
  const core = openTestCore({ home });
  core.createKnowledgebase('k');
  await landSome(core, landed, 6);
  await core.knowledgebase('k').views.settled(15_000);
  await core.close();
});
afterAll(removeTempFolders);

describe.sequential('strata compact', () => {
  it('--dry-run says files, bytes and gain, and changes nothing', async () => {
    const { code, stdout, stderr } = await strata(home, ['compact', 'k', 's', '--dry-run']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^6 files would become 1\.\n {4}files {2}6 → 1\n {4}bytes {2}[\d.]+ kB → about [\d.]+ k?B\n {4}rows {3}13\n {4}group-by [\d.]+ m?s → about [\d.]+ m?s\n {4}count {4}[\d.]+ m?s → about [\d.]+ m?s\n {4}batch {4}[\d.]+ m?s → about [\d.]+ m?s\nMeasured on 6 of the files, then scaled\.\nIt takes at most 470 MB of memory\. Nothing was changed\.\n$/,
    );
    const plan = await strataJson<CompactionPlan>(home, ['compact', 'k', 's', '--dry-run']);
    expect([plan.merged.files, plan.into, plan.now.files, plan.gain?.sampledFiles]).toEqual([
      6, 1, 6, 6,
    ]);
  });

  it('merges, and says what became of what', async () => {
    const { code, stdout } = await strata(home, ['compact', 'k', 's']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^6 files became 1: 13 rows, [\d.]+ kB became [\d.]+ kB\. The swap held kb\.duckdb for \d+ ms\. Run \d{8}-\d{6}-[0-9a-f]{6}\.\n$/,
    );
    const nothing = await strata(home, ['compact', 'k', 's']);
    expect([nothing.code, nothing.stdout, nothing.stderr]).toEqual([
      1,
      '',
      'strata: There is nothing to compact. Compaction pays from two loose files on; a dry run says what waits.\n',
    ]);
    const dry = await strata(home, ['compact', 'k', 's', '--dry-run']);
    expect([dry.code, dry.stdout]).toEqual([0, 'There is nothing to compact.\n']);
  });

  it('undo brings the originals back, --json prints the run and nothing else', async () => {
    const undone = await strataJson<CompactionRun & { undoHeldMs: number }>(home, [
      'compact',
      'undo',
      'k',
      's',
    ]);
    expect(undone).toMatchObject({
      state: 'undone',
      filesBefore: 6,
      undoHeldMs: expect.any(Number),
    });
    const { code, stderr } = await strata(home, ['compact', 'undo', 'k', 's']);
    expect([code, stderr]).toEqual([
      1,
      'strata: s has no compaction that can be undone. A run can be undone while its originals are kept and no later run stands on it.\n',
    ]);
    const again = await strataJson<CompactionRun>(home, ['compact', 'k', 's']);
    expect(again).toMatchObject({ state: 'done', filesBefore: 6, filesAfter: 1, batches: 6 });
    expect((await strataJson<Proof>(home, ['verify', 'k'])).holds).toBe(true);
    const text = await strata(home, ['compact', 'undo', 'k', 's']);
    expect(text.stdout).toMatch(
      /^6 originals with 13 rows are back\. The swap held kb\.duckdb for \d+ ms\. Run .*\.\n$/,
    );
  });

  it('gives up cleanly after --wait, naming who is in the way', async () => {
    const lock = takeWriterLock(pathsOf(landed), 'promoting s');
    const { code, stderr } = await strata(home, ['compact', 'k', 's', '--wait', '0.2', '--json']);
    lock.release();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^strata: The writer lock is held by process ${process.pid} on .* \\(promoting s, since .*\\)\\. Try again when it is done\\.\\n$`,
      ),
    );
    expect((await strataJson<Proof>(home, ['verify', 'k'])).holds).toBe(true);
  });

  it.each([
    ['no stream', ['compact', 'k'], 2, /^strata: STREAM is missing/],
    ['too much', ['compact', 'k', 's', 'x'], 2, /^strata: "x" is too much/],
    ['an undo of no stream', ['compact', 'undo', 'k'], 2, /^strata: STREAM is missing/],
    ['an undo of too much', ['compact', 'undo', 'k', 's', 'x'], 2, /^strata: "x" is too much/],
    ['another option', ['compact', 'k', 's', '--fast'], 2, /^strata: Unknown option '--fast'/],
    [
      'a stream that is not there',
      ['compact', 'k', 'nope'],
      1,
      /^strata: There is no stream "nope" in k\./,
    ],
    [
      'a knowledgebase that is not there',
      ['compact', 'undo', 'x', 's'],
      1,
      /^strata: There is no knowledgebase "x"\./,
    ],
  ] as const)('%s', async (_, words, exit, says) => {
    const { code, stderr, stdout } = await strata(home, words);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toMatch(says);
  });

  it('a knowledgebase called undo is still one', async () => {
    await strata(home, ['kb', 'create', 'undo']);
    const { code, stderr } = await strata(home, ['compact', 'undo', 's']);
    expect([code, stderr.split('.')[0]]).toEqual([1, 'strata: There is no stream "s" in undo']);
  });

  it('an undo has no dry run: it is wrong use, and nothing is undone', async () => {
    await strataJson<CompactionRun>(home, ['compact', 'k', 's']);
    const { stream } = pathsOf(landed);
    const before = readdirSync(stream('s').data);
    const { code, stdout, stderr } = await strata(home, ['compact', 'undo', 'k', 's', '--dry-run']);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'strata: An undo has no --dry-run. See: strata --help\n',
    ]);
    expect(readdirSync(stream('s').data)).toEqual(before);
  });

  it('an undo that is cancelled says so, and leaves every file', async () => {
    const { stream } = pathsOf(landed);
    const before = readdirSync(stream('s').data);
    const lock = takeWriterLock(pathsOf(landed), 'promoting s');
    try {
      const child = spawn(process.execPath, [DOOR, 'compact', 'undo', 'k', 's', '--home', home]);
      let said = '';
      child.stderr.on('data', (chunk) => {
        said += chunk;
        if (String(chunk).includes('Waiting for Strata')) child.kill('SIGINT');
      });
      const [code] = await once(child, 'close');
      expect([code, said.split('\n').at(-2)]).toEqual([
        1,
        'strata: The undo was cancelled; every file is as it was. Run it again when you like.',
      ]);
    } finally {
      lock.release();
    }
    expect(readdirSync(stream('s').data)).toEqual(before);
  });

  it('settings that cannot be read stop it before anything is merged', async () => {
    await strata(home, ['compact', 'undo', 'k', 's']);
    const { stream } = pathsOf(landed);
    const { settings, data } = stream('s');
    const [before, whole] = [readdirSync(data), readFileSync(settings)];
    writeFileSync(settings, '{"id":"s","compaction":{"retention_days":"x"}}');
    const { code, stderr } = await strata(home, ['compact', 'k', 's']);
    writeFileSync(settings, whole);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^strata: .*stream\.json/)]);
    expect(readdirSync(data)).toEqual(before);
  });

  it('Ctrl C when the run has ended is too late, and no error', async () => {
    const env = { ...process.env, STRATA_HOME: home };
    const words = [DOOR, 'compact', 'k', 's', '--json'];
    const child = spawn(process.execPath, words, { env });
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    child.stdout.once('data', () => child.kill('SIGINT'));
    const [code, signal] = await once(child, 'exit');
    expect(said).toBe('');
    // Past its last turn Node itself ends at the signal.
    expect([
      [0, null],
      [null, 'SIGINT'],
    ]).toContainEqual([code, signal]);
  });
});
