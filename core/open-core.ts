// Owns core's only face: openCore() joins the rooms. Electron's host process, `strata serve` and the commands use it.
// Never holds a rule of its own.

import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { diskFault, makeFolder } from './durable.ts';
import { isSuggested, policyOf } from './engine/compaction/plan.ts';
import { type JobBoard, openJobBoard } from './engine/jobs.ts';
import { type OpenKnowledgebase, openKnowledgebase } from './engine/open.ts';
import { rateMeter } from './engine/rates.ts';
import { repair } from './engine/repair.ts';
import type { OpenStream } from './engine/streams.ts';
import { AppError, type ErrorCode } from './errors.ts';
import { fold } from './ids.ts';
import type { Intake, IntakeTarget } from './ingest/intake.ts';
import { createKnowledgebase, listKnowledgebases } from './knowledgebase/create.ts';
import { judgeToken, needsToken } from './knowledgebase/tokens.ts';
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
import { type Delivery, nameFieldsIn, openPipeline } from './pipeline.ts';

export interface CoreOptions {
  /** The folder whose folders are knowledgebases; made when missing. */
  readonly home: string;
  readonly log: Log;
  /** Whether this process lands batches and keeps views; a reader does neither and recovers nothing. */
  readonly writing: boolean;
  /** The newest lines of the log, where it keeps them. */
  readonly logLines?: (limit: number) => string[];
  /** The built landing thread; beside this file unless said. */
  readonly threadEntry?: URL;
}

export interface Core {
  readonly home: string;
  readonly log: Log;
  listKnowledgebases(): KnowledgebaseSummary[];
  /** Throws `invalid_knowledgebase_id`, `knowledgebase_exists`. */
  createKnowledgebase(id: string): OpenKnowledgebase;
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
  /** Lands a body; creates the stream where its first batch may. See Pipeline.land. */
  land(knowledgebase: string, stream: string, delivery: Delivery): Promise<Landing>;
  /** What the listener needs. */
  readonly intake: Intake;
  /** Calls `hear` with everything that happens; returns how to stop it. */
  onNews(hear: (news: LiveNews) => void): () => void;
  /** Waits for batches under way, then closes everything. */
  close(): Promise<void>;
}

