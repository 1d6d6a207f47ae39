// Owns a compaction as a job: choose, merge, compare, swap, record, with progress and cancel.
// Never leaves anything behind when it does not go through: every file is as it was.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { counted, grouped } from '../../counted.ts';
import { AppError } from '../../errors.ts';
import { compactedFile, transitPaths } from '../../knowledgebase/paths.ts';
import { takeCompactionLock } from '../../knowledgebase/writer-lock.ts';
import { runToEnd } from '../../lake/apart/lake.ts';
import type { Comparison } from '../../lake/compact/prove.ts';
import { messageOf } from '../../lake/duckdb.ts';
import { hasJournal, type RunRecord, readJournal } from '../../lake/swap/journal.ts';
import { checkOneDisk } from '../../lake/swap/one-disk.ts';
import type { RecordedRun } from '../../ledger/compactions.ts';
import type { CompactionRun, Job } from '../../model.ts';
import type { Core } from '../../open-core.ts';
import { sqliteCode } from '../../sqlite.ts';
import { atStep } from '../../steps.ts';
import type { JobReport } from '../jobs.ts';
import type { OpenKnowledgebase } from '../open.ts';
import type { OpenStream } from '../streams.ts';
import { type Choice, chooseFiles, type Target } from './choose.ts';
import { measureStream } from './cost.ts';
import { listRuns } from './history.ts';
import { readInputs } from './inputs.ts';
import { progressOf } from './progress.ts';
import { checkRoom, runFault } from './room.ts';
import { settleFirst, swapFiles } from './swap.ts';
import { endBrokenRuns } from './tidy.ts';

export interface RunOptions {
  readonly by: RunRecord['by'];
  /** How long the swap waits for others. */
  readonly patienceMs: number;
}

/** How long a swap waits unless said otherwise: a person sees whom it waits for, and may cancel. */
export const SWAP_PATIENCE_MS = 600_000;

/**
 * Starts compacting a stream. Throws `nothing_to_compact`, `compaction_running`. The job's result is a CompactionRun.
 */
export const startCompaction = async (
  core: Core,
  knowledgebaseId: string,
  streamId: string,
  options: RunOptions = { by: 'person', patienceMs: SWAP_PATIENCE_MS },
): Promise<Job> => {
  const knowledgebase = core.knowledgebase(knowledgebaseId);
  const stream = knowledgebase.streams.get(streamId);
  // Settings that cannot be read would end the run only after its swap.
  stream.settings();
  const lock = takeCompactionLock(knowledgebase.paths, `compacting ${stream.id}`);
  try {
    const ledger = knowledgebase.ledger();
    endBrokenRuns(ledger, stream.id, undefined);
    // What the ledger says is behind where a swap broke off; then the job settles that first.
    const known = hasJournal(stream.paths) ? undefined : await choose(knowledgebase, stream);
    return core.jobs.start(
      { kind: 'compact', title: `Compacting ${stream.id}`, knowledgebase: knowledgebase.id },
      async (report, signal) => {
        try {
          const choice =
            known ?? (await settleAndChoose(knowledgebase, stream, options, report, signal));
          return await runOnce({ knowledgebase, stream, choice, options, report, signal });
        } finally {
          lock.release();
        }
      },
    );
  } catch (error) {
    lock.release();
    throw error;
  }
};

const choose = async ({ ledger }: OpenKnowledgebase, stream: OpenStream): Promise<Choice> => {
  const choice = await chooseFiles(ledger(), stream.id);
  if (choice.targets.length === 0) throw nothingToDo(choice);
  return choice;
};

const settleAndChoose = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  { patienceMs }: RunOptions,
  report: JobReport,
  signal: AbortSignal,
): Promise<Choice> => {
  const onWaiting = (reason: string | null): void =>
    report({ done: 0, total: null, unit: 'rows', ...(reason ? { words: reason } : {}) });
  await settleFirst(knowledgebase, stream, { signal, patienceMs, onWaiting });
  return choose(knowledgebase, stream);
};

const nothingToDo = ({ waits }: Choice): AppError =>
  new AppError(
    'nothing_to_compact',
    ['There is nothing to compact.', ...waits].join(' '),
    waits.length > 0 ? { details: { waits } } : {},
  );

interface Running {
  readonly knowledgebase: OpenKnowledgebase;
  readonly stream: OpenStream;
  readonly choice: Choice;
  readonly options: RunOptions;
  readonly report: JobReport;
  readonly signal: AbortSignal;
}

