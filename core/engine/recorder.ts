// Owns writing outcomes of POSTs to the ledger: those of one turn of the event loop in one transaction.
// Never decides an outcome.

import type { ErrorCode } from '../errors.ts';
import { fold } from '../ids.ts';
import type { Ledger } from '../ledger/open.ts';
import type { RejectChange } from '../ledger/rejects.ts';
import type { Attempt, Batch, Reject } from '../model.ts';
import { sqliteCode } from '../sqlite.ts';
import { atStep } from '../steps.ts';
import { hasRowsOf, keptFor, twinOf } from './kept-instead.ts';

/** How a POST ended, as the ledger counts it. Each is exactly one POST received, but for `repaired`. */
export type Outcome =
  /**
   * `part` holds the bad lines, where the batch landed in part; it is no POST of its own. Nothing is recorded where the
   * batch's id, or the same body under it, has a file already: see kept-instead.ts. `idGiven` is that its producer named
   * it, without which that cannot be.
   */
  | {
      readonly kind: 'landed';
      readonly batch: Batch;
      readonly part: Reject | null;
      readonly idGiven?: boolean;
    }
  /**
   * A reject landed later, by a person or a recipe: that is no POST either. Where its id has another file already, the
   * reject has landed as that if the rows are its own, and else stays as it is.
   */
  | {
      readonly kind: 'repaired';
      readonly batch: Batch;
      readonly part: Reject | null;
      readonly stream: string;
      readonly rejectId: string;
      readonly change: RejectChange;
      readonly attempt: Attempt;
    }
  /** `found` is the batch as its file describes it, where the ledger may not know it. */
  | {
      readonly kind: 'replayed';
      readonly stream: string;
      readonly batchId: string;
      readonly at: string;
      readonly found: Batch | null;
      readonly part: Reject | null;
    }
  | { readonly kind: 'rejected'; readonly reject: Reject; readonly repeated: boolean }
  | {
      readonly kind: 'refused';
      readonly stream: string;
      readonly code: ErrorCode;
      readonly at: string;
    };

export interface Recorder {
  /**
   * Resolves when the outcome is in the ledger. While the ledger cannot be written (its disk is full), what is on
   * disk in the stream's folder still counts: the outcome waits and is tried again, and the promise resolves.
   */
  record(outcome: Outcome): Promise<void>;
  /** Writes what waits. Throws when it cannot. */
  flush(): void;
  /** Outcomes that could not be written yet. */
  readonly waiting: number;
  /** Rows that this recorder has added to a stream. */
  rowsOf(stream: string): number;
  close(): void;
}

interface Entry {
  readonly outcome: Outcome;
  readonly resolve: () => void;
}

const RETRY_MS = 1_000;

/** A recorder over the ledger that `ledger()` gives at the moment of each write. */
export const openRecorder = (
  ledger: () => Ledger,
  onTrouble: (error: unknown) => void,
): Recorder => {
  let entries: Entry[] = [];
  let scheduled = false;
  let retry: NodeJS.Timeout | undefined;
  const rowsOf = new Map<string, number>();

  const note = ({ stream, rows }: Batch): void => {
    rowsOf.set(stream, (rowsOf.get(stream) ?? 0) + rows);
  };

  const writeAll = (): void => {
    if (entries.length === 0) return;
    const now = entries;
    const target = ledger();
    const added = target.transaction(() => now.flatMap(({ outcome }) => write(target, outcome)));
    for (const batch of added) note(batch);
    settle(now.length);
  };

  /** One by one, so that an outcome which is at fault itself is logged and passed over, and stops no other. */
  const writeEach = (): void => {
    while (entries.length > 0) {
      const { outcome } = entries[0] as Entry;
      try {
        const target = ledger();
        for (const batch of target.transaction(() => write(target, outcome))) note(batch);
      } catch (error) {
        if (isPassing(error)) throw error;
        onTrouble(error);
      }
      settle(1);
    }
  };

  const settle = (count: number): void => {
    const done = entries.slice(0, count);
    entries = entries.slice(count);
    atStep('answer');
    for (const { resolve } of done) resolve();
  };

  const flush = (): void => {
    scheduled = false;
    try {
      writeAll();
    } catch (error) {
      if (isPassing(error)) throw error;
      writeEach();
    }
  };

  const tryFlush = (): void => {
    try {
      flush();
    } catch (error) {
      onTrouble(error);
      for (const { resolve } of entries) resolve();
      retry ??= setTimeout(() => {
        retry = undefined;
        tryFlush();
      }, RETRY_MS).unref();
    }
  };

  return {
    record: (outcome) =>
      new Promise((resolve) => {
        entries.push({ outcome, resolve });
        if (scheduled) return;
        scheduled = true;
        setImmediate(tryFlush);
      }),
    flush,
    get waiting() {
      return entries.length;
    },
    rowsOf: (stream) => rowsOf.get(stream) ?? 0,
    close: () => clearTimeout(retry),
  };
};

