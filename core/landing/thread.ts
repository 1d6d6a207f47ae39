// Owns what one landing thread does with a group of jobs: parse, name, encode, stage, publish, sync, answer.
// Never records: the ledger belongs to the main thread. Blocking calls are meant; nothing else runs here.

import crypto from 'node:crypto';
import { dirname, join } from 'node:path';
import { diskFault, errnoOf, type NewFile } from '../durable.ts';
import { AppError } from '../errors.ts';
import { fold } from '../ids.ts';
import { parseBatch } from '../ingest/ndjson/parse-batch.ts';
import {
  type DescribedFile,
  describeFile,
  metadataOf,
  stageFile,
  syncStaged,
} from '../lake/land.ts';
import type { Codec } from '../lake/parquet/codec.ts';
import { encodeBatch } from '../lake/parquet/encode-batch.ts';
import type { Fault, ParsedBatch, ParsedColumn } from '../model.ts';
import { idConflict } from '../rejects/check.ts';
import { atStep } from '../steps.ts';
import { keepPart, keepWhole, withoutLines } from './keep.ts';
import { landedFileOf, tracedBatch } from './landed.ts';
import type { Job, JobResult, KeptReject, LandedFile, LandTask, NewField } from './protocol.ts';
import { openPublisher, syncAround } from './publish.ts';

/** Asks the main thread for the columns of new fields; throws the fault's text when they cannot be given. */
export type AskNames = (
  jobId: number,
  fields: readonly NewField[],
) => Promise<{ landed: readonly string[]; fault: Fault | null }>;

/** A job whose file is written into staging. */
interface Staged {
  readonly job: Job<LandTask>;
  readonly file: NewFile;
  readonly landed: Omit<LandedFile, 'file' | 'landedAt'>;
  readonly part: KeptReject | null;
}

/** The bad lines of a body whose good ones land: what was kept of them, and how many. */
interface Part {
  readonly kept: KeptReject;
  readonly lines: number;
}

/** A job on its way: either how it ended, or the file that is staged for it. */
type Progress = { readonly result: JobResult } | Staged;

/** A job whose file has its name. */
interface Published {
  readonly job: Job;
  readonly landed: Omit<LandedFile, 'landedAt'>;
  readonly part: KeptReject | null;
}

/** The column of a field. */
interface Named {
  readonly landed: string;
  readonly isRenamed: boolean;
}

/** One landing thread. */
export interface LandingThread {
  /**
   * Runs a group of jobs. Every file is written before the first is synced, each is synced on its own before it gets
   * its name, and each folder once for the group after that. No result is given before the folder that proves it is
   * durable. A job that fails ends alone.
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
  /** Columns of each stream's fields, by the field's folded name. */
  const maps = new Map<string, Map<string, Named>>();

  const prepare = async (job: Job): Promise<Progress> => {
    const { jobId, place, body, task } = job;
    const sha256 = hashOf(body);
    if (task.kind === 'reject') return reject(job, sha256, [task.fault], 1);
    const before = task.landedAs.find((landed) => landed.sha256 === sha256);
    if (before) {
      return { result: { jobId, kind: 'replayed', batchId: before.batchId, found: null } };
    }
    if (task.isTaken) return reject(job, sha256, [idConflict(task.batchId)], 1);
    const badLines: number[] = [];
    const options = task.registered ? { registered: task.registered } : {};
    const outcome = parseBatch(body, { ...options, badLines });
    const good =
      !outcome.ok && task.partial && badLines.length > 0
        ? parseBatch(withoutLines(body, badLines), options)
        : outcome;
    if (!good.ok) {
      // No line is good, or the good ones by themselves cannot land either: the faults are those of the whole body.
      const { faults, faultCount } = outcome.ok ? good : outcome;
      return reject(job, sha256, faults, faultCount);
    }
    const named = await nameColumns(job, good.batch);
    if (!Array.isArray(named)) return reject(job, sha256, [named], 1);
    const land: Job<LandTask> = { jobId, place, body, task };
    if (outcome.ok) return stage(land, sha256, good.batch, named, null);
    const { faults, faultCount } = outcome;
    const kept = keepPart(land, { badLines, faults, faultCount }, threadId);
    atStep('part');
    return stage(land, sha256, good.batch, named, { kept, lines: badLines.length });
  };

  const nameColumns = async (job: Job, batch: ParsedBatch): Promise<Named[] | Fault> => {
    const { mapKey } = job.place;
    const map = maps.get(mapKey) ?? new Map<string, Named>();
    maps.set(mapKey, map);
    const folded = batch.columns.map(({ key }) => fold(key));
    const known = folded.map((key) => map.get(key));
    const fresh = batch.columns.filter((_, index) => known[index] === undefined);
    if (fresh.length === 0 && known.length > 0) return known as Named[];
    const { landed, fault } = await askNames(job.jobId, fresh.map(fieldOf));
    if (fault) return fault;
    for (const [index, column] of fresh.entries()) {
      const name = landed[index] as string;
      const key = fold(column.key);
      map.set(key, { landed: name, isRenamed: fold(name) !== key });
    }
    return folded.map((key) => map.get(key) as Named);
  };

