// Owns an open knowledgebase: its ledger, streams, views and gate, joined. Opening recovers; closing drains.
// Never lands a batch; pipeline.ts does.

import { accessSync, constants, existsSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { readKnowledgebase } from '../knowledgebase/create.ts';
import { folderGone } from '../knowledgebase/folder.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import {
  type KnowledgebaseSettings,
  readKnowledgebaseSettings,
  watchSettings,
} from '../knowledgebase/settings.ts';
import { lakesHere } from '../lake/apart/here.ts';
import type { Lake, Lakes } from '../lake/apart/lake.ts';
import { openGate } from '../lake/gate.ts';
import type { QueryContext } from '../lake/query.ts';
import { type Ledger, ledgerFault, openLedger } from '../ledger/open.ts';
import type { Log } from '../log.ts';
import type { CoreEvent } from '../model.ts';
import type { Ground } from '../ontology/ground.ts';
import type { Desk } from '../rejects/desk/desk.ts';
import { settleFiles, settleLedger, unsettledWords } from './compaction/settle.ts';
import { type ExtraFiles, openExtraFiles } from './extra-files.ts';
import { type MatchCounts, openMatchCounts } from './match-counts.ts';
import { openOntology } from './ontology.ts';
import { openRecorder, type Recorder } from './recorder.ts';
import { type Recovery, recover } from './recover.ts';
import { tellCauses } from './recover-rejects.ts';
import { saveStates } from './rejects/save-states.ts';
import { openRejectIndex, type RejectIndex } from './rejects/sql-index.ts';
import { type StreamRegistry, streamRegistry } from './streams.ts';
import { openViewSync, type ViewSync } from './view-sync.ts';

export interface OpenKnowledgebase {
  readonly id: string;
  readonly paths: KnowledgebasePaths;
  readonly streams: StreamRegistry;
  readonly views: ViewSync;
  readonly recorder: Recorder;
  /** What is in data/ twice, and goes when nobody reads. */
  readonly extras: ExtraFiles;
  /** What a query needs. */
  readonly query: QueryContext;
  /** Where files are merged and compared. */
  readonly merging: Lake;
  /** How many rows match the filters of grids. */
  readonly matches: MatchCounts;
  /** What a promotion needs. */
  readonly ontology: Ground;
  /** What opening found. */
  readonly recovery: Recovery | null;
  settings(): KnowledgebaseSettings;
  /** Notes something that happened. */
  tell(kind: string, message: string, stream?: string | null, level?: CoreEvent['level']): void;
  /** What SQL reads rejects from. */
  readonly rejectIndex: RejectIndex;
  /** Where bodies of rejects are read and checked. */
  readonly desk: Desk;
  /**
   * The ledger; opened again, and rebuilt from the folder, when its file was removed or replaced meanwhile. Throws
   * `knowledgebase_closing` once it is closed, `folder_gone`.
   */
  ledger(): Ledger;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** What it is called in the list; what its knowledgebase.json says unless given. */
  readonly id?: string;
  readonly log: Log;
  readonly desk: Desk;
  /** Whether this process will land batches or change views; a reader neither recovers nor syncs. */
  readonly writing: boolean;
  /** Where DuckDB's long work is done; in this process unless said. */
  readonly lakes?: Lakes;
  /** Hears of every event after it is in the ledger. */
  readonly onEvent?: (event: Omit<CoreEvent, 'seq'>) => void;
  /** The ledger was made anew: what was learned from the old one is to be forgotten. */
  readonly onLedgerReplaced?: () => void;
}

/**
 * Opens the knowledgebase in a folder.
 * Throws `not_a_knowledgebase`, `format_too_new`, `ledger_broken`, `folder_not_writable`, `disk_full`.
 */