/**
 * Writes one outcome; the caller has a transaction open. The same outcome written twice counts once where it has an id.
 * Gives the batch that it added, if it did.
 */
const write = (ledger: Ledger, outcome: Outcome): Batch[] => {
  switch (outcome.kind) {
    case 'landed':
      return outcome.idGiven && twinOf(ledger, outcome.batch)
        ? []
        : addWithPart(ledger, outcome.batch, outcome.part);
    case 'repaired': {
      const { stream, rejectId, change, attempt, batch, part } = outcome;
      const kept = keptFor(ledger, batch);
      if (kept && !hasRowsOf(kept, batch)) return [];
      const isTwin = kept !== undefined && fold(kept.batchId) !== fold(batch.batchId);
      const added = isTwin ? [] : addWithPart(ledger, batch, part);
      const { batchId, rows } = kept ?? batch;
      markRepaired(ledger, stream, rejectId, { ...change, landedAs: batchId });
      ledger.attempts.add(stream, rejectId, { ...attempt, batchId, rows });
      return added;
    }
    case 'replayed': {
      const { found, part } = outcome;
      const added = found ? addWithPart(ledger, found, part) : [];
      ledger.batches.countReplay(outcome.stream, outcome.batchId, outcome.at);
      ledger.streams.countReceived(outcome.stream, 1);
      return added;
    }
    case 'rejected':
      addReject(ledger, outcome.reject, outcome.repeated);
      return [];
    case 'refused':
      ledger.refusals.count(outcome.stream, outcome.code, outcome.at);
      ledger.streams.countReceived(outcome.stream, 1);
      return [];
  }
};

const addWithPart = (ledger: Ledger, batch: Batch, part: Reject | null): Batch[] => {
  const isAdded = addBatch(ledger, batch);
  addPart(ledger, batch, part);
  return isAdded ? [batch] : [];
};

/** Records a landed batch once: one that a restart had found in its folder before is claimed, not counted again. */
export const addBatch = (ledger: Ledger, batch: Batch): boolean => {
  if (!ledger.batches.add(batch)) {
    if (!batch.recovered) ledger.batches.claim(batch);
    return false;
  }
  const { stream, rows, sizeBytes, landedAt, rejectId } = batch;
  ledger.streams.addLanded(stream, rows, sizeBytes, landedAt, rejectId === null ? 1 : 0);
  return true;
};

/** Records the bad lines of a batch, where it is the batch that is recorded under its id. */
const addPart = (ledger: Ledger, { stream, batchId }: Batch, part: Reject | null): void => {
  const kept = part && ledger.batches.get(stream, batchId);
  if (part && kept?.partRejectId === part.rejectId) ledger.rejects.add(part);
};

/** A reject has landed: that is so whatever somebody else did to it meanwhile. */
export const markRepaired = (
  ledger: Ledger,
  stream: string,
  rejectId: string,
  change: RejectChange,
): void => {
  if (!ledger.rejects.change(stream, rejectId, 'open', change)) {
    ledger.rejects.change(stream, rejectId, 'discarded', change);
  }
};

/** Records a reject once; the same body under the same batch id counts on the reject that is there. */
export const addReject = (ledger: Ledger, reject: Reject, repeated: boolean): void => {
  if (ledger.rejects.add(reject)) {
    ledger.streams.countReceived(reject.stream, reject.times);
  } else if (repeated) {
    ledger.rejects.countAgain(reject.stream, reject.rejectId, reject.lastReceivedAt);
    ledger.streams.countReceived(reject.stream, 1);
  }
};

/** Whether the ledger may take the same write later: its disk is full, or another process is writing for long. */
const isPassing = (error: unknown): boolean =>
  /^SQLITE_(FULL|BUSY|IOERR|CANTOPEN|READONLY)/.test(sqliteCode(error) ?? '');