  const stage = (
    job: Job<LandTask>,
    sha256: string,
    parsed: ParsedBatch,
    named: Named[],
    part: Part | null,
  ): Progress => {
    const { task, place, body } = job;
    const { batchId, receivedAt, sender, repairs } = task;
    const batch = tracedBatch(parsed, repairs);
    const renamed: Record<string, string> = Object.create(null);
    for (const [index, { landed, isRenamed }] of named.entries()) {
      if (isRenamed) renamed[(batch.columns[index] as ParsedColumn).key] = landed;
    }
    const names = named.map(({ landed }) => landed);
    const facts = { batchId, sha256, receivedAt, sender, rows: batch.rows, renamed, repairs };
    const metadata = metadataOf({
      ...facts,
      part: part && { rejectId: part.kept.rejectId, lines: part.lines },
      knowledgebase: place.knowledgebase,
      stream: place.stream,
      bodyBytes: body.length,
    });
    const bytes = encodeBatch({ batch, names, batchId, metadata }, codec);
    return {
      job,
      file: stageFile(place.staging, bytes, threadId),
      landed: {
        rows: batch.rows,
        sizeBytes: bytes.length,
        bodyBytes: body.length,
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
    const { jobId, task } = job;
    // What is kept already is not kept again: the reject stays, with a further try.
    if (task.kind === 'land' && task.repairs) {
      return { result: { jobId, kind: 'unfit', faults, faultCount } };
    }
    const kept = keepWhole(job, { sha256, faults, faultCount }, threadId);
    return { result: { jobId, kind: 'rejected', reject: kept } };
  };

  /** The id has a file that the ledger did not know when the job was made. */
  const meetExisting = (job: Job<LandTask>, sha256: string, file: string): JobResult => {
    const path = join(job.place.data, file);
    const { facts, sizeBytes, landedAt } = describeExisting(path);
    // Its name may be there while its folder is not yet synced by whoever landed it; nor that folder's.
    syncAround([path, dirname(path)]);
    const { batchId, repairs } = job.task;
    const isRepair = repairs !== null && facts?.repairs?.rejectId === repairs.rejectId;
    if (!facts || !(facts.sha256 === sha256 || facts.repairs?.sha256 === sha256 || isRepair)) {
      return (reject(job, sha256, [idConflict(batchId)], 1) as { result: JobResult }).result;
    }
    const found = { ...landedFileOf(facts, { sizeBytes, landedAt }), file };
    return { jobId: job.jobId, kind: 'replayed', batchId, found };
  };

  return {
    forget: () => maps.clear(),
    run: async (jobs) => {
      const results: JobResult[] = [];
      let staged: Staged[] = [];
      for (const job of jobs) {
        const step = await prepare(job).catch((error: unknown) => ({
          result: failure(job, error),
        }));
        if ('result' in step) results.push(step.result);
        else staged.push(step);
      }
      /** Leaves in `staged` what goes on; a job that ends at a step, also by its failure, has its result. */
      const keepWhere = (goesOn: (one: Staged) => JobResult | undefined): void => {
        staged = staged.filter((one) => {
          const ended = attempt(one.job, () => goesOn(one));
          if (ended) results.push(ended);
          return ended === undefined;
        });
      };
      keepWhere(({ file }) => void syncStaged(file));
      const published: Published[] = [];
      keepWhere(({ job, file: { path }, landed, part }) => {
        const { file, isMine } = publisher.publish(job, path);
        if (!isMine) return meetExisting(job, landed.sha256, file);
        published.push({ job, landed: { ...landed, file }, part });
        return undefined;
      });
      syncAround(published.map(({ job, landed }) => join(job.place.data, landed.file)));
      const landedAt = new Date().toISOString();
      for (const { job, landed, part } of published) {
        results.push({ jobId: job.jobId, kind: 'landed', landed: { ...landed, landedAt }, part });
      }
      return results;
    },
  };
};

/** A file whose name was taken a moment ago. Throws `not_ready` where a compaction has moved it since. */
const describeExisting = (path: string): DescribedFile => {
  try {
    return describeFile(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw new AppError('not_ready', 'The batch has landed, and its file is being compacted.');
  }
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

/** How a step ended a job, if it did. */
const attempt = (job: Job, step: () => JobResult | undefined): JobResult | undefined => {
  try {
    return step();
  } catch (error) {
    return failure(job, error);
  }
};

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
