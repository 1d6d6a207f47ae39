// The procedures of compaction over the admin address, on the real server: dry run, run, undo, history, originals,
// files, cost, policy.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CompactionProgress, CompactionRun, Job } from '../../core/model.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { codeOf } from '../helpers/core.ts';
import { sendBatch } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let server: Server;
let admin: AdminClient;
beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
  for (let at = 0; at < 4; at += 1) await send(at);
  await admin.knowledgebases.syncViews({ knowledgebase: 'lab' });
});
afterAll(async () => {
  expect(server.stderr()).toBe('');
  expect(await server.stop()).toBe(0);
  removeTempFolders();
});

const readings = { knowledgebase: 'lab', stream: 'readings' };
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const number = expect.any(Number);

const send = async (at: number): Promise<void> => {
  const address = server.stream('lab', 'readings');
  const answer = await sendBatch(address, `{"a":"${at}"}\n`, { 'idempotency-key': `b${at}` });
  expect(answer.status).toBe(200);
};

const ended = (job: Job): Promise<Job> =>
  until('the job has ended', async () => {
    const now = (await admin.jobs.list()).find(({ id }) => id === job.id);
    return now?.state !== 'running' && now;
  });

describe.sequential('a stream of four files', () => {
  let run: CompactionRun;

  test('plan, without measuring and with it', async () => {
    const plan = await admin.compaction.plan(readings);
    const { sizeBytes } = await admin.streams.get(readings);
    const all = { files: 4, rows: 4, sizeBytes };
    expect(plan).toEqual({
      ...{ stream: 'readings', at: TIME, now: all, loose: all, merged: all, into: 1, waits: [] },
      policy: { policy: 'suggested', files: 2_000, retentionDays: 7 },
      after: { files: 1, rows: 4, sizeBytes },
      ...{
        gain: null,
        memoryBytes: 469_762_048 + 4 * 6_144,
        freeBytes: number,
        neededBytes: Math.ceil(2.2 * sizeBytes),
      },
      suggested: false,
    });
    const { gain } = await admin.compaction.plan({ ...readings, measure: true });
    const cost = { groupByMs: number, countMs: number, batchMs: number };
    expect(gain).toEqual({ sampledFiles: 4, now: cost, after: cost });
  });

  test('files, loose', async () => {
    const { files, ...page } = await admin.compaction.files({ ...readings, limit: 2 });
    const sums = { files: 4, rows: 4, sizeBytes: number };
    const none = { files: 0, rows: 0, sizeBytes: 0 };
    expect(page).toEqual({ total: 4, loose: sums, compacted: none });
    const loose = (at: number) => ({
      ...{ file: `b${at}.parquet`, kind: 'loose', rows: 1, sizeBytes: number, batches: 1 },
      ...{ batchId: `b${at}`, firstLandedAt: TIME, lastLandedAt: TIME, run: null, place: number },
    });
    expect(files).toEqual([loose(3), loose(2)]);
    const before = files[1]?.place as number;
    expect((await admin.compaction.files({ ...readings, before })).files).toEqual([
      loose(1),
      loose(0),
    ]);
    expect((await admin.compaction.files({ ...readings, kind: 'compacted' })).files).toEqual([]);
  });

  test('start: a job with its progress, and the run', async () => {
    const job = await admin.compaction.start(readings);
    expect(job).toMatchObject({
      kind: 'compact',
      title: 'Compacting readings',
      knowledgebase: 'lab',
      state: 'running',
    });
    const end = await ended(job);
    run = end.result as unknown as CompactionRun;
    const details: CompactionProgress = {
      step: 'record',
      isWriting: false,
      files: { done: 0, total: 4 },
      rows: { done: 0, total: 4 },
      bytes: { done: 0, total: run.bytesBefore },
      ...{ into: 1, waitingFor: null },
    };
    expect(end).toMatchObject({
      state: 'done',
      unit: 'rows',
      done: 4,
      total: 4,
      details: { ...details },
    });
    expect(run).toMatchObject({
      state: 'done',
      by: 'person',
      filesBefore: 4,
      filesAfter: 1,
      rows: 4,
      undoable: true,
    });
    expect(await admin.compaction.runs(readings)).toEqual([run]);
    expect(await codeOf(admin.compaction.start(readings))).toBe('nothing_to_compact');
    expect(await admin.streams.get(readings)).toMatchObject({
      files: 1,
      looseFiles: 0,
      rows: 4,
      landed: 4,
    });
    const { rows } = await admin.query.run({
      knowledgebase: 'lab',
      sql: 'SELECT a, _batch_id FROM raw_extracted.stream_readings ORDER BY 1',
    });
    expect(rows).toEqual([0, 1, 2, 3].map((at) => [String(at), `b${at}`]));
  });

  test('files, a compacted one among loose ones, newest first', async () => {
    await send(4);
    const { files, total } = await admin.compaction.files(readings);
    expect([
      total,
      files.map(({ kind, rows, batches, run: of }) => [kind, rows, batches, of]),
    ]).toEqual([
      2,
      [
        ['loose', 1, 1, null],
        ['compacted', 4, 4, run.run],
      ],
    ]);
    const only = await admin.compaction.files({ ...readings, kind: 'compacted' });
    expect([only.total, only.files[0]]).toEqual([
      1,
      {
        ...{
          file: `c~${run.run}-1.parquet`,
          kind: 'compacted',
          rows: 4,
          sizeBytes: run.bytesAfter,
        },
        ...{
          batches: 4,
          batchId: null,
          firstLandedAt: TIME,
          lastLandedAt: TIME,
          run: run.run,
          place: number,
        },
      },
    ]);
    expect(await admin.streams.batch({ ...readings, batchId: 'b2' })).toMatchObject({
      ...{ file: `c~${run.run}-1.parquet`, landedFile: 'b2.parquet', rowInFile: 2, firstRow: 2 },
    });
  });

  test('cost: a point for each measurement, and when it was compacted', async () => {
    const { points, compactions } = await admin.compaction.cost(readings);
    expect(points.map(({ files, rows }) => [files, rows])).toEqual([
      [4, 4],
      [1, 4],
    ]);
    expect(points[0]).toEqual({
      at: TIME,
      files: 4,
      rows: 4,
      groupByMs: number,
      countMs: number,
      batchMs: number,
    });
    expect(compactions).toEqual([{ at: run.endedAt, run: run.run }]);
    expect(await admin.compaction.cost({ ...readings, since: '9999' })).toEqual({
      points: [],
      compactions: [],
    });
  });

  test('originals, and what another retention would remove', async () => {
    const kept = await admin.compaction.originals(readings);
    expect(kept).toMatchObject({
      retentionDays: 7,
      kept: { files: 4 },
      due: { files: 0, sizeBytes: 0 },
    });
    expect(kept.runs.map((one) => [one.run, one.files, one.sizeBytes])).toEqual([
      [run.run, 4, run.bytesBefore],
    ]);
    expect(await admin.compaction.originals({ ...readings, retentionDays: 0 })).toMatchObject({
      due: { files: 4, sizeBytes: run.bytesBefore },
    });
  });

  test('undo', async () => {
    const end = await ended(await admin.compaction.undo(readings));
    expect(end).toMatchObject({
      state: 'done',
      kind: 'compact-undo',
      result: { run: run.run, state: 'undone' },
    });
    expect(await admin.compaction.runs(readings)).toEqual([
      { ...run, state: 'undone', undoneAt: TIME, undoable: false, originalsUntil: null },
    ]);
    expect(await admin.streams.get(readings)).toMatchObject({ files: 5, looseFiles: 5, rows: 5 });
    expect(await codeOf(admin.compaction.undo(readings))).toBe('nothing_to_undo');
  });

  test('removeOriginals of a run', async () => {
    const end = await ended(await admin.compaction.start(readings));
    const { run: again } = end.result as unknown as CompactionRun;
    expect((await admin.compaction.removeOriginals(readings)).kept.files).toBe(5);
    expect((await admin.compaction.removeOriginals({ ...readings, run: again })).runs).toEqual([]);
    expect(await codeOf(admin.compaction.undo(readings))).toBe('nothing_to_undo');
    expect((await admin.knowledgebases.verify({ knowledgebase: 'lab' })).holds).toBe(true);
  });

  test('the policy, one setting at a time', async () => {
    const change = (compaction: object) =>
      admin.streams.update({ ...readings, compaction }).then((stream) => stream.compaction);
    expect(await change({ policy: 'automatic' })).toEqual({
      policy: 'automatic',
      files: 2_000,
      retentionDays: 7,
    });
    expect(await change({ files: 50 })).toEqual({
      policy: 'automatic',
      files: 50,
      retentionDays: 7,
    });
    expect(await change({ retentionDays: 0 })).toEqual({
      policy: 'automatic',
      files: 50,
      retentionDays: 0,
    });
    expect(await change({})).toEqual({ policy: 'automatic', files: 50, retentionDays: 0 });
    expect(await codeOf(change({ files: 1 }))).toBe('invalid_argument');
  });
});
