// Owns what one landing thread does with a group of jobs: parse, name, encode, stage, publish, sync, answer.
// Never records: the ledger belongs to the main thread. Blocking calls are meant; nothing else runs here.

import crypto from 'node:crypto';
import { join } from 'node:path';
import { diskFault, errnoOf, syncFolder } from '../durable.ts';
import { AppError } from '../errors.ts';
import { fold } from '../ids.ts';
import { parseBatch } from '../ingest/ndjson/parse-batch.ts';
import { batchFile } from '../knowledgebase/paths.ts';
import { describeFile, metadataOf, publishBatch, stageFile } from '../lake/land.ts';
import type { Codec } from '../lake/parquet/codec.ts';
import { encodeBatch } from '../lake/parquet/encode-batch.ts';
import type { Fault, ParsedBatch, ParsedColumn } from '../model.ts';
import { idConflict } from '../rejects/check.ts';
import { atStep } from '../steps.ts';
import { keepPart, keepWhole, withoutLines } from './keep.ts';
import { landedFileOf, tracedBatch } from './landed.ts';
import type { Job, JobResult, KeptReject, LandedFile, LandJob, NewField } from './protocol.ts';

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
      readonly landed: Omit<LandedFile, 'landedAt'>;
      readonly part: KeptReject | null;
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
): LandingThread => {
  const maps = new Map<string, Map<string, string>>();

  const prepare = async (job: Job): Promise<Progress> => {
    const sha256 = hashOf(job.body);
    if (job.kind === 'reject') return reject(job, sha256, [job.fault], 1);
    const before = job.landedAs.find((landed) => landed.sha256 === sha256);
    if (before) {
      const { batchId } = before;
      return { result: { jobId: job.jobId, kind: 'replayed', batchId, found: null } };
    }
    if (job.isTaken) return reject(job, sha256, [idConflict(job.batchId)], 1);
    const badLines: number[] = [];
    const options = job.registered ? { registered: job.registered } : {};
    const outcome = parseBatch(job.body, { ...options, badLines });
    if (outcome.ok) {
      const named = await nameColumns(job, outcome.batch);
      if (!Array.isArray(named)) return reject(job, sha256, [named], 1);
      return stage(job, sha256, outcome.batch, named, null);
    }
    const { faults, faultCount } = outcome;
    const good =
      job.partial && badLines.length > 0
        ? parseBatch(withoutLines(job.body, badLines), options)
        : outcome;
    // No line is good, or the good ones by themselves cannot land either.
    if (!good.ok) return reject(job, sha256, faults, faultCount);
    const named = await nameColumns(job, good.batch);
    if (!Array.isArray(named)) return reject(job, sha256, [named], 1);
    const part = keepPart(job, { badLines, faults, faultCount }, threadId);
    atStep('part');
    return stage(job, sha256, good.batch, named, { kept: part, lines: badLines.length });
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

  const stage = (
    job: LandJob,
    sha256: string,
    parsed: ParsedBatch,
    names: string[],
    part: { readonly kept: KeptReject; readonly lines: number } | null,
  ): Progress => {
    const { repairs } = job;
    const batch = tracedBatch(parsed, repairs);
    const renamed: Record<string, string> = Object.create(null);
    for (const [index, column] of batch.columns.entries()) {
      const landed = names[index] as string;
      if (fold(landed) !== fold(column.key)) renamed[column.key] = landed;
    }
    const { batchId, receivedAt, sender, place } = job;
    const facts = { batchId, sha256, receivedAt, sender, rows: batch.rows, renamed, repairs };
    const metadata = metadataOf({
      ...facts,
      part: part && { rejectId: part.kept.rejectId, lines: part.lines },
      knowledgebase: place.knowledgebase,
      stream: place.stream,
      bodyBytes: job.body.length,
    });
    const bytes = encodeBatch({ batch, names, batchId, metadata }, codec);
    return {
      job,
      staged: stageFile(place.staging, bytes, threadId),
      landed: {
        file: batchFile(batchId),
        rows: batch.rows,
        sizeBytes: bytes.length,
        bodyBytes: job.body.length,
        sha256,
        receivedAt,
        sender,
        rejectId: repairs?.rejectId ?? null,
        rejectSha256: repairs?.sha256 ?? null,
        partRejectId: part?.kept.rejectId ?? null,
        linesRejected: part?.lines ?? 0,
      },
      part: part?.kept ?? null,
    };
  };

  const reject = (
    job: Job,
    sha256: string,
    faults: readonly Fault[],
    faultCount: number,
  ): Progress => {
    // What is kept already is not kept again: the reject stays, with a further try.
    if (job.kind === 'land' && job.repairs) {
      return { result: { jobId: job.jobId, kind: 'unfit', faults, faultCount } };
    }
    const kept = keepWhole(job, { sha256, faults, faultCount }, threadId);
    return { result: { jobId: job.jobId, kind: 'rejected', reject: kept } };
  };

  /** The id has a file that the ledger did not know when the job was made. */
  const meetExisting = (job: LandJob, sha256: string): JobResult => {
    const { data } = job.place;
    const { facts, sizeBytes, landedAt } = describeFile(join(data, batchFile(job.batchId)));
    // Its name may be there while its folder is not yet synced by whoever landed it.
    syncFolder(data);
    const isRepair = job.repairs !== null && facts?.repairs?.rejectId === job.repairs.rejectId;
    if (!facts || !(facts.sha256 === sha256 || facts.repairs?.sha256 === sha256 || isRepair)) {
      return (reject(job, sha256, [idConflict(job.batchId)], 1) as { result: JobResult }).result;
    }
    const { batchId } = job;
    const found = { ...landedFileOf(facts, { sizeBytes, landedAt }), file: batchFile(batchId) };
    return { jobId: job.jobId, kind: 'replayed', batchId, found };
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
      const published: Extract<Progress, { job: LandJob }>[] = [];
      for (const step of progress) {
        if ('result' in step) {
          results.push(step.result);
          continue;
        }
        const { job, staged, landed } = step;
        try {
          if (publishBatch(staged, job.place.data, job.batchId, job.isFresh)) published.push(step);
          else results.push(meetExisting(job, landed.sha256));
        } catch (error) {
          results.push(failure(job, error));
        }
      }
      for (const folder of new Set(published.map(({ job }) => job.place.data))) syncFolder(folder);
      const landedAt = new Date().toISOString();
      for (const { job, landed, part } of published) {
        results.push({ jobId: job.jobId, kind: 'landed', landed: { ...landed, landedAt }, part });
      }
      return results;
    },
  };
};

const fieldOf = (column: ParsedColumn): NewField => ({
  source: column.key,
  line: column.firstLine,
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
