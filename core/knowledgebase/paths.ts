// Owns the layout of a knowledgebase's folder (README, "On disk"); the only file that knows it.
// Never touches the disk.

import { join, sep } from 'node:path';

/** Where everything of one stream is. */
export interface StreamPaths {
  readonly root: string;
  /** Settings of the stream: its id as written, registered columns. */
  readonly settings: string;
  /** Landed batches; the only folder a view reads. */
  readonly data: string;
  /** Staging; nothing in it counts. */
  readonly staging: string;
  /** Rejected batches: body and reason, what became of them, bodies that were tried instead. */
  readonly failed: string;
  /** What compaction replaced: a folder a run, and what the run did beside it. */
  readonly processed: string;
  /** The journal of a swap that is under way, or that broke off. */
  readonly swap: string;
  /** What SQL reads rejects from; written anew from the ledger and `failed` as they change. */
  readonly rejects: string;
  /** The glob of it, with forward slashes. */
  readonly rejectsGlob: string;
  /** Fixes that were saved for the stream. */
  readonly recipes: string;
  /** Held while a reject lands: one at a time. */
  readonly replayLock: string;
  readonly replayLockHolder: string;
  /** The glob of the stream's view, with forward slashes. */
  readonly glob: string;
}

/** Where everything of one knowledgebase is. */
export interface KnowledgebasePaths {
  readonly root: string;
  readonly settings: string;
  readonly duckdb: string;
  readonly ledger: string;
  readonly writerLock: string;
  readonly writerLockHolder: string;
  /** Shared by who reads data files, taken alone by who moves them. */
  readonly folderLock: string;
  /** Shared by who reads kb.duckdb, taken alone by who writes it. */
  readonly duckdbLock: string;
  /** Held for a whole compaction: one at a time. */
  readonly compactionLock: string;
  readonly compactionLockHolder: string;
  /** What a query may read. */
  readonly strata: string;
  readonly streams: string;
  /** Held while a promotion runs, where the model is in the ledger. */
  readonly promotionLock: string;
  readonly promotionLockHolder: string;
  /** Copies of the model's versions: what a lost ledger gets them back from. */
  readonly models: string;
  /** The newest version of a model that is shared, as this folder last saw it. */
  readonly sharedModel: string;
  stream(id: string): StreamPaths;
  /** The copy of a version of the model. */
  modelVersion(version: number): string;
  /** The evidence that was taken with a snapshot. */
  profile(table: string): string;
}

/** What a home has beside the folders of its knowledgebases. */
export interface HomePaths {
  /** Which knowledgebases elsewhere are in the list, and which of the home's are not. */
  readonly registry: string;
  readonly registryLock: string;
  /** Exports that a browser fetches. */
  readonly exports: string;
  /** The token of the admin address. */
  readonly adminToken: string;
}

/** The paths of a home (absolute). */
export const homePaths = (home: string): HomePaths => ({
  registry: join(home, 'knowledgebases.json'),
  registryLock: join(home, '.knowledgebases.lock'),
  exports: join(home, '.exports'),
  adminToken: join(home, '.admin-token'),
});

/** The name of the file that makes a folder a knowledgebase. */
export const SETTINGS_FILE = 'knowledgebase.json';

/** The paths of the knowledgebase whose folder is `root` (absolute). */
export const knowledgebasePaths = (root: string): KnowledgebasePaths => {
  const strata = join(root, 'strata');
  const streams = join(strata, 'streams');
  return {
    root,
    settings: join(root, SETTINGS_FILE),
    duckdb: join(root, 'kb.duckdb'),
    ledger: join(root, 'ledger.sqlite'),
    writerLock: join(root, 'writer.lock'),
    writerLockHolder: join(root, 'writer.lock.json'),
    folderLock: join(root, 'folder.lock'),
    duckdbLock: join(root, 'duckdb.lock'),
    compactionLock: join(root, 'compaction.lock'),
    compactionLockHolder: join(root, 'compaction.lock.json'),
    strata,
    streams,
    promotionLock: join(root, 'promotion.lock'),
    promotionLockHolder: join(root, 'promotion.lock.json'),
    models: join(strata, 'model'),
    sharedModel: join(strata, 'model', 'shared.json'),
    stream: (id) => streamPaths(join(streams, id)),
    modelVersion: (version) => join(strata, 'model', `v${version}.json`),
    profile: (table) => join(strata, 'tables', table, '.profile.json'),
  };
};

