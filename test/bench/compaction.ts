// Owns the benches of compaction: queries before and after by number of files, and the table and plot of them; a
// compacted stream against one file written at once; memory over 100,000 POSTs. Never says what is good enough.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompactionRun, Job } from '../../core/model.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { lakesOf } from '../helpers/lake.ts';
import type { Server } from '../helpers/server.ts';
import type { Result } from './measure.ts';
import { plotFiles } from './plot-files.ts';
import { readings, sendAll } from './producer.ts';
import { type QueryTimes, timeFile, timeStream, writeAtOnce } from './stream-queries.ts';

const ROWS = 100;

/** One line of the table. */
export interface FilesLine {
  readonly files: number;
  readonly before: QueryTimes;
  readonly after: QueryTimes;
  readonly filesAfter: number;
  readonly seconds: number;
  readonly heldMs: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** The most memory of the server while it ran, less what it had before, in MB. */
  readonly extraMegabytes: number;
}

const duckdbOf = (server: Server): string => join(server.home, 'bench', 'kb.duckdb');

/** Of the server and the processes that it has started. */
const residentMegabytes = ({ pid }: Server): number =>
  [pid, ...lakesOf(pid)].reduce((sum, one) => sum + residentOf(one), 0);

const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Lands batches of 100 rows; `from` is the first one's number. */
const landBatches = async (
  server: Server,
  stream: string,
  count: number,
  from = 0,
): Promise<void> => {
  const bodies = Array.from({ length: 64 }, (_, at) => readings(ROWS, (from + at) * ROWS));
  await sendAll(server.stream('bench', stream), bodies, count, 16);
  await adminOf(server).knowledgebases.syncViews({ knowledgebase: 'bench' });
};

/** Looked at seldom: every look is work for the server that is measured. */
const LOOK_MS = 200;

const ended = async (
  admin: AdminClient,
  { id }: Job,
  onLook: () => void = () => {},
): Promise<Job> => {
  for (;;) {
    const job = (await admin.jobs.list()).find((one) => one.id === id);
    if (job?.state === 'failed') throw new Error(job.fault ?? 'failed');
    if (job?.state === 'done') return job;
    onLook();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
};

/** Compacts a stream to the end. */
export const compactStream = async (
  admin: AdminClient,
  stream: string,
  onLook?: () => void,
): Promise<CompactionRun> => {
  const job = await admin.compaction.start({ knowledgebase: 'bench', stream });
  return (await ended(admin, job, onLook)).result as unknown as CompactionRun;
};

/** Undoes a stream's newest run to the end. */
export const undoStream = async (admin: AdminClient, stream: string): Promise<void> => {
  await ended(admin, await admin.compaction.undo({ knowledgebase: 'bench', stream }));
};

const secondsOf = ({ startedAt, endedAt }: CompactionRun): number =>
  (Date.parse(endedAt as string) - Date.parse(startedAt)) / 1_000;

const measureCount = async (server: Server, files: number, stream: string): Promise<FilesLine> => {
  const admin = adminOf(server);
  const rounds = files >= 10_000 ? 3 : 7;
  const before = await timeStream(duckdbOf(server), stream, rounds);
  const had = residentMegabytes(server);
  let most = had;
  const run = await compactStream(admin, stream, () => {
    most = Math.max(most, residentMegabytes(server));
  });
  return {
    ...{ files, before, after: await timeStream(duckdbOf(server), stream, 7) },
    ...{
      filesAfter: run.filesAfter as number,
      seconds: secondsOf(run),
      heldMs: run.heldMs as number,
    },
    ...{ bytesBefore: run.bytesBefore, bytesAfter: run.bytesAfter as number },
    extraMegabytes: most - had,
  };
};

const ms = (value: number): string =>
  value >= 1_000 ? `${(value / 1_000).toFixed(1)} s` : `${value.toFixed(0)} ms`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** The table as docs/bench.md has it. */
const tableOf = (lines: readonly FilesLine[]): string =>
  [
    '| POSTs of 100 rows | Group-by | Count | One batch | Size | Compaction took | Swap held kb.duckdb | Memory on top |',
    '|---|---|---|---|---|---|---|---|',
    ...lines.map(
      ({ files, before, after, seconds, heldMs, bytesBefore, bytesAfter, extraMegabytes }) =>
        `| ${files.toLocaleString('en-US')} | ${ms(before.groupBy)} → ${ms(after.groupBy)} | ${ms(before.count)} → ${ms(after.count)} | ` +
        `${ms(before.batch)} → ${ms(after.batch)} | ${megabytes(bytesBefore)} → ${megabytes(bytesAfter)} | ` +
        `${seconds.toFixed(1)} s | ${heldMs} ms | ${extraMegabytes.toFixed(0)} MB |`,
    ),
  ].join('\n');

/** Streams of 10 to `most` files, each measured, compacted, and measured again; writes the table and the plot. */
export const fileCounts = async (server: Server, most: number, root: string): Promise<Result[]> => {
  const lines: FilesLine[] = [];
  for (let files = 10; files <= most; files *= 10) {
    const stream = `files-${files}`;
    await landBatches(server, stream, files);
    lines.push(await measureCount(server, files, stream));
    process.stderr.write(`${tableOf(lines.slice(-1)).split('\n').at(-1)}\n`);
  }
  writeFileSync(join(root, 'docs', 'compaction-cost.svg'), plotFiles(lines));
  process.stdout.write(`${tableOf(lines)}\n\n`);
  const last = lines.at(-1) as FilesLine;
  return [
    {
      what: `group-by of ${last.files} files, before and after`,
      measured: ms(last.after.groupBy),
      against: `${ms(last.before.groupBy)}, the same rows before`,
      ratio: last.after.groupBy / last.before.groupBy,
      bar: 1,
      better: 'lower',
    },
  ];
};

/** A group-by after 10,000 POSTs and compaction, against the same rows in one file that was written at once. */
export const againstOneFile = async (server: Server): Promise<Result> => {
  const stream = 'one-file';
  const path = join(server.home, 'at-once.parquet');
  await landBatches(server, stream, 10_000);
  await compactStream(adminOf(server), stream);
  await writeAtOnce(duckdbOf(server), stream, path);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    ours.push((await timeStream(duckdbOf(server), stream, 1)).groupBy);
    theirs.push(await timeFile(path, 1));
  }
  const middle = (values: number[]): number =>
    values.sort((one, other) => one - other)[values.length >> 1] as number;
  const [own, other] = [middle(ours), middle(theirs)];
  return {
    what: 'group-by after 10,000 POSTs and compaction',
    measured: `${own.toFixed(1)} ms`,
    against: `${other.toFixed(1)} ms, one file written at once`,
    ratio: own / other,
    bar: 1.5,
    better: 'lower',
  };
};

/** Memory of the server after 100,000 POSTs against after 10,000; each the least of some looks, when it is idle. */
export const memory = async (server: Server): Promise<Result> => {
  const least = async (): Promise<number> => {
    let lowest = Number.POSITIVE_INFINITY;
    for (let look = 0; look < 20; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      lowest = Math.min(lowest, residentMegabytes(server));
    }
    return lowest;
  };
  await landBatches(server, 'memory', 10_000);
  const early = await least();
  await landBatches(server, 'memory', 90_000, 10_000);
  const late = await least();
  return {
    what: 'memory after 100,000 POSTs',
    measured: `${late.toFixed(0)} MB`,
    against: `${early.toFixed(0)} MB, after 10,000`,
    ratio: late / early,
    bar: 1.1,
    better: 'lower',
  };
};
