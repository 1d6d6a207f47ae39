// Owns measuring what queries of a stream cost, now and after a compaction, on some of its files where they are many.
// Never changes a file of the stream.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Lake, runToEnd } from '../../lake/apart/lake.ts';
import { holdFiles } from '../../lake/hold-files.ts';
import { findFile } from '../../lake/swap/places.ts';
import type { CostPoint, FileSums, QueryCost } from '../../model.ts';
import type { OpenKnowledgebase } from '../open.ts';
import type { OpenStream } from '../streams.ts';

/** How many loose files are read to time them; the rest costs as much each. */
const SAMPLE = 200;

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
  /** Paths of loose files, newest first, and how many there are in all. */
  readonly loose: readonly string[];
  readonly looseSums: FileSums;
  readonly looseRows: number;
  readonly compacted: readonly string[];
  readonly column: string;
  readonly batchId: string;
  readonly lake: Lake;
  readonly signal: AbortSignal;
}

const sampleOf = (
  { ledger, merging }: OpenKnowledgebase,
  { id, paths }: OpenStream,
  signal: AbortSignal = new AbortController().signal,
): Sample | undefined => {
  const { batches, columns, compactedFiles } = ledger();
  const newest = compactedFiles.page(id, 'loose', SAMPLE, undefined);
  const found = newest.flatMap((file) => {
    const path = findFile(paths, file.file);
    return path === undefined ? [] : [{ ...file, path }];
  });
  const compacted = compactedFiles.list(id).flatMap(({ file }) => findFile(paths, file) ?? []);
  const batchId = batches.list(id, 1)[0]?.batchId;
  const column = columns.list(id)[0]?.landed;
  if (batchId === undefined || column === undefined) return undefined;
  return {
    loose: found.map(({ path }) => path),
    looseSums: batches.looseSums(id),
    looseRows: found.reduce((sum, { rows }) => sum + rows, 0),
    ...{ compacted, column, batchId, lake: merging, signal },
  };
};

const timeSome = async (sample: Sample, paths: readonly string[]): Promise<QueryCost> => {
  const { column, batchId, lake, signal } = sample;
  if (paths.length === 0) return NOTHING;
  return runToEnd(lake.run('time', { paths, column, batchId }, signal));
};

const timeNow = async (sample: Sample): Promise<QueryCost> => {
  const { loose, looseSums, compacted } = sample;
  if (looseSums.files <= loose.length) return timeSome(sample, [...compacted, ...loose]);
  const some = await timeSome(sample, loose);
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
  ledger().queryCosts.add(id, point);
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
  /** Bytes of the loose files once merged, for each byte that they have now. */
  readonly shrinks: number;
}

/** Rows that a merged sample is brought up to, so that what a row costs stands out from what opening a file costs. */
const TIMED_ROWS = 500_000;

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
      const { loose, looseRows, looseSums, compacted } = sample;
      const [once, often] = [join(folder, 'once.parquet'), join(folder, 'often.parquet')];
      const times = Math.max(2, Math.ceil(TIMED_ROWS / Math.max(1, looseRows)));
      const merge = (taken: number, target: string) =>
        runToEnd(sample.lake.run('sample', { paths: loose, times: taken, target }, sample.signal));
      await merge(1, once);
      await merge(times, often);
      const small = await timeSome(sample, [once]);
      const large = await timeSome(sample, [often]);
      const rest = looseSums.rows / Math.max(1, looseRows) - 1;
      const perSample = atLeastZero(weigh([large, 1 / (times - 1)], [small, -1 / (times - 1)]));
      const old = await timeSome(sample, compacted);
      const [first, all] = [statSync(once).size, statSync(often).size];
      const made = first + ((all - first) / (times - 1)) * Math.max(0, rest);
      return {
        sampledFiles: loose.length,
        now,
        after: weigh([old, 1], [small, 1], [perSample, Math.max(0, rest)]),
        shrinks: made / Math.max(1, looseSums.sizeBytes),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

const atLeastZero = ({ groupByMs, countMs, batchMs }: QueryCost): QueryCost => ({
  groupByMs: Math.max(0, groupByMs),
  countMs: Math.max(0, countMs),
  batchMs: Math.max(0, batchMs),
});
