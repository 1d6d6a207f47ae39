// Owns the record of a promotion in the ledger, and the evidence of it in the folder.
// Never touches kb.duckdb.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { makeFolder, replaceFile } from '../durable.ts';
import { AppError } from '../errors.ts';
import { newBatchId } from '../ids.ts';
import type { PromotionRow } from '../ledger/promotions.ts';
import type { Profile, PromotionSummary, Snapshot } from '../model.ts';
import type { Ground } from './ground.ts';
import type { PlanDocument } from './plan-document.ts';
import { snapshotName } from './snapshot.ts';

/** What .profile.json holds: what was looked at, batch by batch, and what was found. */
export interface EvidenceFile {
  readonly snapshot: Snapshot;
  readonly batches: readonly string[];
  readonly profile: Profile;
}

/** Records a promotion that begins now. */
export const recordStart = (
  { ledger }: Ground,
  stream: string,
  by: string,
  base: number | null,
): PromotionRow => {
  const row: PromotionRow = {
    ...{ id: newBatchId(), stream, state: 'running', by, pid: process.pid, host: hostname() },
    ...{ startedAt: new Date().toISOString(), endedAt: null, base, version: null },
    ...{ words: 'Taking a snapshot.', items: 0, decided: 0 },
  };
  ledger().promotions.add(row);
  return row;
};

/** A record without what only this folder needs of it. */
export const shownPromotion = ({
  pid: _pid,
  host: _host,
  ...summary
}: PromotionRow): PromotionSummary => summary;

/** The record with an id. Throws `no_such_plan`. */
export const promotionIn = ({ ledger }: Ground, id: string): PromotionRow => {
  const row = ledger().promotions.get(id);
  if (row) return row;
  throw new AppError('no_such_plan', `There is no promotion "${id.slice(0, 40)}".`);
};

/** The plan's document of a promotion. Throws `no_such_plan`. */
export const documentOf = (ground: Ground, id: string): PlanDocument => {
  const { stream, words } = promotionIn(ground, id);
  const text = ground.ledger().promotions.document(id);
  if (text !== undefined) return JSON.parse(text) as PlanDocument;
  throw new AppError('no_such_plan', `The promotion of ${stream} has no plan: ${words}`);
};

/** The record of an open plan and its document. Throws `no_such_plan`. */
export const openPlan = (
  ground: Ground,
  id: string,
): { row: PromotionRow; document: PlanDocument } => {
  const row = promotionIn(ground, id);
  const document = documentOf(ground, id);
  if (row.state === 'open') return { row, document };
  throw new AppError('no_such_plan', `The plan of ${row.stream} is not open: ${row.words}`);
};

/** The end of a promotion. */
export const recordEnd = (
  { ledger }: Ground,
  id: string,
  end: Pick<PromotionRow, 'state' | 'words'> & { readonly version?: number },
): void => {
  const endedAt = new Date().toISOString();
  ledger().promotions.change(id, { ...end, endedAt });
};

/** Keeps the evidence in the folder, where a lost ledger cannot take it along. */
export const writeEvidence = ({ paths }: Ground, evidence: EvidenceFile): void => {
  const { stream, promotion } = evidence.snapshot;
  const path = paths.profile(snapshotName(stream, promotion));
  makeFolder(dirname(path));
  replaceFile(path, `${JSON.stringify(evidence, null, 1)}\n`);
};

/** The evidence of a snapshot; undefined where it is not in the folder. */
export const readEvidence = (
  { paths }: Pick<Ground, 'paths'>,
  { stream, promotion }: Snapshot,
): EvidenceFile | undefined => {
  const path = paths.profile(snapshotName(stream, promotion));
  if (!existsSync(path)) return undefined;
  return JSON.parse(readFileSync(path, 'utf8')) as EvidenceFile;
};

/** Removes the evidence of a promotion that came to nothing, or that a later one has replaced. */
export const removeEvidence = (
  { paths }: Ground,
  { stream, id }: Pick<PromotionSummary, 'stream' | 'id'>,
): void =>
  rmSync(dirname(paths.profile(snapshotName(stream, id))), { recursive: true, force: true });
