// READ THIS FIRST. Owns the way of a batch: parse -> land -> record -> announce, and where it leaves that way.
// Never reads HTTP and never draws an answer; ingest/ does.
//
//   POST body ──> parse ──> land ──────────────> record ──> announce ──> 200
//                   │         │                     │
//                   │         ├─ id has a file ──> same body: replayed 200, other body: rejected 422
//                   │         └─ disk full ──────> 507, nothing landed
//                   └─ any fault ──> body and reason into failed/, durable ──> record ──> 400
//
// parse (ingest/ndjson) and land (lake/land, rejects/keep) run on landing threads (landing/): one thread takes a
// group of batches, writes and syncs each file, publishes them, and syncs the folder once for the group. Record
// (engine/recorder) writes the outcomes of one turn of the event loop in one transaction. A batch is durable
// before it is recorded, and recorded before it is answered; a crash in between is mended by engine/recover.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { removeQuietly, syncFolder } from './durable.ts';
import type { OpenKnowledgebase } from './engine/open.ts';
import type { OpenStream } from './engine/streams.ts';
import { AppError, type ErrorCode } from './errors.ts';
import { fold, isBatchId, newBatchId } from './ids.ts';
import type { LandingPool, NameFields } from './landing/pool.ts';
import type { JobResult, KeptReject, LandedFile } from './landing/protocol.ts';
import type { Batch, Fault, Landing, LiveNews } from './model.ts';
import { atStep } from './steps.ts';

/** The most columns a stream may have. */
const MAX_COLUMNS = 2_000;

/** One batch as it came in. */
export interface Delivery {
  /** The unpacked body, in a buffer of its own: it is handed over. */
  readonly body: Uint8Array;
  /** The producer's batch id; undefined where it sent none. */
  readonly batchId: string | undefined;
  readonly sender: string | null;
  readonly contentType: string | null;
  readonly receivedAt: string;
  /** A fault that was found before the body could be parsed (media type, encoding): the body is kept with it. */
  readonly fault?: Fault;
}

export interface Pipeline {
  /**
   * Lands a batch, durably. Throws an AppError with a code of the catalogue's first part when it was rejected
   * (body and reason are kept; `details` has reject_id, line, column, errors, error_count), `disk_full`,
   * `folder_not_writable`.
   */
  land(knowledgebase: OpenKnowledgebase, stream: OpenStream, delivery: Delivery): Promise<Landing>;
  /** Counts a POST that was refused at the door. */
  refuse(knowledgebase: OpenKnowledgebase, stream: OpenStream, code: ErrorCode): void;
}

/** A pipeline over landing threads; `announce` hears of every outcome after it is recorded. */
export const openPipeline = (pool: LandingPool, announce: (news: LiveNews) => void): Pipeline => {
  // Requests with one id wait for each other here, so that the second finds what the first left.
  const busyIds = new Map<string, Promise<unknown>>();

  const oneAtATime = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = busyIds.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const quiet = mine.catch(() => {});
    busyIds.set(key, quiet);
    try {
      return await mine;
    } finally {
      if (busyIds.get(key) === quiet) busyIds.delete(key);
    }
  };

  const landOnce = async (
    knowledgebase: OpenKnowledgebase,
    stream: OpenStream,
    batchId: string,
    delivery: Delivery,
  ): Promise<Landing> => {
    const { body, sender, contentType, receivedAt } = delivery;
    const base = { place: stream.place, batchId, body, sender, contentType, receivedAt };
    const known =
      delivery.batchId === undefined
        ? undefined
        : knowledgebase.ledger().batches.get(stream.id, batchId);
    const bodyBytes = body.length;
    const result = await pool.run(
      delivery.fault
        ? { ...base, kind: 'reject', fault: delivery.fault }
        : {
            ...base,
            kind: 'land',
            registered: stream.settings().columns,
            landedSha256: known?.sha256 ?? null,
            isFresh: delivery.batchId === undefined,
          },
    );
    const outcome = { knowledgebase, stream, batchId, delivery, bodyBytes };
    return finish(outcome, result, known);
  };

  const finish = async (
    outcome: Omit<Finished, 'announce'>,
    result: JobResult,
    known: Batch | undefined,
  ): Promise<Landing> => {
    switch (result.kind) {
      case 'landed':
        return recordLanded({ ...outcome, announce }, result.landed);
      case 'replayed':
        return recordReplayed({ ...outcome, announce }, result.found, known);
      case 'rejected':
        throw await recordRejected({ ...outcome, announce }, result.reject);
      case 'failed':
        throw failureOf(outcome, result, announce);
    }
  };

  return {
    land: (knowledgebase, stream, delivery) => {
      const batchId = delivery.batchId ?? idOfBody(stream, delivery);
      if (batchId === undefined) {
        return landOnce(knowledgebase, stream, newBatchId(), delivery);
      }
      if (!isBatchId(batchId)) {
        const message = 'The batch id cannot be used as a file name.';
        const fault = { code: 'invalid_batch_id', message, line: null, column: null } as const;
        return landOnce(knowledgebase, stream, newBatchId(), {
          ...delivery,
          batchId: undefined,
          fault,
        });
      }
      return oneAtATime(`${stream.place.mapKey}\n${fold(batchId)}`, () =>
        landOnce(knowledgebase, stream, batchId, { ...delivery, batchId }),
      );
    },
    refuse: (knowledgebase, stream, code) => {
      const at = new Date().toISOString();
      void knowledgebase.recorder.record({ kind: 'refused', stream: stream.id, code, at });
      announce({ kind: 'refused', knowledgebase: knowledgebase.id, stream: stream.id, code, at });
    },
  };
};

