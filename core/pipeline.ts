// READ THIS FIRST. Owns the way of a batch: parse -> land -> record -> announce, and where it leaves that way.
// Never reads HTTP and never draws an answer; ingest/ does.
//
//   POST body ──> parse ──> land ──────────────> record ──> announce ──> 200
//                   │         │                     │
//                   │         ├─ id has a file ──> same body: replayed 200, other body: rejected 422
//                   │         └─ disk full ──────> 507, nothing landed
//                   └─ any fault ──> body and reason into failed/, durable ──> record ──> 400
//                        └─ a stream that lands in part: bad lines into failed/, the good ones go on
//
// A reject that is mended (engine/rejects/replay) comes the same way, as a delivery that repairs it: it lands as a
// batch that names it, or stays open. Its body as it came is known from then on as that batch's, so that its
// producer's late retry is a replay.
//
// parse (ingest/ndjson) and land (lake/land, rejects/keep) run on landing threads (landing/): one thread takes a
// group of batches, writes and syncs each file, publishes them, and syncs the folder once for the group. Record
// (engine/recorder) writes the outcomes of one turn of the event loop in one transaction. A batch is durable
// before it is recorded, and recorded before it is answered; a crash in between is mended by engine/recover.

import { createHash } from 'node:crypto';
import type { Delivery, Repair } from './engine/delivery.ts';
import type { OpenKnowledgebase } from './engine/open.ts';
import { finish, recordRepaired } from './engine/outcomes.ts';
import type { OpenStream } from './engine/streams.ts';
import type { ErrorCode } from './errors.ts';
import { fold, isBatchId, newBatchId } from './ids.ts';
import type { LandingPool } from './landing/pool.ts';
import type { LandTask, Repairs } from './landing/protocol.ts';
import type { Ledger } from './ledger/open.ts';
import type { Batch, Landing, LiveNews } from './model.ts';

export interface Pipeline {
  /**
   * Lands a batch, durably. Throws an AppError with a code of the catalogue's first part when it was rejected
   * (body and reason are kept; `details` has reject_id, line, column, errors, error_count), `disk_full`,
   * `folder_not_writable`. Of a repair nothing more is kept, and `details` has no reject_id.
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
    const { body, sender, contentType, receivedAt, fault, repair } = delivery;
    const isFresh = delivery.batchId === undefined;
    const ledger = isFresh ? undefined : knowledgebase.ledger();
    const known = ledger?.batches.get(stream.id, batchId);
    const bodyBytes = body.length;
    const outcome = { knowledgebase, stream, batchId, delivery, bodyBytes, announce };
    const landed = repair && landedOf(knowledgebase.ledger(), stream, repair, known);
    if (landed) return recordRepaired(outcome, landed, null, 'known');
    const settings = stream.settings();
    const result = await pool.run(
      stream.place,
      body,
      fault
        ? { kind: 'reject', batchId, sender, contentType, receivedAt, fault }
        : {
            kind: 'land',
            batchId,
            sender,
            contentType,
            receivedAt,
            registered: settings.columns,
            dateFolders: settings.date_folders,
            landedAs: ledger ? landedAs(ledger, stream, batchId, known) : [],
            isTaken: known !== undefined,
            isFresh,
            partial: repair ? repair.partial : settings.partial_landing,
            repairs: repair ? repairsOf(repair) : null,
          },
    );
    return finish(outcome, result);
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
      const keyOf = (id: string): string => `${stream.place.mapKey}\n${fold(id)}`;
      const landing = (): Promise<Landing> =>
        oneAtATime(keyOf(batchId), () =>
          landOnce(knowledgebase, stream, batchId, { ...delivery, batchId }),
        );
      const came = delivery.repair?.batchId ?? batchId;
      // A reject that lands under an id of its own keeps its producer's retry, under the id it came with, waiting.
      return fold(came) === fold(batchId) ? landing() : oneAtATime(keyOf(came), landing);
    },
    refuse: (knowledgebase, stream, code) => {
      const at = new Date().toISOString();
      void knowledgebase.recorder.record({ kind: 'refused', stream: stream.id, code, at });
      announce({ kind: 'refused', knowledgebase: knowledgebase.id, stream: stream.id, code, at });
    },
  };
};

/** Bodies that have come under this id and landed: as the batch of this id, or as rejects that landed under another. */
const landedAs = (
  ledger: Ledger,
  stream: OpenStream,
  batchId: string,
  known: Batch | undefined,
): LandTask['landedAs'] => [
  ...(known ? bodiesOf(known) : []),
  ...ledger.rejects
    .landedUnder(stream.id, batchId)
    .map((reject) => ({ sha256: reject.sha256, batchId: reject.landedAs })),
];

/**
 * The batch that a reject has landed as: this very reject, or the body as it came, which its producer sent again and
 * the stream took, or which was rejected twice. Under another id it would be there twice.
 */
const landedOf = (
  ledger: Ledger,
  stream: OpenStream,
  { rejectId, batchId, sha256 }: Repair,
  known: Batch | undefined,
): Batch | undefined => {
  if (known?.rejectId === rejectId) return known;
  const came = ledger.batches.get(stream.id, batchId);
  const same = landedAs(ledger, stream, batchId, came).find((landed) => landed.sha256 === sha256);
  return same && ledger.batches.get(stream.id, same.batchId);
};

/** The bodies that a landed batch's id stands for: its own, and the one that it was repaired from. */
const bodiesOf = ({ batchId, sha256, rejectSha256 }: Batch) =>
  [sha256, ...(rejectSha256 === null ? [] : [rejectSha256])].map((one) => ({
    sha256: one,
    batchId,
  }));

const repairsOf = ({ rejectId, sha256, sources, attempt }: Repair): Repairs => ({
  ...{ rejectId, sha256, sources },
  attempt: JSON.stringify(attempt),
});

/** The id of a batch that is known by its body, on streams that are set so; its producer sent none. */
const idOfBody = (stream: OpenStream, { body }: Delivery): string | undefined =>
  stream.settings().recognise_equal_bodies
    ? `body-${createHash('sha256').update(body).digest('hex')}`
    : undefined;
