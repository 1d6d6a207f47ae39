// Owns proving the promises of a knowledgebase: the conservation ledger, the files, the view.
// Never mends anything; repair.ts does.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { REASON_SUFFIX, rejectFiles, viewName } from '../knowledgebase/paths.ts';
import { describeFile } from '../lake/land.ts';
import { NotParquetError } from '../lake/parquet/not-parquet-error.ts';
import { queryPage } from '../lake/query.ts';
import type { Proof, StreamProof, StreamTotals } from '../model.ts';
import type { OpenKnowledgebase } from './open.ts';
import { listDataFiles } from './recover.ts';

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (stream: string, done: number, total: number) => void;
}

const NAMED = 20;

/**
 * Verifies every stream: received = landed + rejected + replayed + refused; every recorded batch has its whole file
 * with the same body hash and rows; every file is recorded; every reject has its body and reason; and the rows that were
 * acknowledged are the rows of the view. Reads every file's footer, so it takes about 0.1 ms a file.
 */
export const verify = async (
  knowledgebase: OpenKnowledgebase,
  options: VerifyOptions = {},
): Promise<Proof> => {
  const differences = knowledgebase
    .ledger()
    .faults()
    .map((fault) => `The ledger: ${fault}.`);
  const streams: StreamProof[] = [];
  const onDisk = new Set(knowledgebase.streams.list());
  const ids = knowledgebase
    .ledger()
    .streams.list()
    .map(({ stream }) => stream);
  for (const id of onDisk) {
    if (!ids.includes(id)) differences.push(`The stream ${id} is on disk but not in the ledger.`);
  }
  for (const id of ids) {
    if (options.signal?.aborted) throw new AppError('query_cancelled', 'Verifying was cancelled.');
    if (onDisk.has(id)) streams.push(await verifyStream(knowledgebase, id, options));
    else differences.push(`The stream ${id} is in the ledger but not on disk.`);
  }
  const holds =
    differences.length === 0 && streams.every((proof) => proof.differences.length === 0);
  return { knowledgebase: knowledgebase.id, holds, streams, differences };
};

const verifyStream = async (
  knowledgebase: OpenKnowledgebase,
  id: string,
  options: VerifyOptions,
): Promise<StreamProof> => {
  const ledger = knowledgebase.ledger();
  // Evidence is read in an order that lets batches land meanwhile: the ledger first, then what it must be in.
  const totals = ledger.streams.get(id) as StreamTotals;
  const differences: string[] = [];
  checkTotals(totals, ledger.batches.sums(id), differences);
  checkFiles(knowledgebase, id, options, differences);
  checkRejects(knowledgebase, id, differences);
  const viewRows = await checkView(knowledgebase, id, totals, differences);
  return { totals, refusals: ledger.refusals.list(id), viewRows, differences };
};

const checkTotals = (
  totals: StreamTotals,
  sums: { batches: number; rows: number; sizeBytes: number },
  differences: string[],
): void => {
  const { received, landed, rejected, replayed, refused } = totals;
  const accounted = landed + rejected + replayed + refused;
  if (received !== accounted) {
    differences.push(
      `Received ${received}, but landed ${landed} + rejected ${rejected} + replayed ${replayed} + refused ${refused} = ${accounted}: ${Math.abs(received - accounted)} ${received > accounted ? 'are unaccounted for' : 'were counted twice'}.`,
    );
  }
  if (
    totals.rows !== sums.rows ||
    totals.files !== sums.batches ||
    totals.sizeBytes !== sums.sizeBytes
  ) {
    differences.push(
      `The totals say ${totals.files} files, ${totals.rows} rows, ${totals.sizeBytes} bytes; the batches add up to ${sums.batches}, ${sums.rows}, ${sums.sizeBytes}.`,
    );
  }
};

