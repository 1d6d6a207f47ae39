// Owns making the folders of a knowledgebase and of a stream. Never changes one that exists.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFile, diskFault, errnoOf, makeFolder, syncFolder } from '../durable.ts';
import { AppError } from '../errors.ts';
import { checkKnowledgebaseId, checkStreamId, fold, isStreamId } from '../ids.ts';
import { checkNameable, folderGone } from './folder.ts';
import {
  type KnowledgebasePaths,
  knowledgebasePaths,
  rejectChunkFile,
  SETTINGS_FILE,
  type StreamPaths,
} from './paths.ts';
import {
  createSettings,
  FORMAT,
  readKnowledgebaseSettings,
  type StreamSettings,
  writeSettings,
} from './settings.ts';

/**
 * Makes the folder of a knowledgebase under `home` and returns its paths.
 * Throws `invalid_knowledgebase_id`, `invalid_argument` where DuckDB could not work, `knowledgebase_exists` (compared without case), `folder_not_writable`, `disk_full`.
 */
export const createKnowledgebase = (home: string, id: string): KnowledgebasePaths => {
  checkKnowledgebaseId(id);
  checkNameable(home);
  const taken = namesIn(home).find((name) => fold(name) === fold(id));
  if (taken !== undefined) {
    throw new AppError('knowledgebase_exists', `There is a folder ${join(home, taken)} already.`);
  }
  const paths = knowledgebasePaths(join(home, id));
  try {
    makeFolder(paths.streams);
    writeSettings(paths.settings, {
      ...readDefaults(),
      id,
      name: id,
      format: FORMAT,
      created_at: new Date().toISOString(),
    });
  } catch (error) {
    throw diskFault(error, paths.root);
  }
  return paths;
};

/** How a new stream takes its batches, beside its columns; false unless said. */
export interface StreamTerms {
  readonly recogniseEqualBodies?: boolean;
  readonly dateFolders?: boolean;
}

/**
 * Makes the folders of a stream, durably, and returns its settings.
 * Throws `invalid_stream_id`, `stream_exists` (also when another process makes it in the same instant), `invalid_argument` for columns that cannot be registered, `folder_gone`, `folder_not_writable`, `disk_full`.
 */
export const createStream = (
  paths: KnowledgebasePaths,
  id: string,
  columns: readonly string[] | null,
  terms: StreamTerms,
): StreamSettings => {
  checkStreamId(id);
  if (columns !== null) checkColumns(columns);
  // Its folders would be made anew where the knowledgebase was.
  if (!existsSync(paths.settings)) throw folderGone(paths.root);
  const stream = paths.stream(id);
  const settings: StreamSettings = {
    id,
    created_at: new Date().toISOString(),
    columns: columns === null ? null : [...columns],
    recognise_equal_bodies: terms.recogniseEqualBodies ?? false,
    date_folders: terms.dateFolders ?? false,
    partial_landing: false,
    compaction: { policy: 'suggested', files: 2_000, retention_days: 7 },
  };
  try {
    for (const folder of [stream.data, stream.staging, stream.failed]) makeFolder(folder);
    makeRejectsFolder(stream);
    // The settings come last: a folder without them is a stream that was never finished.
    if (!createSettings(stream.settings, settings)) throw existsAlready(id);
    syncFolder(paths.streams);
  } catch (error) {
    throw diskFault(error, stream.root);
  }
  return settings;
};

/** Makes the folder that SQL reads rejects from, with the empty file that makes it bind before there is one. */
export const makeRejectsFolder = ({ rejects }: StreamPaths): void => {
  makeFolder(rejects);
  const none = join(rejects, rejectChunkFile(null));
  if (!existsSync(none)) createFile(none, '');
};

/** What `create` throws where a stream is there already. */
export const existsAlready = (id: string): AppError =>
  new AppError('stream_exists', `There is a stream "${id}" already.`);

/** The knowledgebases of a home: its folders that have a knowledgebase.json, by name. */
export const listKnowledgebases = (home: string): string[] =>
  namesIn(home)
    .filter((name) => existsSync(join(home, name, SETTINGS_FILE)))
    .sort();

/**
 * The streams of a knowledgebase: its stream folders, as they are written on disk. One whose stream.json is gone is a
 * stream while anything is in its data; without that, it was never finished.
 */
export const listStreamFolders = (paths: KnowledgebasePaths): string[] =>
  namesIn(paths.streams)
    .filter((name) => {
      const { settings, data } = paths.stream(name);
      return existsSync(settings) || (isStreamId(name) && namesIn(data).length > 0);
    })
    .sort();

/** The folder name of a stream whose id is compared without case; undefined when there is none. */
export const findStreamFolder = (paths: KnowledgebasePaths, id: string): string | undefined =>
  process.platform === 'linux' && existsSync(paths.stream(id).settings)
    ? id
    : listStreamFolders(paths).find((name) => fold(name) === fold(id));

/** The settings of the knowledgebase in a folder, checked. */
export const readKnowledgebase = (root: string): KnowledgebasePaths => {
  const paths = knowledgebasePaths(root);
  readKnowledgebaseSettings(paths.settings);
  return paths;
};

const readDefaults = () => ({
  create_streams_on_first_post: true,
  max_body_bytes: 1_048_576,
  reject_days: null,
  reject_bytes: null,
  tokens: [],
  model_store: 'sqlite',
  model_name: null,
});

/** Throws `invalid_argument` unless the columns can be registered. */
export const checkColumns = (columns: readonly string[]): void => {
  const seen = new Set<string>();
  for (const column of columns) {
    const bytes = Buffer.byteLength(column);
    if (bytes === 0 || bytes > 255 || column.includes('\0')) {
      throw new AppError('invalid_argument', `"${column}" cannot be a column.`, {
        hint: 'Column names are 1 to 255 bytes of UTF-8 without NUL.',
      });
    }
    if (seen.has(fold(column))) {
      throw new AppError('invalid_argument', `The column "${column}" stands twice.`);
    }
    seen.add(fold(column));
  }
  if (columns.length === 0 || columns.length > 2_000) {
    throw new AppError('invalid_argument', 'Register 1 to 2,000 columns.');
  }
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    if (errnoOf(error) !== 'ENOTDIR') throw error;
    throw new AppError('invalid_argument', `${folder} is not a folder.`, {
      hint: 'Say with --home or STRATA_HOME where knowledgebases live.',
      cause: error,
    });
  }
};
