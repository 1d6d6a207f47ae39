// Owns what one landing thread does with a group of jobs: parse, name, encode, stage, publish, sync, answer.
// Never records: the ledger belongs to the main thread. Blocking calls are meant; nothing else runs here.

import crypto from 'node:crypto';
import { dirname, join } from 'node:path';
import { diskFault, errnoOf } from '../durable.ts';
import { AppError } from '../errors.ts';
import { fold } from '../ids.ts';
import { parseBatch } from '../ingest/ndjson/parse-batch.ts';
import { describeFile, metadataOf, stageFile } from '../lake/land.ts';
import type { Codec } from '../lake/parquet/codec.ts';
import { encodeBatch } from '../lake/parquet/encode-batch.ts';
import type { Fault, ParsedBatch, ParsedColumn } from '../model.ts';
import { keepReject } from '../rejects/keep.ts';
import type { Job, JobResult, LandedFile, LandJob, NewField } from './protocol.ts';
import { openPublisher, syncAround } from './publish.ts';

/** Asks the main thread for the columns of new fields; throws the fault's text when they cannot be given. */
export type AskNames = (
  jobId: number,
  fields: readonly NewField[],
) => Promise<{ landed: readonly string[]; fault: Fault | null }>;

/** A job on its way: either how it ended, or the file that is staged for it. */
type Progress =
  | { readonly result: JobResult }
  | {
      readonly job: LandJob;
      readonly staged: string;
      readonly landed: Omit<LandedFile, 'file' | 'landedAt'>;
    };

/** One landing thread. */
export interface LandingThread {
  /**
   * Runs a group of jobs. Each file is synced on its own; each folder once for the group, after every file of
   * it has its name. No result is given before the folder that proves it is durable.
   */
  run(jobs: readonly Job[]): Promise<JobResult[]>;
  /** Forgets the name maps. */
  forget(): void;
}