/** The id of a batch that is known by its body, on streams that are set so; its producer sent none. */
const idOfBody = (stream: OpenStream, { body }: Delivery): string | undefined =>
  stream.settings().recognise_equal_bodies
    ? `body-${createHash('sha256').update(body).digest('hex')}`
    : undefined;

/** Gives new fields their columns, in the ledger of the knowledgebase that `find` knows by a name map's key. */
export const nameFieldsIn =
  (find: (mapKey: string) => OpenKnowledgebase | undefined): NameFields =>
  (place, batchId, fields) => {
    const knowledgebase = find(place.mapKey);
    if (!knowledgebase) throw new Error(`${place.knowledgebase} is not open.`);
    const ledger = knowledgebase.ledger();
    const { columns } = ledger;
    return ledger.transaction(() => {
      const count = columns.count(place.stream);
      if (fields.length === 0 && count === 0) {
        const message = 'No record has a field, and the stream has no columns yet.';
        return { landed: [], fault: { code: 'no_columns', message, line: null, column: null } };
      }
      const fresh = fields.filter(({ source }) => columns.find(place.stream, source) === undefined);
      const over = fresh[MAX_COLUMNS - count];
      if (over) {
        const message = `Line ${over.line}: with the field "${over.source.slice(0, 60)}" the stream would have more than ${MAX_COLUMNS} columns.`;
        return {
          landed: [],
          fault: { code: 'too_many_columns', message, line: over.line, column: null },
        };
      }
      const at = new Date().toISOString();
      const registered = knowledgebase.streams.get(place.stream).settings().columns ?? [];
      // A registered column was spelled first when it was registered.
      const spelled = (source: string): string =>
        registered.find((column) => fold(column) === fold(source)) ?? source;
      const landed = fields.map(({ source }) =>
        columns.add(place.stream, spelled(source), batchId, at),
      );
      return { landed, fault: null };
    });
  };

/** What is known of a delivery when its landing has ended. */
interface Finished {
  readonly knowledgebase: OpenKnowledgebase;
  readonly stream: OpenStream;
  readonly batchId: string;
  readonly delivery: Delivery;
  readonly bodyBytes: number;
  readonly announce: (news: LiveNews) => void;
}

const batchOf = ({ stream, batchId }: Finished, file: LandedFile, recovered: boolean): Batch => ({
  ...file,
  stream: stream.id,
  batchId,
  landedFile: null,
  rowInFile: 0,
  replays: 0,
  lastReplayedAt: null,
  recovered,
});

