// Owns proving the promises of a knowledgebase: the conservation ledger, the files, the view.
// Never mends anything; repair.ts does.

import { counted } from '../counted.ts';
import { AppError } from '../errors.ts';
import { viewName } from '../knowledgebase/paths.ts';
import { queryPage } from '../lake/query.ts';
import type { FileSums, Proof, StreamProof, StreamTotals } from '../model.ts';
import type { OpenKnowledgebase } from './open.ts';
import {
  fileDifferences,
  linkDifferences,
  patient,
  rejectDifferences,
  type Soon,
} from './verify-folder.ts';
import { verifyModel } from './verify-model.ts';

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (stream: string, done: number, total: number) => void;
}

/** How long batches that are on their way may take to be recorded. */
const ON_THEIR_WAY_MS = 2_000;

/**
 * Verifies every stream: received = landed + rejected + replayed + refused; every recorded batch has its whole file
 * with the same body hash and rows; every file is recorded; every reject has its body (unless retention removed it) and
 * reason; every batch that is the repair of a reject, or landed in part, and its reject name each other; the lines of
 * a batch that landed in part are its rows and its rejected lines; the rows that were acknowledged are the rows of the
 * view; and the model's views bind and its snapshot's batches are known. Reads every file's footer, so it takes about
 * 0.1 ms a file.
 */
export const verify = async (
  knowledgebase: OpenKnowledgebase,
  options: VerifyOptions = {},
): Promise<Proof> => {
  const differences = knowledgebase
    .ledger()
    .faults()
    .map((fault) => `The ledger: ${fault}.`);
  // A damaged ledger is no evidence.
  if (differences.length > 0) {
    return { knowledgebase: knowledgebase.id, holds: false, streams: [], model: null, differences };
  }
  const streams: StreamProof[] = [];
  const soon = patient(ON_THEIR_WAY_MS);
  const { ledger } = knowledgebase;
  const ids = ledger()
    .streams.list()
    .map(({ stream }) => stream);
  const onDisk = new Set(knowledgebase.streams.list());
  for (const id of onDisk) {
    if (!ids.includes(id) && !(await soon(() => ledger().streams.get(id) !== undefined))) {
      differences.push(`The stream ${id} is on disk but not in the ledger.`);
    }
  }
  for (const id of ids) {
    if (options.signal?.aborted) throw new AppError('query_cancelled', 'Verifying was cancelled.');
    if (onDisk.has(id)) streams.push(await verifyStream(knowledgebase, id, options, soon));
    else differences.push(`The stream ${id} is in the ledger but not on disk.`);
  }
  const model = await verifyModel(knowledgebase, differences);
  const holds =
    differences.length === 0 && streams.every((proof) => proof.differences.length === 0);
  return { knowledgebase: knowledgebase.id, holds, streams, model, differences };
};

const verifyStream = async (
  knowledgebase: OpenKnowledgebase,
  id: string,
  { onProgress }: VerifyOptions,
  soon: Soon,
): Promise<StreamProof> => {
  const ledger = knowledgebase.ledger();
  // Evidence is read in an order that lets batches land meanwhile: the ledger first, at one moment, then what it
  // must be in.
  const { totals, sums, loose, compacted } = ledger.transaction(() => ({
    totals: ledger.streams.get(id) as StreamTotals,
    sums: ledger.batches.sums(id),
    loose: ledger.batches.looseSums(id),
    compacted: ledger.compactedFiles.sums(id),
  }));
  const differences: string[] = [];
  const fault = knowledgebase.streams.get(id).fault();
  if (fault)
    differences.push(`${fault} Nothing lands until that is mended; what has landed is below.`);
  const files = loose.files + compacted.files;
  const sizeBytes = loose.sizeBytes + compacted.sizeBytes;
  checkTotals(totals, { files, rows: sums.rows, sizeBytes }, differences);
  const progress = (done: number, total: number): void => onProgress?.(id, done, total);
  differences.push(...(await fileDifferences(knowledgebase, id, progress, soon)));
  differences.push(...(await rejectDifferences(knowledgebase, id, soon)));
  differences.push(...linkDifferences(knowledgebase, id));
  const viewRows = await checkView(knowledgebase, id, totals, differences, soon);
  return { totals, refusals: ledger.refusals.list(id), viewRows, differences };
};

const checkTotals = (totals: StreamTotals, sums: FileSums, differences: string[]): void => {
  const { received, landed, rejected, replayed, refused } = totals;
  const accounted = landed + rejected + replayed + refused;
  if (received !== accounted) {
    differences.push(
      `Received ${received}, but landed ${landed} + rejected ${rejected} + replayed ${replayed} + refused ${refused} = ${accounted}: ${Math.abs(received - accounted)} ${received > accounted ? 'are unaccounted for' : 'were counted twice'}.`,
    );
  }
  if (
    totals.rows !== sums.rows ||
    totals.files !== sums.files ||
    totals.sizeBytes !== sums.sizeBytes
  ) {
    differences.push(
      `The totals say ${counted(totals.files, 'file')}, ${counted(totals.rows, 'row')}, ${counted(totals.sizeBytes, 'byte')}; the batches add up to ${sums.files}, ${sums.rows}, ${sums.sizeBytes}.`,
    );
  }
};

const checkView = async (
  knowledgebase: OpenKnowledgebase,
  id: string,
  totals: StreamTotals,
  differences: string[],
  soon: Soon,
): Promise<number | null> => {
  if (totals.files === 0) return null;
  try {
    const sql = `SELECT count(*) FROM ${viewName(id)}`;
    const page = await queryPage(knowledgebase.query, sql, { timeoutMs: 600_000 });
    const viewRows = Number(page.rows[0]?.[0]);
    // Batches may land between the two counts: the view has at least what was acknowledged before it was asked.
    const now = (): number => knowledgebase.ledger().streams.get(id)?.rows ?? totals.rows;
    const isTooFew = viewRows < totals.rows;
    if (isTooFew || !(await soon(() => viewRows <= now()))) {
      const difference = isTooFew ? totals.rows - viewRows : viewRows - now();
      differences.push(
        `${counted(totals.rows, 'row was', 'rows were')} acknowledged, the view has ${viewRows}: ${counted(difference, 'is', 'are')} ${isTooFew ? 'missing' : 'too many'}.`,
      );
    }
    return viewRows;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    differences.push(`The view cannot be counted: ${error.message}`);
    return null;
  }
};
