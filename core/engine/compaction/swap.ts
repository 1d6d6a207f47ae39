// Owns carrying a swap out from end to end: alone, with its journal, then in the ledger.
// Never merges, and never chooses what is swapped.

import { AppError } from '../../errors.ts';
import type { DuckDBConnection } from '../../lake/duckdb.ts';
import { carryOut, endMoves, prepare, settle } from '../../lake/swap/carry-out.ts';
import {
  hasJournal,
  type RunRecord,
  type SwapJournal,
  writeJournal,
} from '../../lake/swap/journal.ts';
import { checkOneDisk } from '../../lake/swap/one-disk.ts';
import { faultOfMade } from '../../lake/swap/whole.ts';
import { isWithoutSources } from '../../lake/views.ts';
import { atStep } from '../../steps.ts';
import type { OpenKnowledgebase } from '../open.ts';
import type { OpenStream } from '../streams.ts';
import { enterAlone, type SwapWork } from './enter.ts';
import { recordSwap, settleIn, settleLedger, unsettled, unsettledWords } from './settle.ts';

/** How long a swap waits for others, and who hears for whom. */
export interface SwapWaiting {
  readonly signal: AbortSignal;
  readonly patienceMs: number;
  readonly onWaiting: (reason: string | null) => void;
}

export interface SwapRequest extends SwapWaiting {
  readonly kind: SwapJournal['kind'];
  readonly record: RunRecord;
  /** Files that leave data/; those that come wait in their folder. */
  readonly leaving: readonly string[];
  /** The swap has begun: from here on it is carried out. */
  readonly onEntered: () => void;
  /** Readers see it, and are let in; the ledger is brought in line. */
  readonly onSwapped?: () => void;
}

/**
 * Swaps. Returns for how long kb.duckdb was held, in ms. Throws what entering throws, and `compaction_differs` where a
 * file is not where it was when the swap was prepared; every file is as it was then.
 */
export const swapFiles = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  request: SwapRequest,
): Promise<number> => {
  const { paths, ledger } = knowledgebase;
  let held = 0;
  const journal: SwapJournal = {
    format: 1,
    kind: request.kind,
    moved: false,
    record: request.record,
  };
  prepare(stream.paths, request.record.run);
  const purpose = request.kind === 'compact' ? 'compacting' : 'undoing a compaction';
  const { signal, patienceMs, onWaiting } = request;
  await enterAndSync(
    knowledgebase,
    { purpose, signal, patienceMs, onWaiting },
    {
      alone: async (connection) => {
        await settleAll(paths, ledger, connection, stream.id);
        request.onEntered();
        const desk = { paths, stream: stream.id, connection };
        writeJournal(stream.paths, journal);
        atStep('journal');
        try {
          await carryOut(desk, journal, request.leaving);
        } catch (error) {
          // Back where nothing has changed for readers yet; where it has, forward.
          const settled = await settle(desk, journal);
          if (settled.way === 'back') throw asChanged(error, settled.why);
        }
      },
      afterwards: async (heldMs) => {
        held = Math.round(heldMs);
        request.onSwapped?.();
        await endMoves(stream.paths, journal);
        // An undo leaves what is said of the run that it takes back.
        const endedAt = new Date().toISOString();
        const record =
          request.kind === 'compact'
            ? { ...request.record, endedAt, heldMs: held }
            : request.record;
        await recordSwap(paths, ledger, stream.id, { ...journal, moved: true, record });
      },
    },
  );
  return held;
};

/**
 * Undoes a run whose own files are gone or damaged: it is taken up again as a swap that broke off, whose files are not
 * whole. Returns for how long kb.duckdb was held, in ms. Throws what entering throws, and `compaction_differs` where they
 * are whole after all; every file is as it was then.
 */
export const takeOriginals = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  record: RunRecord,
  { onEntered, ...waiting }: SwapWaiting & Pick<SwapRequest, 'onEntered'>,
): Promise<number> => {
  const { paths, ledger } = knowledgebase;
  let held = 0;
  checkOneDisk(stream.paths);
  await enterAndSync(
    knowledgebase,
    { purpose: 'undoing a compaction', ...waiting },
    {
      alone: async (connection) => {
        await settleAll(paths, ledger, connection, stream.id);
        onEntered();
        const journal: SwapJournal = { format: 1, kind: 'compact', moved: true, record };
        if ((await faultOfMade(stream.paths, journal)) === null) {
          throw new AppError('compaction_differs', 'A file has changed. Every file is as it was.');
        }
        writeJournal(stream.paths, journal);
        atStep('journal');
        await settleAll(paths, ledger, connection, stream.id);
      },
      afterwards: async (heldMs) => {
        held = Math.round(heldMs);
      },
    },
  );
  return held;
};

/** A file that is gone when it is to be moved: somebody else has been at the folder since. */
const asChanged = (error: unknown, why: string | null): unknown => {
  if (why !== null) {
    const message = `${why} Every other file is where it was.`;
    return new AppError('compaction_differs', message, { cause: error });
  }
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT') return error;
  const message = `${path} is not there any more. Every other file is where it was.`;
  return new AppError('compaction_differs', message, { details: { file: path }, cause: error });
};

/**
 * Settles a swap of the stream that broke off, so that the ledger says where its files are; nothing where there is
 * none. Throws what entering throws.
 */
export const settleFirst = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  waiting: SwapWaiting,
): Promise<void> => {
  const { paths, ledger } = knowledgebase;
  if (!hasJournal(stream.paths)) return;
  await enterAndSync(
    knowledgebase,
    { purpose: 'finishing a compaction', ...waiting },
    {
      alone: (connection) => settleAll(paths, ledger, connection, stream.id),
      afterwards: async () => {},
    },
  );
};

/**
 * Enters alone. A kb.duckdb that was damaged or gone is made anew by that, and then has the views of what is swapped
 * alone: those of the others are asked for.
 */
const enterAndSync = async (
  { paths, query, views, tell }: OpenKnowledgebase,
  waiting: SwapWaiting & { readonly purpose: string },
  { alone, afterwards }: SwapWork,
): Promise<void> => {
  let isAnew = false;
  try {
    await enterAlone(
      { paths, gate: query.gate, ...waiting },
      {
        alone: async (connection) => {
          isAnew = await isWithoutSources(connection);
          await alone(connection);
        },
        afterwards,
      },
    );
  } finally {
    if (isAnew) {
      tell('duckdb-rebuilt', 'kb.duckdb was damaged or gone, and made anew.', null, 'warn');
      views.request();
    }
  }
};

/** Throws where the swap of `needed` cannot be settled; what keeps another stream's is told where views are made. */
const settleAll = async (
  paths: OpenKnowledgebase['paths'],
  ledger: OpenKnowledgebase['ledger'],
  connection: DuckDBConnection,
  needed: string,
): Promise<void> => {
  const faults = await settleIn(paths, ledger, connection, unsettled(paths));
  faults.push(...(await settleLedger(paths, ledger)));
  const own = faults.find(({ stream }) => stream === needed);
  if (own) throw new AppError('compaction_differs', `${unsettledWords(own)} ${OTHERS}`);
};

const OTHERS = 'No other stream is touched by it.';