const streamPaths = (root: string): StreamPaths => {
  const data = join(root, 'data');
  const rejects = join(root, 'rejects');
  return {
    root,
    settings: join(root, 'stream.json'),
    data,
    staging: join(root, '_tmp'),
    failed: join(root, 'failed'),
    processed: join(root, 'processed'),
    swap: join(root, 'swap.json'),
    rejects,
    rejectsGlob: `${slashes(rejects)}/*.ndjson`,
    recipes: join(root, 'recipes.json'),
    replayLock: join(root, 'replay.lock'),
    replayLockHolder: join(root, 'replay.lock.json'),
    glob: `${slashes(data)}/**/*.parquet`,
  };
};

/** Marks names of compaction: no batch id and no date has it, so that its files never meet a landed one. */
const MARK = '~';

/** Where a run's files are on their way. Each of the two folders in `data` and `_tmp` may have an `in` and an `out`. */
export interface TransitPaths {
  readonly inData: string;
  readonly inStaging: string;
  /** Where the originals are kept afterwards. */
  readonly kept: string;
  /** What the run did, beside them. */
  readonly history: string;
}

export const transitPaths = (stream: StreamPaths, run: string): TransitPaths => {
  const name = transitName(run);
  return {
    inData: join(stream.data, name),
    inStaging: join(stream.staging, name),
    kept: join(stream.processed, run),
    history: join(stream.processed, `${run}.json`),
  };
};

/** The name of a run's folder, in `data` and in `_tmp` alike. */
export const transitName = (run: string): string => `${MARK}${run}`;

/** Whether a folder in `data` or `_tmp` is a run's, and which run's. */
export const runOfTransit = (name: string): string | undefined =>
  name.startsWith(MARK) ? name.slice(MARK.length) : undefined;

/** The name of the n-th file that a run makes. */
export const compactedFile = (run: string, number: number): string =>
  `c${MARK}${run}-${number}.parquet`;

/**
 * Files without rows that stand in `data` while a swap is under way: DuckDB cannot bind a pattern that matches no
 * file, and the view of that time has one for each place that batches land in.
 */
export const PLACEHOLDERS: readonly string[] = [
  `${MARK}empty.parquet`,
  `dt=${MARK}/${MARK}empty.parquet`,
];

/** The names of the folders in `data` that hold one day's batches each. */
export const DATE_FOLDER = /^dt=(\d{4}-\d{2}-\d{2})$/;

/**
 * A batch's file, relative to the stream's `data`: its id as the first producer spelled it, in the folder of a day
 * (YYYY-MM-DD) where one is given.
 */
export const batchFile = (batchId: string, day: string | null = null): string =>
  day === null ? `${batchId}.parquet` : `dt=${day}/${batchId}.parquet`;

const DAY_MS = 86_400_000;

/** Every file that a batch may have that landed since a day, whether its stream had folders of days then or not. */
export const batchFiles = (batchId: string, since: string, today: string): string[] => {
  const files = [batchFile(batchId)];
  for (let at = Date.parse(since); at <= Date.parse(today); at += DAY_MS) {
    files.push(batchFile(batchId, dayOf(at)));
  }
  return files;
};

/** The day of a time, UTC, as folders are named after it. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A reject's files, relative to the stream's `failed`. */
export const rejectFiles = (
  rejectId: string,
): { readonly body: string; readonly reason: string; readonly state: string } => ({
  body: `${rejectId}.ndjson`,
  reason: `${rejectId}.err`,
  state: `${rejectId}${STATE_SUFFIX}`,
});

/** The body that a try to land a reject sent instead, relative to `failed`. */
export const attemptFile = (rejectId: string, number: number): string =>
  `${rejectId}.${number}.attempt`;

/** Ends of names in `failed` that say what became of a reject. */
export const STATE_SUFFIX = '.state';

/** A file that SQL reads rejects from, relative to the stream's `rejects`; the one for null is empty and always there. */
export const rejectChunkFile = (chunk: number | null): string =>
  chunk === null ? 'none.ndjson' : `${String(chunk).padStart(8, '0')}.ndjson`;

/** Ends of names in `failed` that are reasons. */
export const REASON_SUFFIX = '.err';

/** The name of the view of a stream, as SQL writes it. */
export const viewName = (stream: string): string => `raw_extracted."stream_${stream}"`;

/** The name of the view of a stream's rejects, as SQL writes it. */
export const rejectsViewName = (stream: string): string => `raw_rejects."stream_${stream}"`;

const slashes = (path: string): string => (sep === '/' ? path : path.replaceAll(sep, '/'));