export const openKnowledgebase = (root: string, options: OpenOptions): OpenKnowledgebase => {
  const paths = readKnowledgebase(root);
  if (options.writing) checkWritable(paths);
  const settings = watchSettings(paths.settings, (path) => {
    // It was there when it was opened.
    if (!existsSync(path)) throw folderGone(paths.root);
    return readKnowledgebaseSettings(path);
  });
  const id = options.id ?? settings().id;
  const isNew = !existsSync(paths.ledger);
  let current = openLedger(paths.ledger);
  const extras = openExtraFiles({
    paths,
    ledger: () => ledger(),
    request: () => views.request(),
  });
  const recovery = options.writing || isNew ? recoverOrClose(paths, current, extras) : null;

  let isClosed = false;
  const ledger = (): Ledger => {
    if (current.inPlace()) return current;
    // Whoever comes late opens nothing again.
    if (isClosed) throw new AppError('knowledgebase_closing', `${id} is closed.`);
    if (!existsSync(paths.settings)) throw folderGone(paths.root);
    options.log.warn('The ledger was removed or replaced; it is made again from the folder.', {
      id,
    });
    current.close();
    const fresh = openLedger(paths.ledger);
    recoverOrClose(paths, fresh, extras);
    rejectIndex.request();
    current = fresh;
    if (options.writing) views.request();
    options.onLedgerReplaced?.();
    return current;
  };

  const tell = (
    kind: string,
    message: string,
    stream: string | null = null,
    level: CoreEvent['level'] = 'info',
  ): void => {
    const event = { at: new Date().toISOString(), level, kind, stream, message };
    try {
      ledger().events.add(event);
    } catch (error) {
      options.log.error(error);
    }
    options.onEvent?.(event);
  };

  const gate = openGate();
  const lakes = options.lakes ?? lakesHere();
  const fileCounts = () => ledger().streams.fileCounts();
  const viewed = () => fileCounts().map(({ stream, files }) => ({ stream, hasFiles: files > 0 }));
  const ontology = openOntology({
    ...{ id, paths, gate, settings, log: options.log, streams: viewed },
    // As it is now: a ledger that was replaced is another object.
    ledger: () => ledger(),
    tell,
  });
  const views = openViewSync({
    paths,
    gate,
    streams: viewed,
    settle: async () => {
      const faults = await settleFiles(paths, ledger);
      faults.push(...(await settleLedger(paths, ledger)));
      await extras.settle();
      return faults.map((fault) => ({ stream: fault.stream, words: unsettledWords(fault) }));
    },
    ontology: ontology.wanted,
    onOntology: ({ made, refused }) => {
      if (made.length > 0) tell('model-views', `${made.length} views of the model were made.`);
      for (const { view, reason } of refused) {
        tell(
          'model-views',
          `DuckDB refuses the view ${view} of the model: ${reason}`,
          null,
          'warn',
        );
      }
    },
    onChange: ({ created, rewritten, rebuilt }) => {
      if (rebuilt) tell('duckdb-rebuilt', 'kb.duckdb was damaged and made anew.', null, 'warn');
      for (const stream of created) tell('view-created', `The view of ${stream} is there.`, stream);
      if (rewritten.length > 0) {
        tell('views-rewritten', `${rewritten.length} views name the folder where it is now.`);
      }
    },
    onWaiting: (reason) => tell('views-waiting', `Views wait: ${reason}`, null, 'warn'),
    onBug: (error) => options.log.error(error),
  });
  const recorder = openRecorder(ledger, (error) => options.log.error(error));
  const { desk } = options;
  const rejectIndex = openRejectIndex(paths, ledger, desk, (error) => {
    // A folder that was moved away takes its index with it; who asks for the knowledgebase is told.
    if (error instanceof AppError && error.code === 'folder_gone') return;
    options.log.error(error, { part: 'reject index' });
  });
  const streams = streamRegistry(paths, id, (created) => {
    ledger().streams.ensure(created.id, created.created_at);
    tell('stream-created', `The stream ${created.id} was created.`, created.id);
    if (options.writing) views.request();
  });
  if (options.writing) {
    ontology.settle();
    views.request();
    rejectIndex.request();
  }

  return {
    id,
    paths,
    settings,
    streams,
    views,
    recorder,
    extras,
    rejectIndex,
    desk,
    recovery,
    matches: openMatchCounts(),
    ledger,
    tell,
    ontology: ontology.ground,
    merging: lakes.merging,
    query: {
      paths,
      gate,
      lake: lakes.reading,
      streams: () =>
        fileCounts()
          .filter(({ files }) => files > 0)
          .map(({ stream }) => stream),
      refresh: async (sql) => {
        if (options.writing && /raw_rejects/i.test(sql)) await rejectIndex.flush();
      },
    },
    close: async () => {
      await views.close();
      await rejectIndex.close();
      await ontology.close();
      try {
        recorder.flush();
      } finally {
        recorder.close();
        isClosed = true;
        current.close();
      }
    },
  };
};

/** Recovers; where the ledger turns out to be damaged, closes it and throws `ledger_broken`. */
const recoverOrClose = (
  paths: KnowledgebasePaths,
  ledger: Ledger,
  { note }: ExtraFiles,
): Recovery => {
  try {
    const recovery = recover(paths, ledger, note);
    const pathsOf = (stream: string) => paths.stream(stream);
    tellCauses(ledger, pathsOf);
    saveStates(ledger, pathsOf);
    return recovery;
  } catch (error) {
    ledger.close();
    throw ledgerFault(error, paths.ledger);
  }
};

const checkWritable = (paths: KnowledgebasePaths): void => {
  for (const folder of [paths.root, paths.streams]) {
    try {
      accessSync(folder, constants.W_OK);
    } catch (error) {
      throw new AppError('folder_not_writable', `The folder cannot be written: ${folder}.`, {
        details: { path: folder },
        cause: error,
      });
    }
  }
};