const recordLanded = async (finished: Finished, landed: LandedFile): Promise<Landing> => {
  const { knowledgebase, stream, batchId, announce } = finished;
  atStep('ledger');
  const batch = batchOf(finished, landed, false);
  await knowledgebase.recorder.record({ kind: 'landed', batch });
  if (finished.delivery.batchId !== undefined) {
    const kept = knowledgebase.ledger().batches.get(stream.id, batchId);
    if (kept && (kept.landedFile ?? kept.file) !== landed.file)
      return giveWay(finished, batch, kept);
  }
  knowledgebase.views.requestFor(stream.id);
  const { rows, sizeBytes, receivedAt, landedAt } = landed;
  announce({
    ...{ kind: 'landed', knowledgebase: knowledgebase.id, stream: stream.id, batchId },
    ...{ rows, sizeBytes, lagMs: Date.parse(landedAt) - Date.parse(receivedAt), at: landedAt },
  });
  const { bodyBytes } = landed;
  return { batch_id: batchId, rows, bytes: bodyBytes, replayed: false, landed_at: landedAt };
};

/**
 * Another process landed another spelling of this id in the same instant: both names were free, but the ledger takes
 * one. The file that it does not have goes before anybody is answered.
 */
const giveWay = async (finished: Finished, mine: Batch, kept: Batch): Promise<Landing> => {
  const { data } = finished.stream.paths;
  removeQuietly(join(data, mine.file));
  syncFolder(data);
  if (kept.sha256 === mine.sha256) return recordReplayed(finished, null, kept);
  throw new AppError(
    'batch_id_conflict',
    `The batch id "${mine.batchId}" has landed with a different body.`,
  );
};

const recordReplayed = async (
  finished: Finished,
  found: LandedFile | null,
  known: Batch | undefined,
): Promise<Landing> => {
  const { knowledgebase, stream, batchId, announce } = finished;
  const batch = known ?? (found ? batchOf(finished, found, true) : undefined);
  if (!batch) throw new Error(`The replay of ${batchId} names no batch.`);
  const at = new Date().toISOString();
  await knowledgebase.recorder.record({
    ...{ kind: 'replayed', stream: stream.id, batchId, at },
    found: found && batch,
  });
  announce({ kind: 'replayed', knowledgebase: knowledgebase.id, stream: stream.id, batchId, at });
  const { rows, bodyBytes, landedAt } = batch;
  return { batch_id: batch.batchId, rows, bytes: bodyBytes, replayed: true, landed_at: landedAt };
};

const recordRejected = async (finished: Finished, reject: KeptReject): Promise<AppError> => {
  const { knowledgebase, stream, batchId, delivery, announce } = finished;
  const { rejectId, repeated, faults, faultCount, sha256, bodyBytes } = reject;
  const first = faults[0] as Fault;
  const { code, message, line, column } = first;
  const at = delivery.receivedAt;
  await knowledgebase.recorder.record({
    kind: 'rejected',
    repeated,
    reject: {
      ...{ stream: stream.id, rejectId, batchId, state: 'open', code, message, line, column },
      ...{ faultCount, sender: delivery.sender, receivedAt: at, lastReceivedAt: at, times: 1 },
      ...{ bodyBytes, sha256 },
    },
  });
  announce({
    kind: 'rejected',
    knowledgebase: knowledgebase.id,
    stream: stream.id,
    rejectId,
    code,
    at,
  });
  return new AppError(code, message, {
    details: {
      ...{ line, column, errors: faults, error_count: faultCount },
      ...{ reject_id: rejectId, batch_id: batchId },
    },
  });
};

/** A full disk is the producer's to know of; anything else is a bug, or trouble with the folder. Both are counted. */
const failureOf = (
  { knowledgebase, stream }: Omit<Finished, 'announce'>,
  result: Extract<JobResult, { kind: 'failed' }>,
  announce: (news: LiveNews) => void,
): Error => {
  const code = result.code ?? 'internal';
  const at = new Date().toISOString();
  void knowledgebase.recorder.record({ kind: 'refused', stream: stream.id, code, at });
  announce({ kind: 'refused', knowledgebase: knowledgebase.id, stream: stream.id, code, at });
  if (result.code) return new AppError(result.code, result.message);
  const bug = new Error(result.message);
  if (result.stack) bug.stack = result.stack;
  return bug;
};
