// Owns what compaction replaced and keeps in processed/: what is there, what is due, removing it.
// Never removes a file that an undo under way may need: it holds the lock of compactions.

import { existsSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { counted } from '../../counted.ts';
import { renameRetrying, syncFolder } from '../../durable.ts';
import { AppError } from '../../errors.ts';
import { claimFolder } from '../../knowledgebase/folder-lock.ts';
import { transitPaths } from '../../knowledgebase/paths.ts';
import { takeCompactionLock } from '../../knowledgebase/writer-lock.ts';
import { hasJournal, type RunRecord } from '../../lake/swap/journal.ts';
import type { KeptOriginals, Originals } from '../../model.ts';
import { atStep } from '../../steps.ts';
import type { OpenKnowledgebase } from '../open.ts';
import { alert } from '../set-copies-aside.ts';
import type { OpenStream } from '../streams.ts';
import { keptRuns, keptUntil } from './history.ts';
import { faultOfStandIn } from './stand-in.ts';
import { RETIRED } from './tidy.ts';

/** What a stream keeps, and what a retention of `retentionDays` (its own unless given) would remove now. */
export const listOriginals = (
  stream: OpenStream,
  retentionDays: number = stream.settings().compaction.retention_days,
): Originals => {
  const now = new Date().toISOString();
  const runs = keptRuns(stream.paths).map((record): KeptOriginals => {
    const keptSince = record.endedAt ?? record.startedAt;
    const until = keptUntil(keptSince, retentionDays);
    return {
      ...{ run: record.run, files: record.filesBefore, sizeBytes: record.bytesBefore },
      ...{ keptSince, keptUntil: until, due: until <= now },
    };
  });
  const sum = (some: readonly KeptOriginals[]) => ({
    files: some.reduce((total, { files }) => total + files, 0),
    sizeBytes: some.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
  });
  return {
    ...{ stream: stream.id, retentionDays, runs },
    ...{ kept: sum(runs), due: sum(runs.filter(({ due }) => due)) },
  };
};

/**
 * Removes the originals that are due, or those of one run; returns what is left. An older run whose files a later one
 * has merged can be undone only after that one, so it goes with it or before it.
 * Throws `compaction_running`, `invalid_argument` where the run keeps nothing, `compaction_differs` where its originals
 * are needed: the files that were made of them are gone or damaged. Those that are due are kept then, and that is said.
 * Of one run also `writer_lock_held` where queries do not end within `patienceMs`; those that are due are removed at a later look then.
 */
export const removeOriginals = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  run?: string,
  patienceMs: number = PATIENCE_MS,
): Promise<Originals> => {
  const lock = takeCompactionLock(knowledgebase.paths, `removing originals of ${stream.id}`);
  try {
    const { runs } = listOriginals(stream);
    const chosen = run === undefined ? runs.filter(({ due }) => due) : withOlder(stream, runs, run);
    if (run !== undefined && chosen.length === 0) {
      throw new AppError('invalid_argument', `The run ${run.slice(0, 60)} keeps no originals.`);
    }
    for (const one of chosen) {
      const fault = await faultOf(knowledgebase, stream, one.run);
      if (fault === null) {
        const inTheWay = await retire(knowledgebase, stream, one, patienceMs);
        if (inTheWay && run !== undefined) throw inTheWay;
      } else if (run === undefined) tellKept(knowledgebase, stream, one, fault);
      else throw new AppError('compaction_differs', keptWords(one, fault), { hint: UNDO });
    }
    return listOriginals(stream);
  } finally {
    lock.release();
  }
};

const faultOf = async (
  { ledger }: OpenKnowledgebase,
  stream: OpenStream,
  run: string,
): Promise<string | null> => {
  const record = keptRuns(stream.paths).find((one) => one.run === run);
  return record ? faultOfStandIn(ledger(), stream, record) : null;
};

const UNDO = 'Undo the compaction to bring them back: strata compact undo KB STREAM.';

