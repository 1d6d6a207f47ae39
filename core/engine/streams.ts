// Owns an open knowledgebase's streams: finding them without case, creating them, where each is.
// Never reads their files.

import { existsSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { checkStreamId, fold } from '../ids.ts';
import {
  createStream,
  existsAlready,
  findStreamFolder,
  listStreamFolders,
  type StreamTerms,
} from '../knowledgebase/create.ts';
import { dayOf, type KnowledgebasePaths, type StreamPaths } from '../knowledgebase/paths.ts';
import {
  readStreamSettings,
  type StreamSettings,
  watchSettings,
} from '../knowledgebase/settings.ts';
import type { StreamPlace } from '../landing/protocol.ts';

/** An open stream. */
export interface OpenStream {
  /** The id as it was first written. */
  readonly id: string;
  readonly paths: StreamPaths;
  readonly place: StreamPlace;
  /** Its settings as they are on disk, looked at once a turn of the event loop. Throws `stream_broken`. */
  settings(): StreamSettings;
  /** Why its settings cannot be read, as a sentence; null when they can. */
  fault(): string | null;
}

export interface StreamRegistry {
  /** The stream with this id, compared without case; undefined when there is none. Throws `invalid_stream_id`. */
  find(id: string): OpenStream | undefined;
  /** The stream with this id. Throws `no_such_stream`. */
  get(id: string): OpenStream;
  /** Makes a stream. Throws `stream_exists`, and what createStream throws. */
  create(id: string, columns: readonly string[] | null, terms?: StreamTerms): OpenStream;
  /** The stream with this id, made without registered columns where there is none. */
  ensure(id: string): OpenStream;
  /** The ids of all streams on disk. */
  list(): string[];
}

/** The streams of the knowledgebase in `paths`; `onCreate` hears of each new one before it is used. */
export const streamRegistry = (
  paths: KnowledgebasePaths,
  knowledgebaseId: string,
  onCreate: (settings: StreamSettings) => void,
): StreamRegistry => {
  const open = new Map<string, OpenStream>();
  // Everything that lay in the folder before was recorded when it was opened; a day more, since clocks are set.
  const since = dayOf(Date.now() - 86_400_000);

  const find = (id: string): OpenStream | undefined => {
    const known = open.get(fold(id));
    if (known) return known;
    checkStreamId(id);
    const folder = findStreamFolder(paths, id);
    return folder === undefined ? undefined : remember(folder);
  };

  const remember = (folder: string): OpenStream => {
    const stream = openStream(paths, knowledgebaseId, folder, since);
    open.set(fold(folder), stream);
    return stream;
  };

  const get = (id: string): OpenStream => {
    const stream = find(id);
    if (stream) return stream;
    throw new AppError('no_such_stream', `There is no stream "${id}" in ${knowledgebaseId}.`);
  };

  const create: StreamRegistry['create'] = (id, columns, terms = {}) => {
    const known = find(id);
    // One whose stream.json is gone is made again by whoever says how; a batch never does that.
    if (known && existsSync(known.paths.settings)) throw existsAlready(id);
    const folder = known?.id ?? id;
    onCreate(createStream(paths, folder, columns, terms));
    return remember(folder);
  };

  return {
    find,
    get,
    create,
    ensure: (id) => {
      const known = find(id);
      if (known) return known;
      try {
        return create(id, null);
      } catch (error) {
        // Another process made it since.
        if (error instanceof AppError && error.code === 'stream_exists') return get(id);
        throw error;
      }
    },
    list: () => listStreamFolders(paths),
  };
};

const openStream = (
  paths: KnowledgebasePaths,
  knowledgebaseId: string,
  folder: string,
  since: string,
): OpenStream => {
  const stream = paths.stream(folder);
  const settings = watchSettings(stream.settings, readStreamSettings);
  return {
    id: folder,
    paths: stream,
    place: {
      mapKey: `${paths.root}\n${fold(folder)}`,
      knowledgebase: knowledgebaseId,
      stream: folder,
      data: stream.data,
      staging: stream.staging,
      failed: stream.failed,
      since,
    },
    settings,
    fault: () => {
      try {
        settings();
        return null;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return String(error.details.reason);
      }
    },
  };
};
