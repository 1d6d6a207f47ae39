// Owns how a landing's end is recorded, announced and answered: landed, repaired, replayed, rejected, failed.
// Never lands anything itself.

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { rejectFiles } from '../knowledgebase/paths.ts';
import type { JobResult, KeptReject, LandedFile } from '../landing/protocol.ts';
import type { Attempt, Batch, Fault, Landing, LiveNews, Reject } from '../model.ts';
import { idConflict } from '../rejects/check.ts';
import { readReason } from '../rejects/keep.ts';
import { rejectOf } from '../rejects/recorded.ts';
import { atStep } from '../steps.ts';
import type { Delivery, Repair } from './delivery.ts';
import { hasRowsOf, isElsewhere, keptFor } from './kept-instead.ts';
import type { OpenKnowledgebase } from './open.ts';
import type { OpenStream } from './streams.ts';

/** What is known of a delivery when its landing has ended. */
export interface Finished {
  readonly knowledgebase: OpenKnowledgebase;
  readonly stream: OpenStream;
  readonly batchId: string;
  readonly delivery: Delivery;
  readonly bodyBytes: number;
  readonly announce: (news: LiveNews) => void;
}

/** Records and announces how a landing ended; gives the answer or throws the error that is one. */
export const finish = async (outcome: Finished, result: JobResult): Promise<Landing> => {
  switch (result.kind) {
    case 'landed':
      return recordLanded(outcome, result.landed, result.part);
    case 'replayed':
      return recordReplayed(outcome, result.batchId, result.found);
    case 'rejected':
      throw await recordRejected(outcome, result.reject);
    case 'unfit':
      throw faultsOf(result.faults, result.faultCount, {});
    case 'failed':
      throw failureOf(outcome, result);
  }
};

const batchOf = ({ stream, batchId }: Finished, file: LandedFile, recovered: boolean): Batch => ({
  stream: stream.id,
  batchId,
  file: file.file,
  rows: file.rows,
  sizeBytes: file.sizeBytes,
  bodyBytes: file.bodyBytes,
  sha256: file.sha256,
  sender: file.sender,
  receivedAt: file.receivedAt,
  landedAt: file.landedAt,
  rejectId: file.rejectId,
  rejectSha256: file.rejectSha256,
  partRejectId: file.partRejectId,
  linesRejected: file.linesRejected,
  landedFile: null,
  rowInFile: 0,
  replays: 0,
  lastReplayedAt: null,
  recovered,
});

const recordLanded = async (
  finished: Finished,
  landed: LandedFile,
  badLines: KeptReject | null,
): Promise<Landing> => {
  const { knowledgebase, batchId, delivery } = finished;
  const batch = batchOf(finished, landed, false);
  const part = badLines && { ...keptReject(finished, badLines), partOf: batchId };
  if (delivery.repair) return recordRepaired(finished, batch, part);
  atStep('ledger');
  const idGiven = delivery.batchId !== undefined;
  await knowledgebase.recorder.record({ kind: 'landed', batch, part, idGiven });
  const kept = idGiven ? keptFor(knowledgebase.ledger(), batch) : undefined;
  if (kept && isElsewhere(kept, batch)) {
    const isRemoved = await giveWay(finished, batch);
    if (!hasRowsOf(kept, batch)) {
      // The body has been handed over; the one that is sent again is kept with its conflict, as any other is.
      const message = `The batch id "${batchId}" landed with a different body in this moment.`;
      throw notNow(finished, message);
    }
    // Else it is this file itself that is compacted already.
    if (isRemoved) return recordReplayed(finished, kept.batchId, null);
  }
  announceLanded(finished, batch, part);
  return answerOf(batch, false);
};

const announceLanded = (finished: Finished, batch: Batch, part: Reject | null): void => {
  const { knowledgebase, stream, batchId, delivery, announce } = finished;
  knowledgebase.views.requestFor(stream.id);
  const { rows, sizeBytes, receivedAt, landedAt } = batch;
  const from = delivery.repair?.attempt.at ?? receivedAt;
  announce({
    ...{ kind: 'landed', knowledgebase: knowledgebase.id, stream: stream.id, batchId },
    ...{ rows, sizeBytes, lagMs: Date.parse(landedAt) - Date.parse(from), at: landedAt },
  });
  if (part) announceRejected(finished, part);
};

const announceRejected = (finished: Finished, { rejectId, code }: Reject): void => {
  const { knowledgebase, stream, delivery, announce } = finished;
  knowledgebase.rejectIndex.request();
  announce({
    kind: 'rejected',
    ...{ knowledgebase: knowledgebase.id, stream: stream.id, rejectId, code },
    at: delivery.repair?.attempt.at ?? delivery.receivedAt,
  });
};

/** The answer to a batch that is in data/; the same whenever it is asked for. */
const answerOf = (batch: Batch, replayed: boolean): Landing => {
  const { batchId, rows, bodyBytes, landedAt, partRejectId, linesRejected } = batch;
  return {
    ...{ batch_id: batchId, rows, bytes: bodyBytes, replayed, landed_at: landedAt },
    ...(partRejectId === null ? {} : { rejected: linesRejected, reject_id: partRejectId }),
  };
};

/**
 * A reject has landed, now or before: its batch, its state and the try are one transaction. A batch that was known
 * before is not announced again.
 */
