// What one landing thread makes of a group: each job ends on its own, and what landed is what its result says.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { describeFile } from '../../core/lake/land.ts';
import { plainCodec } from '../../core/lake/parquet/codec.ts';
import type {
  Job,
  JobResult,
  LandTask,
  NewField,
  StreamPlace,
} from '../../core/landing/protocol.ts';
import { landingThread } from '../../core/landing/thread.ts';
import { bodyOf } from '../helpers/read-batch.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

const RECEIVED = '2026-01-01T00:00:00.000Z';
const placeOf = (stream: string): StreamPlace => {
  const root = join(tempFolder(), stream);
  const [data, staging, failed] = ['data', '_tmp', 'failed'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [data, staging, failed]) mkdirSync(folder, { recursive: true });
  return { mapKey: root, knowledgebase: 'k', stream, data, staging, failed, since: '2026-01-01' };
};

let nextJob = 0;
const jobOf = (
  place: StreamPlace,
  batchId: string,
  text: string,
  more?: Partial<LandTask>,
): Job => {
  nextJob += 1;
  const task: LandTask = {
    ...{ kind: 'land', batchId, sender: 'me', receivedAt: RECEIVED, contentType: null },
    ...{ registered: null, dateFolders: false, isFresh: false },
    ...{ landedAs: [], isTaken: false, partial: false, repairs: null, ...more },
  };
  return { jobId: nextJob, place, body: bodyOf(text), task };
};

const asked: (readonly NewField[])[] = [];
const openThread = () =>
  landingThread(plainCodec, 1, async (_, fields) => {
    asked.push(fields);
    // Of names that a view needs itself, the column has another.
    return {
      landed: fields.map(({ source }) => source.replace(/^filename$/i, 'filename_')),
      fault: null,
    };
  });

/** Results by job: their kind, and the code of what failed or was refused. */
const endings = (jobs: readonly Job[], results: readonly JobResult[]) =>
  jobs.map(({ jobId }) => {
    const [result, ...others] = results.filter((one) => one.jobId === jobId);
    if (!result || others.length > 0) throw new Error(`${others.length + 1} results`);
    if (result.kind === 'rejected') return ['rejected', result.reject.faults[0]?.code];
    return result.kind === 'failed' ? ['failed', result.message.split(':')[0]] : [result.kind];
  });

beforeEach(() => {
  asked.length = 0;
});

describe('a group', () => {
  it('ends each job on its own: landed, replayed, rejected, failed', async () => {
    const thread = openThread();
    const [place, gone] = [placeOf('s'), placeOf('gone')];
    rmSync(gone.staging, { recursive: true });
    await thread.run([jobOf(place, 'there', '{"a":"1"}')]);
    const jobs = [
      jobOf(gone, 'lost', '{"a":"1"}'),
      jobOf(place, 'new', '{"a":"2"}'),
      jobOf(place, 'there', '{"a":"1"}'),
      jobOf(place, 'broken', '{"a":'),
      jobOf(place, 'made', '{"a":"3"}', { isFresh: true }),
      jobOf(place, 'there', '{"a":"other"}'),
    ];
    expect(endings(jobs, await thread.run(jobs))).toEqual([
      ['failed', 'ENOENT'],
      ['landed'],
      ['replayed'],
      ['rejected', 'not_json'],
      ['landed'],
      ['rejected', 'batch_id_conflict'],
    ]);
    expect(readdirSync(place.data).sort()).toEqual([
      'made.parquet',
      'new.parquet',
      'there.parquet',
    ]);
    expect(readdirSync(place.staging)).toEqual([]);
    expect(readdirSync(place.failed).sort()).toEqual([
      ...['broken.err', 'broken.ndjson', 'there.err', 'there.ndjson'],
    ]);
  });

  it('says of each file what the file says of itself, in every stream of the group', async () => {
    const places = [placeOf('one'), placeOf('two')];
    const jobs = [0, 1, 2, 3].map((at) =>
      jobOf(
        places[at % 2] as StreamPlace,
        `b${at}`,
        `{"a":"${at}","FileName":"f"}\n`.repeat(at + 1),
      ),
    );
    const results = await openThread().run(jobs);
    for (const [at, { place, body, task, jobId }] of jobs.entries()) {
      const result = results.find((one) => one.jobId === jobId);
      if (result?.kind !== 'landed') throw new Error(JSON.stringify(result));
      const path = join(place.data, `b${at}.parquet`);
      const sha256 = createHash('sha256').update(body).digest('hex');
      const facts = { batchId: task.batchId, sha256, rows: at + 1, bodyBytes: body.length };
      expect(result.landed).toEqual({
        ...{ file: `b${at}.parquet`, rows: at + 1, bodyBytes: body.length, sha256 },
        ...{ sizeBytes: statSync(path).size, receivedAt: RECEIVED, sender: 'me' },
        ...{ rejectId: null, rejectSha256: null, partRejectId: null, linesRejected: 0 },
        landedAt: expect.any(String),
      });
      expect(describeFile(path)).toMatchObject({
        facts: {
          ...{ ...facts, knowledgebase: 'k', stream: place.stream, receivedAt: RECEIVED },
          ...{ sender: 'me', renamed: { FileName: 'filename_' } },
        },
        columns: ['a', 'filename_'],
      });
    }
  });

  it('asks for a field once in any case, and again when it is to forget', async () => {
    const thread = openThread();
    const place = placeOf('s');
    const field = (source: string, line: number): NewField => ({ source, line });
    await thread.run([
      jobOf(place, 'b1', '{"a":"1"}'),
      jobOf(place, 'b2', '{"A":"1"}\n{"A":"2","b":"3"}'),
      jobOf(place, 'b3', '{"B":"1","a":"2"}'),
    ]);
    expect(asked).toEqual([[field('a', 1)], [field('b', 2)]]);
    thread.forget();
    await thread.run([jobOf(place, 'b4', '{"B":"1"}')]);
    expect(asked.slice(2)).toEqual([[field('B', 1)]]);
  });
});