/** Opens core over a home. Throws `folder_not_writable`, `disk_full`. */
export const openCore = (options: CoreOptions): Core => {
  const home = resolve(options.home);
  const { log } = options;
  if (options.writing) makeHome(home);
  const open = new Map<string, OpenKnowledgebase>();
  const hearers = new Set<(news: LiveNews) => void>();

  const rates = rateMeter();
  const jobs = openJobBoard((error) => log.error(error, { part: 'job' }));

  const announce = (news: LiveNews): void => {
    rates.add(news);
    for (const hear of hearers) hear(news);
  };
  const pool = openLandingPool({
    entry: options.threadEntry ?? new URL('./landing-worker.mjs', import.meta.url),
    nameFields: nameFieldsIn((mapKey) =>
      [...open.values()].find(({ paths }) => paths.root === mapKey.split('\n', 1)[0]),
    ),
    onCrash: (error) => log.error(error, { part: 'landing thread' }),
  });
  const pipeline = openPipeline(pool, announce);

  const knowledgebase = (id: string): OpenKnowledgebase => {
    const known = open.get(fold(id));
    if (known) return known;
    const folder = listKnowledgebases(home).find((name) => fold(name) === fold(id));
    if (folder === undefined) {
      throw new AppError(
        'no_such_knowledgebase',
        `There is no knowledgebase "${id.slice(0, 63)}".`,
      );
    }
    const opened = openKnowledgebase(join(home, folder), {
      log,
      writing: options.writing,
      onLedgerReplaced: pool.forget,
    });
    open.set(fold(id), opened);
    return opened;
  };

  const listStreams = (id: string): StreamSummary[] => {
    const { ledger, streams } = knowledgebase(id);
    const minuteAgo = new Date(Date.now() - 60_000).toISOString();
    const onDisk = new Set(streams.list());
    return ledger()
      .streams.list()
      .filter(({ stream }) => onDisk.has(stream))
      .map((totals) => ({
        ...totals,
        ...compactionOf(
          streams.get(totals.stream),
          ledger().compactedFiles.sums(totals.stream).files,
          totals.files,
        ),
        status: statusOf(totals.lastLandedAt, minuteAgo),
        lagMs:
          (totals.lastLandedAt ?? '') > minuteAgo
            ? ledger().batches.lagMs(totals.stream, minuteAgo)
            : null,
        ...settingsOf(streams.get(totals.stream)),
      }));
  };

  const land = async (id: string, streamId: string, delivery: Delivery): Promise<Landing> => {
    const target = knowledgebase(id);
    return pipeline.land(target, target.streams.ensure(streamId), delivery);
  };

  const targetOf = (id: string, streamId: string): IntakeTarget => {
    const target = knowledgebase(id);
    const { streams } = target;
    const stream = streams.find(streamId);
    return {
      maxBodyBytes: target.settings().max_body_bytes,
      streamKey: `${target.paths.root}\n${fold(streamId)}`,
      needsToken: () => needsToken(target.settings(), streamId),
      judgeToken: (secret) => judgeToken(target.settings(), streamId, secret),
      checkStream: () => {
        if (!stream && !target.settings().create_streams_on_first_post) streams.get(streamId);
      },
      land: (body) => land(id, streamId, body),
      refuse: (code: ErrorCode) => {
        const existing = streams.find(streamId);
        if (existing) pipeline.refuse(target, existing, code);
      },
    };
  };

  return {
    home,
    log,
    listKnowledgebases: () =>
      listKnowledgebases(home).map((id) => summaryOf(home, id, knowledgebase)),
    createKnowledgebase: (id) => {
      createKnowledgebase(home, id);
      return knowledgebase(id);
    },
    knowledgebase,
    opened: () => [...open.values()],
    jobs,
    logLines: options.logLines ?? (() => []),
    rates: (id) => rates.read(knowledgebase(id).id),
    listStreams,
    repair: async (id) => {
      const key = fold(id);
      const folder = listKnowledgebases(home).find((name) => fold(name) === key);
      if (folder === undefined) return repair(knowledgebase(id).paths.root);
      // A view that this process is making would hold the lock that the repair waits for.
      await open.get(key)?.views.settled(5_000);
      const done = repair(join(home, folder));
      pool.forget();
      const { views } = knowledgebase(id);
      views.request();
      await views.settled(10_000);
      return done;
    },
    land,
    intake: { target: targetOf },
    onNews: (hear) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    close: async () => {
      await jobs.close();
      await pool.close();
      await Promise.all([...open.values()].map((one) => one.close()));
      open.clear();
    },
  };
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

const summaryOf = (
  home: string,
  id: string,
  open: (id: string) => OpenKnowledgebase,
): KnowledgebaseSummary => {
  const path = join(home, id);
  try {
    return { id, path, streams: open(id).streams.list().length, fault: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, path, streams: 0, fault: error.message };
  }
};

const compactionOf = (stream: OpenStream, compacted: number, files: number) => {
  const compaction = policyOf(stream);
  const looseFiles = files - compacted;
  return { compaction, looseFiles, compactionSuggested: isSuggested(compaction, looseFiles) };
};

const settingsOf = ({ settings }: OpenStream) => {
  const { columns, recognise_equal_bodies: recogniseEqualBodies } = settings();
  return { registered: columns, recogniseEqualBodies };
};

const statusOf = (lastLandedAt: string | null, minuteAgo: string): StreamSummary['status'] => {
  if (lastLandedAt === null) return 'new';
  return lastLandedAt > minuteAgo ? 'landing' : 'idle';
};