/** A landing thread with its codec; `threadId` keeps its staged files apart from other threads'. */
export const landingThread = (
  codec: Codec,
  threadId: number,
  askNames: AskNames,
  now: () => number = Date.now,
): LandingThread => {
  const publisher = openPublisher(now);
  const maps = new Map<string, Map<string, string>>();

  const prepare = async (job: Job): Promise<Progress> => {
    const sha256 = hashOf(job.body);
    if (job.kind === 'reject') return reject(job, sha256, [job.fault], 1);
    if (job.landedSha256 !== null) {
      if (job.landedSha256 === sha256) {
        return { result: { jobId: job.jobId, kind: 'replayed', found: null } };
      }
      return reject(job, sha256, [conflictOf(job)], 1);
    }
    const outcome = parseBatch(job.body, job.registered ? { registered: job.registered } : {});
    if (!outcome.ok) return reject(job, sha256, outcome.faults, outcome.faultCount);
    const { batch } = outcome;
    const named = await nameColumns(job, batch);
    if (!Array.isArray(named)) return reject(job, sha256, [named], 1);
    return stage(job, sha256, batch, named);
  };

  const nameColumns = async (job: LandJob, batch: ParsedBatch): Promise<string[] | Fault> => {
    const { mapKey } = job.place;
    const map = maps.get(mapKey) ?? new Map<string, string>();
    maps.set(mapKey, map);
    const fresh = batch.columns.filter((column) => !map.has(fold(column.key)));
    if (fresh.length > 0 || batch.columns.length === 0) {
      const { landed, fault } = await askNames(job.jobId, fresh.map(fieldOf));
      if (fault) return fault;
      for (const [index, column] of fresh.entries()) {
        map.set(fold(column.key), landed[index] as string);
      }
    }
    return batch.columns.map((column) => map.get(fold(column.key)) as string);
  };

  const stage = (job: LandJob, sha256: string, batch: ParsedBatch, names: string[]): Progress => {
    const renamed: Record<string, string> = Object.create(null);
    for (const [index, column] of batch.columns.entries()) {
      const landed = names[index] as string;
      if (fold(landed) !== fold(column.key)) renamed[column.key] = landed;
    }
    const { batchId, receivedAt, sender, place } = job;
    const facts = { batchId, sha256, receivedAt, sender, rows: batch.rows, renamed };
    const metadata = metadataOf({
      ...facts,
      knowledgebase: place.knowledgebase,
      stream: place.stream,
      bodyBytes: job.body.length,
    });
    const bytes = encodeBatch({ batch, names, batchId, metadata }, codec);
    return {
      job,
      staged: stageFile(place.staging, bytes, threadId),
      landed: {
        rows: batch.rows,
        sizeBytes: bytes.length,
        bodyBytes: job.body.length,
        sha256,
        receivedAt,
        sender,
      },
    };
  };

  const reject = (
    job: Job,
    sha256: string,
    faults: readonly Fault[],
    faultCount: number,
  ): Progress => {
    const { batchId, body, receivedAt, sender, contentType, place } = job;
    const { stream } = place;
    const { rejectId, repeated } = keepReject(
      place,
      { stream, batchId, body, sha256, faults, faultCount, receivedAt, sender, contentType },
      threadId,
    );
    const kept = { rejectId, repeated, sha256, bodyBytes: body.length, faults, faultCount };
    return { result: { jobId: job.jobId, kind: 'rejected', reject: kept } };
  };

  /** The id has a file that the ledger did not know when the job was made. */
  const meetExisting = (job: LandJob, sha256: string, file: string): JobResult => {
    const path = join(job.place.data, file);
    const { facts, sizeBytes, landedAt } = describeFile(path);
    // Its name may be there while its folder is not yet synced by whoever landed it; nor that folder's.
    syncAround([path, dirname(path)]);
    if (facts?.sha256 !== sha256) {
      return (reject(job, sha256, [conflictOf(job)], 1) as { result: JobResult }).result;
    }
    const { rows, bodyBytes, receivedAt, sender } = facts;
    const found = { file, rows, bodyBytes, receivedAt, sender, sizeBytes, landedAt, sha256 };
    return { jobId: job.jobId, kind: 'replayed', found };
  };

  return {
    forget: () => maps.clear(),
    run: async (jobs) => {
      const progress: Progress[] = [];
      for (const job of jobs) {
        progress.push(
          await prepare(job).catch((error: unknown) => ({ result: failure(job, error) })),
        );
      }
      const results: JobResult[] = [];
      const published: { readonly job: LandJob; readonly landed: Omit<LandedFile, 'landedAt'> }[] =
        [];
      for (const step of progress) {
        if ('result' in step) {
          results.push(step.result);
          continue;
        }
        const { job, staged, landed } = step;
        try {
          const { file, isMine } = publisher.publish(job, staged);
          if (isMine) published.push({ job, landed: { ...landed, file } });
          else results.push(meetExisting(job, landed.sha256, file));
        } catch (error) {
          results.push(failure(job, error));
        }
      }
      syncAround(published.map(({ job, landed }) => join(job.place.data, landed.file)));
      const landedAt = new Date().toISOString();
      for (const { job, landed } of published) {
        results.push({ jobId: job.jobId, kind: 'landed', landed: { ...landed, landedAt } });
      }
      return results;
    },
  };
};

const fieldOf = (column: ParsedColumn): NewField => ({
  source: column.key,
  line: column.firstLine,
});

const conflictOf = (job: Job): Fault => ({
  code: 'batch_id_conflict',
  message: `The batch id "${job.batchId}" has landed with a different body.`,
  line: null,
  column: null,
});

// One call where Node has it (20.12): about half the cost of a hash object for a small body.
const hashOf = (body: Uint8Array): string =>
  typeof crypto.hash === 'function'
    ? crypto.hash('sha256', body, 'hex')
    : crypto.createHash('sha256').update(body).digest('hex');

const failure = (job: Job, error: unknown): JobResult => {
  const fault = errnoOf(error) ? diskFault(error, job.place.data) : error;
  return {
    jobId: job.jobId,
    kind: 'failed',
    code: fault instanceof AppError ? fault.code : null,
    message: (fault as Error).message,
    stack: (fault as Error).stack ?? null,
  };
};