/** An id that sorts by time and that no other run has. */
const newRunId = (at: Date): string => {
  const digits = at.toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${randomBytes(3).toString('hex')}`;
};

const runOnce = async (running: Running): Promise<Readonly<Record<string, unknown>>> => {
  const { knowledgebase, stream, choice, options, signal } = running;
  const now = new Date();
  const files = choice.targets.flatMap((target) => target.files);
  const sum = (of: (file: (typeof files)[number]) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  const run = newRunId(now);
  const started: RecordedRun = {
    ...{ run, by: options.by, state: 'running', startedAt: now.toISOString(), endedAt: null },
    ...{ filesBefore: files.length, filesAfter: null, batches: sum(({ batches }) => batches) },
    ...{ rows: sum(({ rows }) => rows), bytesBefore: sum(({ sizeBytes }) => sizeBytes) },
    ...{ bytesAfter: null, heldMs: null, fault: null, undoneAt: null },
  };
  const { inStaging } = transitPaths(stream.paths, run);
  const put = (change: Partial<RecordedRun>): void =>
    knowledgebase.ledger().compactions.put(stream.id, { ...started, ...change });
  try {
    put({});
    const made = await makeFiles(running, run, started);
    const held = await swapIn(running, started, made);
    await measureStream(knowledgebase, stream, signal).catch(() => {});
    tell(knowledgebase, stream, started, made, held);
    const done = listRuns(knowledgebase.ledger(), stream, 50).find((one) => one.run === run);
    return { ...(done as CompactionRun) };
  } catch (error) {
    const fault = runFault(error, stream);
    endRun(
      knowledgebase,
      stream,
      run,
      (state) => ({
        ...{ ...started, state, endedAt: new Date().toISOString() },
        fault: state === 'failed' ? messageOf(fault) : null,
      }),
      signal,
    );
    throw fault;
  } finally {
    // A swap that broke off keeps what it needs to go on.
    if (readJournal(stream.paths)?.record.run !== run) {
      rmSync(inStaging, { recursive: true, force: true });
    }
  }
};

/** Notes how a run ended; the swap may have gone through although what came after did not. */
const endRun = (
  { ledger }: OpenKnowledgebase,
  { id }: OpenStream,
  run: string,
  ended: (state: 'cancelled' | 'failed') => RecordedRun,
  signal: AbortSignal,
): void => {
  try {
    const { compactions } = ledger();
    if (compactions.get(id, run)?.state !== 'running') return;
    compactions.put(id, ended(signal.aborted ? 'cancelled' : 'failed'));
  } catch (error) {
    // A ledger that cannot be written now (the disk is full) has the run ended by who runs or opens next.
    if (sqliteCode(error) === undefined) throw error;
  }
};

/** A file that a run made. */
interface Made {
  /** Its place in data/. */
  readonly file: string;
  readonly sizeBytes: number;
}

/** Merges, then compares; nothing that is read is touched. */
const makeFiles = async (running: Running, run: string, started: RecordedRun): Promise<Made[]> => {
  const { knowledgebase, stream, choice, signal } = running;
  checkOneDisk(stream.paths);
  await checkRoom(stream, choice.targets);
  const { inStaging } = transitPaths(stream.paths, run);
  const place = (target: Target, at: number): string =>
    [target.folder, compactedFile(run, at + 1)].filter((part) => part !== '').join('/');
  const made: (Made & { readonly comparison: Comparison })[] = [];
  const progress = progressOf(running.report, started, choice.targets.length, 'merge');
  // The footers of 10,000 files take a second or two, and are no rows yet.
  running.report({
    done: 0,
    total: started.rows,
    unit: 'rows',
    words: 'Reading what the files hold',
  });
  for (const [at, target] of choice.targets.entries()) {
    const ledger = knowledgebase.ledger();
    const { files, batches, columns } = await readInputs(ledger, stream, target.files, signal);
    const file = place(target, at);
    const path = join(inStaging, 'in', file);
    const facts = { knowledgebase: knowledgebase.id, stream: stream.id, run, columns };
    const merge = { files, batches, facts, target: path, work: join(inStaging, 'work') };
    const merging = knowledgebase.merging.run('merge', merge, signal);
    const sizeBytes = await runToEnd(merging, progress.on(files));
    atStep('merged');
    const comparison = {
      ...{ files, columns: columns.map(({ landed }) => landed), made: path },
      // No more of a batch than it takes: those of all files wait until the last is merged.
      batches: batches.map(({ batchId, rows, bodyBytes }) => ({ batchId, rows, bodyBytes })),
      spill: join(inStaging, 'spill'),
    };
    made.push({ file, sizeBytes, comparison });
  }
  const proving = progressOf(running.report, started, choice.targets.length, 'verify');
  for (const { comparison } of made) {
    const comparing = knowledgebase.merging.run('prove', comparison, signal);
    await runToEnd(comparing, proving.on(comparison.files));
  }
  return made;
};

const swapIn = (running: Running, started: RecordedRun, made: readonly Made[]): Promise<number> => {
  const { knowledgebase, stream, choice, options, signal } = running;
  const files = choice.targets.flatMap((target) => target.files);
  const { run, by, startedAt, filesBefore, batches, rows, bytesBefore } = started;
  const progress = progressOf(running.report, started, choice.targets.length, 'swap');
  const recording = progressOf(running.report, started, choice.targets.length, 'record');
  return swapFiles(knowledgebase, stream, {
    kind: 'compact',
    record: {
      ...{ run, by, startedAt, endedAt: null, filesBefore, batches, rows, bytesBefore },
      ...{ bytesAfter: made.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), heldMs: null },
      made: made.map(({ file }) => file),
      replacedCompacted: files.filter(({ batch }) => batch === null).map(({ file }) => file),
    },
    leaving: files.map(({ file }) => file),
    signal,
    patienceMs: options.patienceMs,
    onWaiting: progress.wait,
    onEntered: () => progress.wait(null),
    onSwapped: () => recording.wait(null),
  });
};

const tell = (
  { ledger }: OpenKnowledgebase,
  stream: OpenStream,
  { filesBefore, rows, run }: RecordedRun,
  made: readonly Made[],
  heldMs: number,
): void =>
  ledger().events.add({
    ...{ at: new Date().toISOString(), level: 'info', kind: 'compacted', stream: stream.id },
    message: `${counted(filesBefore, 'file')} with ${counted(rows, 'row')} became ${counted(made.length, 'file')}, swapped in ${grouped(heldMs)} ms (run ${run}).`,
  });