const keptWords = ({ run, files }: KeptOriginals, fault: string): string =>
  `The ${counted(files, 'original')} of run ${run} ${files === 1 ? 'is' : 'are'} kept: ${fault}`;

/** What has been said of each knowledgebase: the policy looks every half minute. */
const told = new WeakMap<OpenKnowledgebase, Set<string>>();

const tellKept = (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  one: KeptOriginals,
  fault: string,
): void => {
  const said = told.get(knowledgebase) ?? new Set();
  told.set(knowledgebase, said);
  const message = `${keptWords(one, fault)} ${UNDO}`;
  if (said.has(message)) return;
  said.add(message);
  alert(knowledgebase.ledger(), stream.id, 'originals-kept', message);
};

/** A run, and the older ones that stand below it: without its originals theirs are of no use. */
const withOlder = (
  stream: OpenStream,
  runs: readonly KeptOriginals[],
  run: string,
): readonly KeptOriginals[] => {
  const records = new Map<string, RunRecord>(
    keptRuns(stream.paths).map((record) => [record.run, record]),
  );
  const chosen = new Set([run]);
  for (const one of [...runs].reverse()) {
    if (!chosen.has(one.run)) continue;
    const replaced = new Set(records.get(one.run)?.replacedCompacted);
    for (const other of records.values()) {
      if (other.made.some((file) => replaced.has(file))) chosen.add(other.run);
    }
  }
  return runs.filter((one) => chosen.has(one.run));
};

/** Removes them; what stands in the way is returned, and then they are all there. */
const retire = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  { run, files, sizeBytes }: KeptOriginals,
  patienceMs: number,
): Promise<AppError | undefined> => {
  const { kept, history } = transitPaths(stream.paths, run);
  const retired = `${kept}${RETIRED}`;
  const inTheWay = await moveOut(knowledgebase, stream, [kept, retired], patienceMs);
  if (inTheWay) return inTheWay;
  atStep('retired');
  await rm(retired, { recursive: true, force: true });
  rmSync(history, { force: true });
  syncFolder(stream.paths.processed);
  knowledgebase.ledger().events.add({
    ...{
      at: new Date().toISOString(),
      level: 'info',
      kind: 'originals-removed',
      stream: stream.id,
    },
    message: `${counted(files, 'original')} of run ${run} ${files === 1 ? 'was' : 'were'} removed, ${counted(sizeBytes, 'byte')}.`,
  });
  return undefined;
};

/** How long removing waits for who reads files at the moment. */
const PATIENCE_MS = 30_000;
/** How long queries may go on before new ones, which were held back, get their turn; twice as long each time. */
const FIRST_HOLD_MS = 50;

/**
 * Takes a folder of originals out of the way, in one step and alone: a reader whose ledger was behind may be in them.
 * Returns what stands in the way: readers that do not end, or a swap that broke off and may still need them.
 */
const moveOut = async (
  { paths, query }: OpenKnowledgebase,
  stream: OpenStream,
  [kept, retired]: readonly [string, string],
  patienceMs: number,
): Promise<AppError | undefined> => {
  const giveUpAt = Date.now() + patienceMs;
  for (let holdMs = FIRST_HOLD_MS; Date.now() < giveUpAt; holdMs *= 2) {
    const claim = await query.gate.write(async () => claimFolder(paths), holdMs);
    if (claim) {
      try {
        if (hasJournal(stream.paths)) {
          const message = 'A compaction that broke off has to be finished first.';
          return new AppError('compaction_running', message);
        }
        if (existsSync(kept)) renameRetrying(kept, retired);
        syncFolder(stream.paths.processed);
        return undefined;
      } finally {
        claim.release();
      }
    }
    await wait(holdMs);
  }
  return new AppError('writer_lock_held', 'Queries are still running. The originals are kept.', {
    hint: 'Try again when they are done.',
  });
};
