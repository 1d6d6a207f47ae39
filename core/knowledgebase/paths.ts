// Owns the layout of a knowledgebase's folder (README, "On disk"); the only file that knows it.
// Never touches the disk.

import { join, relative, sep } from 'node:path';

/** Where everything of one stream is. */
export interface StreamPaths {
  readonly root: string;
  /** Settings of the stream: its id as written, registered columns. */
  readonly settings: string;
  /** Landed batches; the only folder a view reads. */
  readonly data: string;
  /** Staging; nothing in it counts. */
  readonly staging: string;
  /** Rejected batches: body and reason. */
  readonly failed: string;
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
  return {
    root,
    settings: join(root, 'stream.json'),
    data,
    staging: join(root, '_tmp'),
    failed: join(root, 'failed'),
    glob: `${slashes(data)}/**/*.parquet`,
  };
};

/** A batch's file, relative to the stream's `data`: its id as the first producer spelled it. */
export const batchFile = (batchId: string): string => `${batchId}.parquet`;

/** A reject's files, relative to the stream's `failed`. */
export const rejectFiles = (rejectId: string): { body: string; reason: string } => ({
  body: `${rejectId}.ndjson`,
  reason: `${rejectId}.err`,
});

/** Ends of names in `failed` that are reasons. */
export const REASON_SUFFIX = '.err';

/** A path relative to a folder, with forward slashes on every platform. */
export const relativePath = (folder: string, path: string): string =>
  slashes(relative(folder, path));

/** The name of the view of a stream, as SQL writes it. */
export const viewName = (stream: string): string => `raw_extracted."stream_${stream}"`;

const slashes = (path: string): string => (sep === '/' ? path : path.replaceAll(sep, '/'));
