// Owns core's only face: openCore() joins the rooms. Electron's host process, `strata serve` and the commands use it.
// Never holds a rule of its own.

import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { diskFault, makeFolder } from './durable.ts';
import type { Delivery } from './engine/delivery.ts';
import { openElsewhere } from './engine/elsewhere.ts';
import { type JobBoard, openJobBoard } from './engine/jobs.ts';
import { nameFieldsIn } from './engine/name-fields.ts';
import { type OpenKnowledgebase, openKnowledgebase } from './engine/open.ts';
import { rateMeter } from './engine/rates.ts';
import { openAutomaticRecipes } from './engine/rejects/automatic.ts';
import type { RejectContext } from './engine/rejects/context.ts';
import { repair } from './engine/repair.ts';
import { openShelf, type Shelf } from './engine/shelf.ts';
import { summariesOf } from './engine/stream-summaries.ts';
import { AppError, type ErrorCode } from './errors.ts';
import { checkStreamId, fold } from './ids.ts';
import type { Intake, IntakeTarget } from './ingest/intake.ts';
import { openRegistry } from './knowledgebase/registry.ts';
import { judgeToken, needsToken } from './knowledgebase/tokens.ts';
import type { Channel } from './lake/apart/channel.ts';
import { lakesHere } from './lake/apart/here.ts';
import { lakesApart } from './lake/apart/keep.ts';
import type { LakeKind } from './lake/apart/priority.ts';
import { openLandingPool } from './landing/pool.ts';
import type { Log } from './log.ts';
import type {
  KnowledgebaseSummary,
  Landing,
  LiveNews,
  Repair,
  StreamRates,
  StreamSummary,
} from './model.ts';
import { openPipeline } from './pipeline.ts';
import { openDesk } from './rejects/desk/desk.ts';

export interface CoreOptions {
  /** The folder whose folders are knowledgebases; made when missing. */
  readonly home: string;
  readonly log: Log;
  /** Whether this process lands batches and keeps views; a reader does neither and recovers nothing. */
  readonly writing: boolean;
  /** The newest lines of the log, where it keeps them. */
  readonly logLines?: (limit: number) => string[];
  /** Starts a process for DuckDB's long work, so that landings go first; without it that work is done in this one. */
  readonly startLake?: (kind: LakeKind) => Promise<Channel>;
  /** The folder of the built threads; this file's unless said. */
  readonly threads?: URL;
}

export interface Core {
  readonly home: string;
  readonly log: Log;
  listKnowledgebases(): KnowledgebaseSummary[];
  /** Throws `invalid_knowledgebase_id`, `knowledgebase_exists`. */
  createKnowledgebase(id: string): OpenKnowledgebase;
  /** Opens the knowledgebase in a folder and remembers it. Throws as Registry.add, and what opening throws. */
  openFolder(path: string): Promise<OpenKnowledgebase>;
  /** Takes one off the list; closes it when the POSTs that have begun are answered. Throws `no_such_knowledgebase`. */
  forgetKnowledgebase(id: string): Promise<KnowledgebaseSummary>;
  /** The folders of all knowledgebases in the list. */
  folders(): string[];
  /** Opens a knowledgebase at its first use. Throws `no_such_knowledgebase`, and what opening throws. */
  knowledgebase(id: string): OpenKnowledgebase;
  /** The knowledgebases that are open. */
  opened(): OpenKnowledgebase[];
  readonly jobs: JobBoard;
  logLines(limit: number): string[];
  /** Rows a second of a knowledgebase's streams. */
  rates(id: string): StreamRates;
  /** Streams with what they are doing now. */
  listStreams(id: string): StreamSummary[];
  /** Rebuilds ledger and views. */
  repair(id: string): Promise<Repair>;
  /** Lands a body; creates the stream where its first batch may, else throws `no_such_stream`. See Pipeline.land. */
  land(knowledgebase: string, stream: string, delivery: Delivery): Promise<Landing>;
  /** What the listener needs. */
  readonly intake: Intake;
  /** Calls `hear` with everything that happens; returns how to stop it. */
  onNews(hear: (news: LiveNews) => void): () => void;
  /** The same, and looks for what other processes do meanwhile. */
  onNewsOfAll(hear: (news: LiveNews) => void): () => void;
  /** What changing rejects of a knowledgebase needs. */
  rejects(id: string): RejectContext;
  /** Resolves when every recipe that is applied by itself has been. */
  recipesSettled(): Promise<void>;
  /** Waits for batches under way, then closes everything. */
  close(): Promise<void>;
}

