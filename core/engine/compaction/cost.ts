// Owns measuring what queries of a stream cost, now and after a compaction, and how large its rows are then, on some of
// its files where they are many. Never changes a file of the stream.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Lake, runToEnd } from '../../lake/apart/lake.ts';
import { areLong, timesOf } from '../../lake/compact/cost.ts';
import { type ManifestBatch, manifestBytes } from '../../lake/compact/manifest.ts';
import type { RowSums } from '../../lake/compact/memory.ts';
import { holdFiles } from '../../lake/hold-files.ts';
import { findFile } from '../../lake/swap/places.ts';
import type { CostPoint, FileSums, QueryCost } from '../../model.ts';
import { sqliteCode } from '../../sqlite.ts';
import type { OpenKnowledgebase } from '../open.ts';
import type { OpenStream } from '../streams.ts';

/** How many loose files are read to time them, and how much may be in them; the rest costs as much each. */
const SAMPLE = {
  ...{ files: 200, rows: 100_000, sizeBytes: 8 * 1024 * 1024 },
  // Long text that is packed well is long again while it is merged.
  ...{ bodyBytes: 16 * 1024 * 1024, longBytes: 8 * 1024 * 1024 },
} as const;

const NOTHING: QueryCost = { groupByMs: 0, countMs: 0, batchMs: 0 };

/** Adds costs, each times its weight. */
const weigh = (...parts: readonly (readonly [QueryCost, number])[]): QueryCost =>
  parts.reduce(
    (sum, [cost, weight]) => ({
      groupByMs: sum.groupByMs + cost.groupByMs * weight,
      countMs: sum.countMs + cost.countMs * weight,
      batchMs: sum.batchMs + cost.batchMs * weight,
    }),
    NOTHING,
  );

/** What is measured of a stream. */
interface Sample {
  /** Some loose files, the newest, in landing order, and how many there are in all. */
  readonly loose: readonly SampledFile[];
  readonly looseSums: FileSums;
  readonly compacted: readonly string[];
  readonly column: string;
  /** How many columns the stream has. */
  readonly columns: number;
  readonly batchId: string;
  readonly lake: Lake;
  readonly signal: AbortSignal;
}

interface SampledFile {
  readonly path: string;
  readonly rows: number;
  readonly bodyBytes: number;
  readonly batchId: string;
}

const pathsOf = (files: readonly SampledFile[]): string[] => files.map(({ path }) => path);
const rowsOf = (files: readonly SampledFile[]): number =>
  files.reduce((sum, { rows }) => sum + rows, 0);

/** The newest loose files, as many as may be read; two in any case, so that there is something to merge. */
const newestLoose = ({ ledger }: OpenKnowledgebase, { id, paths }: OpenStream): SampledFile[] => {
  const found: SampledFile[] = [];
  let [rows, sizeBytes, bodies] = [0, 0, 0];
  for (const file of ledger().compactedFiles.page(id, 'loose', SAMPLE.files, undefined)) {
    const path = findFile(paths, file.file);
    if (path === undefined || file.batchId === null) continue;
    const bodyBytes = ledger().batches.get(id, file.batchId)?.bodyBytes ?? 0;
    rows += file.rows;
    sizeBytes += file.sizeBytes;
    bodies += bodyBytes;
    const most = areLong({ rows, bodyBytes: bodies }) ? SAMPLE.longBytes : SAMPLE.bodyBytes;
    const isMuch = rows > SAMPLE.rows || sizeBytes > SAMPLE.sizeBytes || bodies > most;
    if (found.length >= 2 && isMuch) break;
    found.push({ path, rows: file.rows, bodyBytes, batchId: file.batchId });
  }
  return found.reverse();
};

const sampleOf = (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  signal: AbortSignal = new AbortController().signal,
): Sample | undefined => {
  const { id, paths } = stream;
  const { batches, columns, compactedFiles } = knowledgebase.ledger();
  const compacted = compactedFiles.list(id).flatMap(({ file }) => findFile(paths, file) ?? []);
  const batchId = batches.list(id, 1)[0]?.batchId;
  const column = columns.list(id)[0]?.landed;
  if (batchId === undefined || column === undefined) return undefined;
  return {
    loose: newestLoose(knowledgebase, stream),
    looseSums: batches.looseSums(id),
    ...{ compacted, column, columns: columns.count(id), batchId },
    ...{ lake: knowledgebase.merging, signal },
  };
};

const timeSome = async (sample: Sample, paths: readonly string[]): Promise<QueryCost> => {
  const { column, batchId, lake, signal } = sample;
  if (paths.length === 0) return NOTHING;
  return runToEnd(lake.run('time', { paths, column, batchId }, signal));
};

/** What is in files of a sample. */
const sumsOf = ({ columns }: Sample, files: readonly SampledFile[]): RowSums => ({
  rows: rowsOf(files),
  bodyBytes: files.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0),
  columns,
});

