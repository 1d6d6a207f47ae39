// Owns `strata compact`: merging a stream's files, its dry run, and taking the newest run back.

import { counted, grouped } from '../counted.ts';
import { planCompaction } from '../engine/compaction/plan.ts';
import { startCompaction } from '../engine/compaction/run.ts';
import { startUndo } from '../engine/compaction/undo.ts';
import { AppError } from '../errors.ts';
import { fold } from '../ids.ts';
import type { CompactionPlan, CompactionRun, Job, QueryCost } from '../model.ts';
import type { Core } from '../open-core.ts';
import { bytesOf, printJson, printLine } from './output.ts';
import { homeOf, readWords, secondsOf, UsageError } from './usage.ts';
import { withCore } from './with-core.ts';

/** How long the swap waits for other programs unless said otherwise. */
const PATIENCE_MS = 60_000;
const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  wait: { type: 'string' },
} as const;

/** `compact KB STREAM [--dry-run] [--wait SECONDS]`, `compact undo KB STREAM [--wait SECONDS]`. */
export const compact = async (words: readonly string[]): Promise<void> => {
  const isUndo = asksForUndo(words);
  const positions = isUndo ? ['undo', 'KB', 'STREAM'] : ['KB', 'STREAM'];
  const { values, positionals } = readWords(words, positions, OPTIONS);
  const [knowledgebase, stream] = positionals.slice(isUndo ? 1 : 0) as [string, string];
  const patienceMs = secondsOf(values.wait, 'wait') ?? PATIENCE_MS;
  const isDry = values['dry-run'];
  if (isUndo && isDry) throw new UsageError('An undo has no --dry-run.');
  await withCore({ home: homeOf(values.home), writing: !isDry }, async (core) => {
    const isNone = (id: string): boolean =>
      !core.listKnowledgebases().some((one) => fold(one.id) === fold(id));
    if (!isUndo && knowledgebase === 'undo' && isNone('undo')) {
      throw new UsageError('STREAM is missing; the command takes undo KB STREAM.');
    }
    if (isDry) {
      const found = core.knowledgebase(knowledgebase);
      const plan = await planCompaction(found, found.streams.get(stream), true);
      if (values.json) printJson(plan);
      else for (const line of planLines(plan)) printLine(line);
      return;
    }
    const job = isUndo
      ? startUndo(core, knowledgebase, stream, patienceMs)
      : await startCompaction(core, knowledgebase, stream, { by: 'person', patienceMs });
    const run = await follow(core, job, isUndo ? 'undo' : 'compaction', values.json);
    const { views } = core.knowledgebase(knowledgebase);
    await views.settled(10_000);
    if (values.json) printJson(run);
    else printLine(isUndo ? undoLine(run) : runLine(run));
  });
};

/** With two words `undo` is a knowledgebase's name. */
const asksForUndo = (words: readonly string[]): boolean => {
  if (!words.includes('undo')) return false;
  const { positionals } = readWords(words, ['WORD...'], OPTIONS);
  return positionals[0] === 'undo' && positionals.length > 2;
};

const LOOK_MS = 100;

/** Tells a job's words on stderr until it ends; Ctrl C cancels it. Throws why it failed. */
const follow = async (
  core: Core,
  { id }: Job,
  what: string,
  quiet: boolean,
): Promise<UndoneRun> => {
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
    const message = `The ${what} was cancelled; every file is as it was.`;
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