export const recordRepaired = async (
  finished: Finished,
  batch: Batch,
  part: Reject | null,
  was: 'known' | 'new' = 'new',
): Promise<Landing> => {
  const { knowledgebase, stream, delivery } = finished;
  const { rejectId, operation, attempt } = delivery.repair as Repair;
  atStep('repaired');
  const { batchId, rows } = batch;
  const { at, by } = attempt;
  const landed: Attempt = {
    ...attempt,
    ...{ outcome: 'landed', batchId, rows, fault: null, faultCount: 0 },
  };
  await knowledgebase.recorder.record({
    ...{ kind: 'repaired', stream: stream.id, rejectId, batch, part, attempt: landed },
    change: { state: 'replayed', at, by, operation, landedAs: batchId },
  });
  if (was === 'new') {
    const kept = keptFor(knowledgebase.ledger(), batch);
    if (kept && isElsewhere(kept, batch)) {
      await giveWay(finished, batch);
      if (hasRowsOf(kept, batch)) return answerOf(kept, false);
      throw faultsOf([idConflict(batchId)], 1, {});
    }
    announceLanded(finished, batch, part);
  }
  return answerOf(batch, false);
};

/** How long who sent a batch waits for queries that may be reading its file. */
const READERS_PATIENCE_MS = 15_000;

/**
 * Another process landed this id since it was looked up here: in another spelling, on another day, or so long ago that
 * it is compacted by now. The name was free, but the ledger takes one. The file that it does not have goes before
 * anybody is answered; where queries last too long it goes after them, and who sent it is told to send it again.
 */
const giveWay = async (finished: Finished, mine: Batch): Promise<boolean> => {
  const stopped = new AbortController();
  const isRemoved = await Promise.race([
    finished.knowledgebase.extras.remove(mine),
    wait(READERS_PATIENCE_MS, null, stopped),
  ]);
  stopped.abort();
  if (isRemoved !== null) return isRemoved;
  throw notNow(finished, `Queries are still reading what landed twice as "${mine.batchId}".`);
};

const notNow = (finished: Finished, message: string): Error =>
  failureOf(finished, { code: 'not_ready', message, stack: null });

const recordReplayed = async (
  finished: Finished,
  batchId: string,
  found: LandedFile | null,
): Promise<Landing> => {
  const { knowledgebase, stream, delivery, announce } = finished;
  const known = knowledgebase.ledger().batches.get(stream.id, batchId);
  const batch = known ?? (found ? batchOf(finished, found, true) : undefined);
  if (!batch) throw new Error(`The replay of ${batchId} names no batch.`);
  const part = found && partOf(stream, batch);
  if (delivery.repair) return recordRepaired(finished, batch, part, known ? 'known' : 'new');
  const at = new Date().toISOString();
  await knowledgebase.recorder.record({
    ...{ kind: 'replayed', stream: stream.id, batchId, at, part },
    found: found && batch,
  });
  announce({ kind: 'replayed', knowledgebase: knowledgebase.id, stream: stream.id, batchId, at });
  return answerOf(batch, true);
};

/** The bad lines of a batch that was found in the folder, as they were kept. */
const partOf = (stream: OpenStream, { partRejectId }: Batch): Reject | null => {
  if (partRejectId === null) return null;
  const reason = readReason(join(stream.paths.failed, rejectFiles(partRejectId).reason));
  return reason ? rejectOf(stream.id, reason) : null;
};

/** What was kept, as the ledger has it. */
const keptReject = (
  { stream, batchId, delivery }: Finished,
  { rejectId, faults, faultCount, sha256, bodyBytes, cause }: KeptReject,
): Reject => {
  const { code, message, line, column } = faults[0] as Fault;
  const { receivedAt: at, sender } = delivery;
  return {
    ...{ stream: stream.id, rejectId, batchId, state: 'open', code, message, line, column },
    ...{ field: cause.field, shape: cause.shape, faultCount, sender },
    ...{ receivedAt: at, lastReceivedAt: at, times: 1, bodyBytes, sha256 },
    ...{ changedAt: null, changedBy: null, landedAs: null, partOf: null },
    ...{ bodyRemovedAt: null, attempts: 0 },
  };
};

const recordRejected = async (finished: Finished, kept: KeptReject): Promise<AppError> => {
  const reject = keptReject(finished, kept);
  const { rejectId, batchId } = reject;
  await finished.knowledgebase.recorder.record({
    ...{ kind: 'rejected', repeated: kept.repeated, reject },
  });
  announceRejected(finished, reject);
  const { faults, faultCount } = kept;
  return faultsOf(faults, faultCount, { reject_id: rejectId, batch_id: batchId });
};

/** The error that faults of a batch are. */
const faultsOf = (
  faults: readonly Fault[],
  faultCount: number,
  more: Readonly<Record<string, unknown>>,
): AppError => {
  const { code, message, line, column } = faults[0] as Fault;
  return new AppError(code, message, {
    details: { line, column, errors: faults, error_count: faultCount, ...more },
  });
};

type Failed = Pick<Extract<JobResult, { kind: 'failed' }>, 'code' | 'message' | 'stack'>;

/** A full disk is the producer's to know of; anything else is a bug, or trouble with the folder. Both are counted. */
const failureOf = (
  { knowledgebase, stream, delivery, announce }: Finished,
  result: Failed,
): Error => {
  const code = result.code ?? 'internal';
  const at = new Date().toISOString();
  // The try of a repair is no POST that was refused.
  if (delivery.repair) return errorOf(result);
  void knowledgebase.recorder.record({ kind: 'refused', stream: stream.id, code, at });
  announce({ kind: 'refused', knowledgebase: knowledgebase.id, stream: stream.id, code, at });
  return errorOf(result);
};

const errorOf = (result: Failed): Error => {
  if (result.code) return new AppError(result.code, result.message);
  const bug = new Error(result.message);
  if (result.stack) bug.stack = result.stack;
  return bug;
};
