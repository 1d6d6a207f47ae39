// Owns the streams of a knowledgebase as the list of all shows them: totals, settings, and what each is doing now.
// Never opens kb.duckdb and never reads a stream's files.

import { fold } from '../ids.ts';
import type { AlertKind } from '../ledger/alerts.ts';
import type { CompactionPolicy, StreamSummary, StreamTotals } from '../model.ts';
import { isSuggested, policyOf } from './compaction/plan.ts';
import type { OpenKnowledgebase } from './open.ts';
import type { RateMeter } from './rates.ts';
import type { OpenStream } from './streams.ts';

/** Received to landed, p95: above it a stream is lagging. */
const SLOW_MS = 1_000;

/** Every stream, by id. */
export const summariesOf = (
  { id, ledger, streams, views }: OpenKnowledgebase,
  rates: RateMeter,
): StreamSummary[] => {
  const now = ledger();
  const minuteAgo = new Date(Date.now() - 60_000).toISOString();
  const onDisk = new Set(streams.list());
  const alerts = now.alerts.open();
  const refused = now.refusals.refusedSince('stream_busy', minuteAgo);
  return now.streams
    .list()
    .filter(({ stream }) => onDisk.has(stream))
    .map((totals) => {
      const { stream, lastLandedAt } = totals;
      const isLanding = lastLandedAt !== null && lastLandedAt > minuteAgo;
      const lagMs = isLanding ? now.batches.lagMs(stream, minuteAgo) : null;
      const opened = streams.get(stream);
      const fault = opened.fault() ?? views.faultOf(stream) ?? alertWords(alerts.get(fold(stream)));
      const delay = refused.has(fold(stream))
        ? refusalWords(rates.refused(id, stream, 'stream_busy'))
        : lagWords(lagMs);
      return {
        ...totals,
        status: fault ? 'error' : delay ? 'lagging' : quietStatus(totals, isLanding),
        trouble: fault ?? delay,
        lagMs,
        ...settingsOf(opened),
        ...compactionOf(opened, totals.files - now.compactedFiles.sums(stream).files),
      };
    });
};

const quietStatus = (
  { lastLandedAt }: StreamTotals,
  isLanding: boolean,
): StreamSummary['status'] => {
  if (lastLandedAt === null) return 'new';
  return isLanding ? 'landing' : 'idle';
};

const alertWords = (counts: Readonly<Record<AlertKind, number>> | undefined): string | null => {
  if (!counts) return null;
  const aside = counts['set-aside'];
  const { missing } = counts;
  const words = [
    ...(aside > 0 ? [`${aside} broken ${aside === 1 ? 'file' : 'files'} set aside`] : []),
    ...(missing > 0
      ? [`${missing} landed ${missing === 1 ? 'file is' : 'files are'} missing`]
      : []),
  ];
  return words.join(', ');
};

/** How often is known by the process that refuses; another one knows only that it does. */
const refusalWords = (times: number): string =>
  `Refusing: too much in flight${times > 0 ? `, ${times} in the last minute` : ''}`;

const lagWords = (lagMs: number | null): string | null =>
  lagMs !== null && lagMs > SLOW_MS
    ? `Slow: ${(lagMs / 1_000).toFixed(1)} s from received to landed`
    : null;

const settingsOf = ({ settings, fault }: OpenStream) => {
  if (fault() !== null) {
    return {
      ...{ registered: null, recogniseEqualBodies: false },
      ...{ dateFolders: false, partialLanding: false },
    };
  }
  const now = settings();
  return {
    registered: now.columns,
    recogniseEqualBodies: now.recognise_equal_bodies,
    dateFolders: now.date_folders,
    partialLanding: now.partial_landing,
  };
};

/** What a stream whose settings cannot be read does of itself. */
const NO_POLICY: CompactionPolicy = { policy: 'off', files: 2_000, retentionDays: 7 };

const compactionOf = (stream: OpenStream, looseFiles: number) => {
  const compaction = stream.fault() === null ? policyOf(stream) : NO_POLICY;
  return { compaction, looseFiles, compactionSuggested: isSuggested(compaction, looseFiles) };
};
