// Owns `strata compact`: merging a stream's files, its dry run, and taking the newest run back.

import { counted, grouped } from '../counted.ts';
import { planCompaction } from '../engine/compaction/plan.ts';
import { startCompaction } from '../engine/compaction/run.ts';
import { startUndo } from '../engine/compaction/undo.ts';
import { AppError } from '../errors.ts';
import type { CompactionPlan, CompactionRun, Job, QueryCost } from '../model.ts';
import type { Core } from '../open-core.ts';
import { bytesOf, printJson, printLine } from './output.ts';
import { homeOf, readWords, secondsOf } from './usage.ts';
import { withCore } from './with-core.ts';

/** How long the swap waits for other programs unless said otherwise. */
const PATIENCE_MS = 60_000;
const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  wait: { type: 'string' },
} as const;

/** `compact KB STREAM [--dry-run] [--wait SECONDS]`, `compact undo KB STREAM [--wait SECONDS]`. */
export const compact = async (words: readonly string[]): Promise<void> => {
  const isUndo = words[0] === 'undo' && words.filter((word) => !word.startsWith('-')).length > 2;
  const { values, positionals } = readWords(
    isUndo ? words.slice(1) : words,
    ['KB', 'STREAM'],
    OPTIONS,
  );
  const [knowledgebase, stream] = positionals as [string, string];
  const patienceMs = secondsOf(values.wait, 'wait') ?? PATIENCE_MS;
  const isDry = values['dry-run'];
  await withCore({ home: homeOf(values.home), writing: !isDry }, async (core) => {
    if (isDry && !isUndo) {
      const found = core.knowledgebase(knowledgebase);
      const plan = await planCompaction(found, found.streams.get(stream), true);
      if (values.json) printJson(plan);
      else for (const line of planLines(plan)) printLine(line);
      return;
    }
    const job = isUndo
      ? startUndo(core, knowledgebase, stream, patienceMs)
      : await startCompaction(core, knowledgebase, stream, { by: 'person', patienceMs });
    const run = await follow(core, job, values.json);
    const { views } = core.knowledgebase(knowledgebase);
    await views.settled(10_000);
    if (values.json) printJson(run);
    else printLine(isUndo ? undoLine(run) : runLine(run));
  });
};

const LOOK_MS = 100;

/** Tells a job's words on stderr until it ends; Ctrl C cancels it. Throws why it failed. */
const follow = async (core: Core, { id }: Job, quiet: boolean): Promise<UndoneRun> => {
  process.once('SIGINT', () => {
    // One that has ended is not cancelled any more; what is left is to say so.
    if (core.jobs.get(id)?.state === 'running') core.jobs.cancel(id);
  });
  let told = '';
  const look = setInterval(() => {
    const words = core.jobs.get(id)?.words ?? '';
    if (!quiet && words !== told && words !== '') process.stderr.write(`${words}\n`);
    told = words;
  }, LOOK_MS);
  try {
    return (await core.jobs.outcome(id)) as unknown as UndoneRun;
  } catch (error) {
    if (core.jobs.get(id)?.state !== 'cancelled') throw error;
    const message = 'The compaction was cancelled; every file is as it was.';
    throw new AppError('query_cancelled', message, { hint: 'Run it again when you like.' });
  } finally {
    clearInterval(look);
  }
};

/** A run, and for how long an undo of it held kb.duckdb. */
type UndoneRun = CompactionRun & { readonly undoHeldMs?: number };

const runLine = ({
  filesBefore,
  filesAfter,
  rows,
  bytesBefore,
  bytesAfter,
  heldMs,
  run,
}: UndoneRun): string =>
  `${counted(filesBefore, 'file')} became ${grouped(filesAfter ?? 0)}: ${counted(rows, 'row')}, ` +
  `${bytesOf(bytesBefore)} became ${bytesOf(bytesAfter ?? 0)}. The swap held kb.duckdb for ${grouped(heldMs ?? 0)} ms. Run ${run}.`;

const undoLine = ({ filesBefore, rows, undoHeldMs, run }: UndoneRun): string =>
  `${counted(filesBefore, 'original')} with ${counted(rows, 'row')} ${filesBefore === 1 ? 'is' : 'are'} back. ` +
  `The swap held kb.duckdb for ${grouped(undoHeldMs ?? 0)} ms. Run ${run}.`;

const planLines = (plan: CompactionPlan): string[] => {
  const { now, after, merged, into, gain, waits } = plan;
  if (into === 0) return ['There is nothing to compact.', ...waits];
  const lines = [
    `${counted(merged.files, 'file')} would become ${grouped(into)}.`,
    `    files  ${grouped(now.files)} → ${grouped(after.files)}`,
    `    bytes  ${bytesOf(now.sizeBytes)} → about ${bytesOf(after.sizeBytes)}`,
    `    rows   ${grouped(now.rows)}`,
  ];
  if (gain) {
    const names: [string, keyof QueryCost][] = [
      ['group-by', 'groupByMs'],
      ['count', 'countMs'],
      ['batch', 'batchMs'],
    ];
    for (const [name, key] of names) {
      lines.push(
        `    ${name.padEnd(9)}${durationOf(gain.now[key])} → about ${durationOf(gain.after[key])}`,
      );
    }
    lines.push(`Measured on ${grouped(gain.sampledFiles)} of the files, then scaled.`);
  }
  lines.push(`It takes at most ${bytesOf(plan.memoryBytes)} of memory. Nothing was changed.`);
  return [...lines, ...waits];
};

const durationOf = (ms: number): string =>
  ms >= 1_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.max(1, Math.round(ms))} ms`;
