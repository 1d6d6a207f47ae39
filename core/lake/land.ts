// Owns putting an encoded batch into a stream's data folder: staged, synced, published, never replacing.
// Never parses, and never records: the ledger comes after.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type NewFile,
  publishFile,
  removeQuietly,
  renameRetrying,
  startNewFile,
  syncNewFile,
} from '../durable.ts';
import type { Pace } from '../pace.ts';
import { atStep } from '../steps.ts';
import { type CompactedFacts, readCompactedFacts } from './compact/manifest.ts';
import { type FileLinks, metadataOfLinks, readLinks } from './links.ts';
import { NotParquetError } from './parquet/not-parquet-error.ts';
import { readFooterSync } from './parquet/read-footer.ts';

/** What a landed file says of itself in its Parquet key-value metadata. */
export interface FileFacts extends FileLinks {
  readonly knowledgebase: string;
  readonly stream: string;
  readonly batchId: string;
  readonly sha256: string;
  readonly bodyBytes: number;
  readonly rows: number;
  readonly receivedAt: string;
  readonly sender: string | null;
  /** Fields whose column has another name: source to landed. */
  readonly renamed: Readonly<Record<string, string>>;
}

/** The key-value metadata of a landed file. Every key starts with `strata.`; values are text. */
export const metadataOf = (facts: FileFacts): Record<string, string> => ({
  'strata.format': '1',
  'strata.knowledgebase': facts.knowledgebase,
  'strata.stream': facts.stream,
  'strata.batch_id': facts.batchId,
  'strata.sha256': facts.sha256,
  'strata.body_bytes': String(facts.bodyBytes),
  'strata.rows': String(facts.rows),
  'strata.received_at': facts.receivedAt,
  ...(facts.sender === null ? {} : { 'strata.sender': facts.sender }),
  ...(Object.keys(facts.renamed).length > 0
    ? { 'strata.renamed': JSON.stringify(facts.renamed) }
    : {}),
  ...metadataOfLinks(facts, facts.rows),
});

/** A landed file as its footer describes it. */
export interface DescribedFile {
  /** Null when the file is Parquet but no landed batch of Strata's. */
  readonly facts: FileFacts | null;
  /** What a file says that compaction made; null for any other. */
  readonly compacted: CompactedFacts | null;
  /** Records of its body, those that were rejected too; null where it does not say (it landed whole). */
  readonly records: number | null;
  /** Its columns without `_batch_id` and `_line`. */
  readonly columns: readonly string[];
  readonly rows: number;
  readonly sizeBytes: number;
  readonly landedAt: string;
}

/** Reads what a file in data/ says of itself. Throws NotParquetError when it is not whole Parquet. */
export const describeFile = (path: string): DescribedFile => {
  const steps = describing(path);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
};

/** The same where others share the thread: they get their turn between the blocks of a manifest. */
export const describeFileInTurns = async (path: string, pace: Pace): Promise<DescribedFile> => {
  const steps = describing(path);
  let step = steps.next();
  while (!step.done) {
    await pace();
    step = steps.next();
  }
  return step.value;
};

function* describing(path: string): Generator<void, DescribedFile, void> {
  const footer = readFooterSync(path);
  const get = (key: string): string | undefined => footer.metadata.get(`strata.${key}`);
  const batchId = get('batch_id');
  const sha256 = get('sha256');
  const facts: FileFacts | null =
    batchId === undefined || sha256 === undefined
      ? null
      : {
          knowledgebase: get('knowledgebase') ?? '',
          stream: get('stream') ?? '',
          batchId,
          sha256,
          bodyBytes: Number(get('body_bytes') ?? 0),
          rows: footer.rows,
          receivedAt: get('received_at') ?? '',
          sender: get('sender') ?? null,
          renamed: JSON.parse(get('renamed') ?? '{}') as Record<string, string>,
          ...readLinks(get),
        };
  return {
    facts,
    compacted: yield* readCompacted(footer.metadata),
    records: get('body_records') === undefined ? null : Number(get('body_records')),
    columns: footer.columns.filter((name) => name !== '_batch_id' && name !== '_line'),
    rows: footer.rows,
    sizeBytes: footer.sizeBytes,
    landedAt: statSync(path).mtime.toISOString(),
  };
}

/** A manifest that cannot be read makes the file no better than one that is not whole. */
function* readCompacted(
  metadata: ReadonlyMap<string, string>,
): Generator<void, CompactedFacts | null, void> {
  try {
    return yield* readCompactedFacts(metadata);
  } catch (error) {
    const why = `Its manifest cannot be read: ${(error as Error).message}.`;
    throw new NotParquetError('inconsistent', why);
  }
}

let sequence = 0;

/**
 * Writes a batch's file into staging; `syncStaged` syncs it. Between the two the files of other batches may be
 * written: the first sync then writes their folder for all of them.
 * Its name says which process staged it, so that another one's sweep knows whether that still runs.
 */
export const stageFile = (staging: string, bytes: Uint8Array, thread: number): NewFile => {
  sequence += 1;
  const path = join(staging, `${process.pid}-${thread}-${sequence}.parquet`);
  const file = startNewFile(path, [bytes]);
  atStep('stage');
  return file;
};

/** Syncs a staged file; it may be published then. */
export const syncStaged = (file: NewFile): void => {
  syncNewFile(file);
  atStep('fsync');
};

/**
 * Gives a staged file its name, which `isFresh` says nobody else can have. False when it is taken; the staged one is gone then.
 * Durable only after its folder is synced.
 */
export const publishBatch = (staged: string, target: string, isFresh: boolean): boolean => {
  let published = true;
  // An id that was made a moment ago has no file to be replaced: a rename is one call where a link is two.
  if (isFresh) renameRetrying(staged, target);
  else published = publishFile(staged, target);
  if (published) atStep('rename');
  else removeQuietly(staged);
  return published;
};