/** Opens core over a home. Throws `folder_not_writable`, `disk_full`. */
export const openCore = (options: CoreOptions): Core => {
  const { log } = options;
  if (options.writing) makeHome(resolve(options.home));
  const home = realHome(options.home);
  const hearers = new Set<(news: LiveNews) => void>();

  const rates = rateMeter();
  const jobs = openJobBoard((error) => log.error(error, { part: 'job' }));

  const announce = (news: LiveNews): void => {
    rates.add(news);
    for (const hear of hearers) hear(news);
  };
  const threads = options.threads ?? new URL('./', import.meta.url);
  const pool = openLandingPool({
    entry: new URL('landing-worker.mjs', threads),
    nameFields: nameFieldsIn((mapKey) => shelf.at(mapKey.slice(0, mapKey.lastIndexOf('\n')))),
    onCrash: (error) => log.error(error, { part: 'landing thread' }),
  });
  const pipeline = openPipeline(pool, announce);
  const desk = openDesk({
    entry: new URL('desk-worker.mjs', threads),
    onCrash: (error) => log.error(error, { part: 'desk' }),
  });

  const lakes = options.startLake ? lakesApart(options.startLake) : lakesHere();

  const shelf: Shelf = openShelf({
    home,
    registry: openRegistry(home, (reason) => log.warn(reason)),
    open: ({ id, path }) => {
      // It may have been elsewhere meanwhile, where its streams got other columns.
      pool.forget();
      const { writing } = options;
      const opened = openKnowledgebase(path, {
        ...{ id, log, desk, writing, lakes, onLedgerReplaced: pool.forget },
      });
      rates.opened(opened.id, (from, until) => opened.ledger().landedLately(from, until));
      return opened;
    },
    stopJobs: jobs.close,
    onBug: (error) => log.error(error, { part: 'closing' }),
  });
  const knowledgebase = shelf.get;
  const elsewhere = openElsewhere({
    ...{ opened: shelf.opened, folders: shelf.folders, announce },
    onBug: (error) => log.error(error, { part: 'elsewhere' }),
  });
  const onNews: Core['onNews'] = (hear) => {
    hearers.add(hear);
    return () => hearers.delete(hear);
  };

  const rejects = (id: string): RejectContext => {
    const target = knowledgebase(id);
    return {
      knowledgebase: target,
      hold: () => shelf.hold(target).release,
      land: (stream, delivery) => pipeline.land(target, stream, delivery),
      announce,
      jobs,
    };
  };
  const recipes = openAutomaticRecipes(rejects, (error) => log.error(error, { part: 'recipe' }));
  if (options.writing) hearers.add(recipes.hear);

  const landIn = (
    target: OpenKnowledgebase,
    streamId: string,
    delivery: Delivery,
  ): Promise<Landing> => pipeline.land(target, target.streams.ensure(streamId), delivery);

  const checkStream = ({ streams, settings }: OpenKnowledgebase, streamId: string): void => {
    const stream = streams.find(streamId);
    if (stream) stream.settings();
    else if (!settings().create_streams_on_first_post) streams.get(streamId);
  };

  const targetOf = (id: string, streamId: string): IntakeTarget => {
    const target = knowledgebase(id);
    const { streams } = target;
    checkStreamId(streamId);
    return {
      maxBodyBytes: target.settings().max_body_bytes,
      streamKey: `${target.paths.root}\n${fold(streamId)}`,
      needsToken: () => needsToken(target.settings(), streamId),
      judgeToken: (secret) => judgeToken(target.settings(), streamId, secret),
      checkStream: () => checkStream(target, streamId),
      hold: () => shelf.hold(target),
      land: async (body) => landIn(target, streamId, body),
      refuse: (code: ErrorCode) => {
        const existing = streams.find(streamId);
        if (existing) pipeline.refuse(target, existing, code);
      },
    };
  };

  return {
    home,
    log,
    listKnowledgebases: shelf.list,
    folders: shelf.folders,
    createKnowledgebase: shelf.create,
    openFolder: shelf.add,
    forgetKnowledgebase: shelf.remove,
    knowledgebase,
    opened: shelf.opened,
    jobs,
    logLines: options.logLines ?? (() => []),
    rates: (id) => rates.read(knowledgebase(id).id),
    listStreams: (id) => summariesOf(knowledgebase(id), rates),
    repair: async (id) => {
      const folder = shelf.folderOf(id);
      // A view that this process is making would hold the lock that the repair waits for.
      await shelf.at(folder)?.views.settled(5_000);
      const done = repair(folder);
      pool.forget();
      const { views } = knowledgebase(id);
      views.request();
      await views.settled(10_000);
      return done;
    },
    land: async (id, streamId, delivery) => {
      const target = knowledgebase(id);
      const { release } = shelf.hold(target);
      try {
        checkStream(target, streamId);
        return await landIn(target, streamId, delivery);
      } finally {
        release();
      }
    },
    intake: { target: targetOf },
    onNews,
    onNewsOfAll: (hear) => {
      const stopHearing = onNews(hear);
      const stopFollowing = elsewhere.follow();
      return () => {
        stopHearing();
        stopFollowing();
      };
    },
    rejects,
    recipesSettled: recipes.settled,
    close: async () => {
      await recipes.close();
      await jobs.close();
      await pool.close();
      await shelf.close();
      await desk.close();
      await lakes.reading.close();
      await lakes.merging.close();
    },
  };
};

/** One folder has one name, through whatever link it was given: views and locks go by names. */
const realHome = (path: string): string => {
  const home = resolve(path);
  return existsSync(home) ? realpathSync(home) : home;
};

const makeHome = (home: string): void => {
  if (statSync(home, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new AppError('folder_not_writable', `${home} is not a folder.`);
  }
  try {
    makeFolder(home);
    accessSync(home, constants.W_OK);
  } catch (error) {
    throw diskFault(error, home);
  }
};