const checkFiles = (
  { ledger, streams }: OpenKnowledgebase,
  id: string,
  { onProgress }: VerifyOptions,
  differences: string[],
): void => {
  const { paths } = streams.get(id);
  const found: string[] = [];
  const batches = [...ledger().batches.each(id)];
  const files = new Set(listDataFiles(paths));
  for (const [done, batch] of batches.entries()) {
    if (done % 1_000 === 0) onProgress?.(id, done, batches.length);
    if (files.delete(batch.file)) {
      const wrong = fileDifference(join(paths.data, batch.file), batch);
      if (wrong) found.push(`${batch.file}: ${wrong}`);
    } else found.push(`${batch.file} is recorded with ${batch.rows} rows, but is not in data/.`);
  }
  for (const file of files) {
    // It may have landed since the list of batches was read.
    const batchId = file.slice(file.lastIndexOf('/') + 1, -'.parquet'.length);
    if (ledger().batches.get(id, batchId) === undefined) {
      found.push(`${file} is in data/, but not recorded.`);
    }
  }
  differences.push(...atMost(found, 'files'));
};

const fileDifference = (
  path: string,
  batch: { rows: number; sha256: string; sizeBytes: number },
): string | undefined => {
  try {
    const { facts, rows, sizeBytes } = describeFile(path);
    if (rows !== batch.rows) return `it has ${rows} rows, the ledger says ${batch.rows}.`;
    if (facts?.sha256 !== batch.sha256)
      return 'it was made from another body than the ledger says.';
    if (sizeBytes !== batch.sizeBytes)
      return `it has ${sizeBytes} bytes, the ledger says ${batch.sizeBytes}.`;
    return undefined;
  } catch (error) {
    if (error instanceof NotParquetError) return `it is not whole: ${error.message}`;
    throw error;
  }
};

const checkRejects = (
  { ledger, streams }: OpenKnowledgebase,
  id: string,
  differences: string[],
): void => {
  const found: string[] = [];
  const { failed } = streams.get(id).paths;
  const rejects = [...ledger().rejects.each(id)];
  const kept = existsSync(failed) ? readdirSync(failed) : [];
  const reasons = new Set(kept.filter((name) => name.endsWith(REASON_SUFFIX)));
  for (const { rejectId, bodyBytes, state } of rejects) {
    const size = statSync(join(failed, rejectFiles(rejectId).body), {
      throwIfNoEntry: false,
    })?.size;
    if (state === 'open' && size !== bodyBytes) {
      found.push(
        size === undefined
          ? `The body of the reject ${rejectId} is not in failed/.`
          : `The body of the reject ${rejectId} has ${size} bytes, the ledger says ${bodyBytes}.`,
      );
    }
    if (!reasons.delete(`${rejectId}${REASON_SUFFIX}`)) {
      found.push(`The reject ${rejectId} is recorded, but its reason is not in failed/.`);
    }
  }
  for (const name of reasons) {
    const rejectId = name.slice(0, -REASON_SUFFIX.length);
    if (ledger().rejects.get(id, rejectId) === undefined) {
      found.push(`The reject ${rejectId} is in failed/, but not recorded.`);
    }
  }
  differences.push(...atMost(found, 'rejects'));
};

const checkView = async (
  knowledgebase: OpenKnowledgebase,
  id: string,
  totals: StreamTotals,
  differences: string[],
): Promise<number | null> => {
  if (totals.files === 0) return null;
  try {
    const sql = `SELECT count(*) FROM ${viewName(id)}`;
    const page = await queryPage(knowledgebase.query, sql, { timeoutMs: 600_000 });
    const viewRows = Number(page.rows[0]?.[0]);
    // Batches may land between the two counts: the view has at least what was acknowledged before it was asked.
    const after = knowledgebase.ledger().streams.get(id)?.rows ?? totals.rows;
    if (viewRows < totals.rows || viewRows > after) {
      const difference = viewRows < totals.rows ? totals.rows - viewRows : viewRows - after;
      differences.push(
        `${totals.rows} rows were acknowledged, the view has ${viewRows}: ${difference} ${viewRows < totals.rows ? 'are missing' : 'are too many'}.`,
      );
    }
    return viewRows;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    differences.push(`The view cannot be counted: ${error.message}`);
    return null;
  }
};

const atMost = (found: string[], what: string): string[] =>
  found.length <= NAMED
    ? found
    : [...found.slice(0, NAMED), `${found.length - NAMED} more ${what} differ.`];