/** Merges files of a sample, `times` over, for measuring alone. */
const mergeSome = (
  sample: Sample,
  files: readonly SampledFile[],
  times: number,
  target: string,
): Promise<void> => {
  const { lake, signal, column } = sample;
  const largestBody = Math.max(0, ...files.map(({ bodyBytes }) => bodyBytes));
  const merge = { paths: pathsOf(files), times, target, column, largestBody };
  return runToEnd(lake.run('sample', { ...merge, sums: sumsOf(sample, files) }, signal));
};

const timeNow = async (sample: Sample): Promise<QueryCost> => {
  const { loose, looseSums, compacted } = sample;
  const paths = pathsOf(loose);
  if (looseSums.files <= loose.length) return timeSome(sample, [...compacted, ...paths]);
  const some = await timeSome(sample, paths);
  return weigh([await timeSome(sample, compacted), 1], [some, looseSums.files / loose.length]);
};

const note = (
  { ledger }: OpenKnowledgebase,
  { id }: OpenStream,
  cost: QueryCost,
): CostPoint | undefined => {
  const totals = ledger().streams.get(id);
  if (!totals) return undefined;
  const { files, rows } = totals;
  const point = { at: new Date().toISOString(), files, rows, ...cost };
  try {
    ledger().queryCosts.add(id, point);
  } catch (error) {
    // What was measured is told all the same; the history goes on when there is room.
    if (sqliteCode(error) !== 'SQLITE_FULL') throw error;
  }
  return point;
};

/** Measures the stream as it is and notes it in the history; undefined where nothing has landed. */
export const measureStream = (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  signal?: AbortSignal,
): Promise<CostPoint | undefined> =>
  holdFiles(knowledgebase.query, async () => {
    const sample = sampleOf(knowledgebase, stream, signal);
    return sample && note(knowledgebase, stream, await timeNow(sample));
  });

/** What a compaction would gain. */
export interface Gain {
  readonly sampledFiles: number;
  readonly now: QueryCost;
  readonly after: QueryCost;
  readonly merged: MergedSize;
}

/** How large loose files are once they are merged, in bytes. */
export interface MergedSize {
  /** What a file has whatever is in it: its footer, and values that come again and again. */
  readonly aFile: number;
  readonly aRow: number;
  /** What the manifest says of a batch. */
  readonly aBatch: number;
}

/**
 * Measures the stream as it is, merges a sample outside of it, and scales both: opening costs as much a file as in the
 * sample, reading as much a row. Undefined where there are not two loose files.
 */
export const measureGain = (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
): Promise<Gain | undefined> =>
  holdFiles(knowledgebase.query, async () => {
    const sample = sampleOf(knowledgebase, stream);
    if (!sample || sample.loose.length < 2) return undefined;
    const now = await timeNow(sample);
    note(knowledgebase, stream, now);
    const folder = mkdtempSync(join(tmpdir(), 'strata-gain-'));
    try {
      const { loose, looseSums, compacted } = sample;
      const [once, often] = [join(folder, 'once.parquet'), join(folder, 'often.parquet')];
      const times = timesOf(sumsOf(sample, loose));
      await mergeSome(sample, loose, 1, once);
      await mergeSome(sample, loose, times, often);
      const small = await timeSome(sample, [once]);
      const large = await timeSome(sample, [often]);
      const rest = looseSums.rows / Math.max(1, rowsOf(loose)) - 1;
      const perSample = atLeastZero(weigh([large, 1 / (times - 1)], [small, -1 / (times - 1)]));
      const old = await timeSome(sample, compacted);
      return {
        sampledFiles: loose.length,
        now,
        after: weigh([old, 1], [small, 1], [perSample, Math.max(0, rest)]),
        merged: await sizeOf(knowledgebase, stream, sample, once),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

/**
 * What merging makes of a file, a row and a batch, where `once` is the sample merged: its second half shows what a row
 * adds. Repeating the sample would not, since what repeats takes nearly nothing.
 */
const sizeOf = async (
  { ledger }: OpenKnowledgebase,
  { id }: OpenStream,
  sample: Sample,
  once: string,
): Promise<MergedSize> => {
  const { loose } = sample;
  const half = `${once}.half`;
  const first = loose.slice(0, loose.length >> 1);
  await mergeSome(sample, first, 1, half);
  const [whole, part] = [statSync(once).size, statSync(half).size];
  const aRow = Math.max(0, whole - part) / Math.max(1, rowsOf(loose) - rowsOf(first));
  const { batches } = ledger();
  const listed = loose.flatMap(({ batchId }): ManifestBatch[] => {
    const batch = batches.get(id, batchId);
    const none = { repairs: null, part: null, records: null };
    return batch ? [{ ...batch, ...none, landedFile: batch.file }] : [];
  });
  return {
    aFile: Math.max(0, whole - aRow * rowsOf(loose)),
    aRow,
    aBatch: (await manifestBytes(listed)) / Math.max(1, listed.length),
  };
};

const atLeastZero = ({ groupByMs, countMs, batchMs }: QueryCost): QueryCost => ({
  groupByMs: Math.max(0, groupByMs),
  countMs: Math.max(0, countMs),
  batchMs: Math.max(0, batchMs),
});
