// Owns proving that the folder of a stream and the ledger say the same: landed files, and rejects with their bodies.
// Never mends anything, and never asks DuckDB.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { counted, grouped } from '../counted.ts';
import { REASON_SUFFIX, rejectFiles } from '../knowledgebase/paths.ts';
import { holdFiles } from '../lake/hold-files.ts';
import { describeFile } from '../lake/land.ts';
import { NotParquetError } from '../lake/parquet/not-parquet-error.ts';
import { readJournal } from '../lake/swap/journal.ts';
import { findFile, listStreamFiles } from '../lake/swap/places.ts';
import type { Ledger } from '../ledger/open.ts';
import type { Batch } from '../model.ts';
import { readReason } from '../rejects/keep.ts';
import { linksTold } from './file-told.ts';
import type { OpenKnowledgebase } from './open.ts';
import { compactedDifferences } from './verify-compacted.ts';
import { sidesOf } from './verify-sides.ts';

/** How many differences of one kind are named. */
const NAMED = 20;

/** Waits a bounded time for something to become so; says whether it did. */
export type Soon = (isSo: () => boolean) => Promise<boolean>;

/**
 * A batch on its way is in the folder a moment before it is in the ledger. All the waiting for that, together, ends
 * `patienceMs` after it first began.
 */
export const patient = (patienceMs: number): Soon => {
  let giveUpAt: number | undefined;
  return async (isSo) => {
    for (;;) {
      if (isSo()) return true;
      giveUpAt ??= Date.now() + patienceMs;
      if (Date.now() > giveUpAt) return false;
      await wait(20);
    }
  };
};

/**
 * What differs between the recorded batches and the files, each a sentence. No swap goes on meanwhile; one that broke
 * off, or whose ledger is behind, has every batch somewhere all the same.
 */
export const fileDifferences = (
  knowledgebase: OpenKnowledgebase,
  id: string,
  onProgress: (done: number, total: number) => void,
  soon: Soon,
): Promise<string[]> =>
  holdFiles(knowledgebase.query, async () => {
    const { ledger, streams } = knowledgebase;
    const { paths } = streams.get(id);
    const found: string[] = [];
    // Read before the ledger. None comes while files are held; one that is here may end, and its ledger gets in line.
    const journal = readJournal(paths);
    const batches = [...ledger().batches.each(id)];
    const files = listStreamFiles(paths);
    const sides = sidesOf(batches, files, journal);
    const unseen = new Set(files.keys());
    const compacted = new Map<string, Batch[]>(sides.compacted.map((file) => [file, []]));
    for (const [done, batch] of batches.entries()) {
      if (done % 1_000 === 0) onProgress(done, batches.length);
      if (batch.landedFile !== null) {
        const others = compacted.get(batch.file);
        if (others) others.push(batch);
        else compacted.set(batch.file, [batch]);
        continue;
      }
      unseen.delete(batch.file);
      const path = files.get(batch.file) ?? findFile(paths, batch.file, journal);
      const wrong = path && fileDifference(path, batch);
      if (wrong) found.push(`${batch.file}: ${wrong}`);
      else if (!path) {
        sides.behind.delete(batch.batchId);
        found.push(
          `${batch.file} is recorded with ${counted(batch.rows, 'row')}, but is not in data/.`,
        );
      }
    }
    for (const [file, own] of compacted) {
      unseen.delete(file);
      const path = files.get(file) ?? findFile(paths, file, journal);
      const recorded = ledger().compactedFiles.get(id, file);
      const moving = sides.otherSideOf(file);
      if (path) {
        const proof = await compactedDifferences(path, file, { recorded, own, moving });
        found.push(...proof.found);
        if (files.has(file)) for (const batchId of proof.ids) sides.behind.delete(batchId);
        continue;
      }
      for (const { batchId } of own) sides.behind.delete(batchId);
      found.push(
        `${file} is recorded with ${counted(own.length, 'batch', 'batches')}, but is not in data/.`,
      );
    }
    for (const file of unseen) {
      const batch = sides.behind.get(idOf(file));
      if (batch) {
        const wrong = fileDifference(files.get(file) as string, batch);
        if (wrong) found.push(`${file}: ${wrong}`);
        sides.behind.delete(batch.batchId);
      } else if (!(await soon(() => isRecorded(ledger(), id, file)))) {
        found.push(`${file} is in data/, but not recorded.`);
      }
    }
    for (const { batchId, file } of sides.behind.values()) {
      found.push(
        `${file}: the batch ${batchId} was taken out of data/ with it, and no file there has it.`,
      );
    }
    return atMost(found, 'files');
  });

/** The id of the batch that a loose file holds, as its name says. */
const idOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1, -'.parquet'.length);

const isRecorded = (ledger: Ledger, id: string, file: string): boolean =>
  ledger.batches.get(id, idOf(file)) !== undefined ||
  ledger.compactedFiles.get(id, file) !== undefined;

const fileDifference = (
  path: string,
  batch: { rows: number; sha256: string; sizeBytes: number },
): string | undefined => {
  try {
    const { facts, rows, sizeBytes } = describeFile(path);
    if (rows !== batch.rows)
      return `it has ${counted(rows, 'row')}, the ledger says ${batch.rows}.`;
    if (facts?.sha256 !== batch.sha256)
      return 'it was made from another body than the ledger says.';
    if (sizeBytes !== batch.sizeBytes)
      return `it has ${counted(sizeBytes, 'byte')}, the ledger says ${batch.sizeBytes}.`;
    return undefined;
  } catch (error) {
    if (error instanceof NotParquetError) return `it is not whole: ${error.message}`;
    throw error;
  }
};

/** What differs between the recorded rejects and failed/, each a sentence. */
export const rejectDifferences = async (
  { ledger, streams }: OpenKnowledgebase,
  id: string,
  soon: Soon,
): Promise<string[]> => {
  const found: string[] = [];
  const { failed } = streams.get(id).paths;
  const rejects = [...ledger().rejects.each(id)];
  const kept = existsSync(failed) ? readdirSync(failed) : [];
  const reasons = new Set(kept.filter((name) => name.endsWith(REASON_SUFFIX)));
  for (const { rejectId, bodyBytes, bodyRemovedAt } of rejects) {
    const size = statSync(join(failed, rejectFiles(rejectId).body), {
      throwIfNoEntry: false,
    })?.size;
    // A body that retention removed is gone by intent, and the ledger says so.
    if (bodyRemovedAt === null && size !== bodyBytes) {
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
    const path = join(failed, name);
    const isKnown = (): boolean =>
      ledger().rejects.get(id, rejectId) !== undefined || isStray(ledger(), id, path);
    if (!(await soon(isKnown))) {
      found.push(`The reject ${rejectId} is in failed/, but not recorded.`);
    }
  }
  return atMost(found, 'rejects');
};

/** Bad lines of a batch that never landed: nobody was answered, and they count for nothing. */
const isStray = (ledger: Ledger, id: string, path: string): boolean => {
  const reason = readReason(path);
  if (typeof reason?.part_of !== 'string') return false;
  return ledger.batches.get(id, reason.part_of)?.partRejectId !== reason.reject_id;
};

/** What differs between batches and the rejects that they are linked with, each a sentence: lines, and both ends. */
export const linkDifferences = ({ ledger, streams }: OpenKnowledgebase, id: string): string[] => {
  const found: string[] = [];
  const { paths } = streams.get(id);
  const { failed } = paths;
  const told = linksTold(paths);
  const { batches, rejects } = ledger();
  for (const batch of batches.linked(id)) {
    const { batchId, rejectId, partRejectId, linesRejected, rows } = batch;
    if (rejectId !== null) {
      const reject = rejects.get(id, rejectId);
      if (reject?.landedAs !== batchId) {
        found.push(
          `The batch ${batchId} is the repair of the reject ${rejectId}, which ${reject ? `is ${reject.state}` : 'is not recorded'}.`,
        );
      }
    }
    if (partRejectId === null) continue;
    const part = rejects.get(id, partRejectId);
    const kept = readReason(join(failed, rejectFiles(partRejectId).reason))?.lines?.length;
    if (part?.partOf !== batchId || kept !== linesRejected) {
      found.push(
        `${counted(linesRejected, 'line')} of the batch ${batchId} ${linesRejected === 1 ? 'was' : 'were'} rejected; the reject ${partRejectId} ${part ? `has ${kept ?? 'none'} of them` : 'is not recorded'}.`,
      );
    }
    const records = told(batch)?.records ?? null;
    if (records !== null && records !== rows + linesRejected) {
      found.push(
        `The batch ${batchId} came with ${counted(records, 'record')}: ${grouped(rows)} landed, ${grouped(linesRejected)} rejected.`,
      );
    }
  }
  return atMost(found, 'links');
};

const atMost = (found: string[], what: string): string[] =>
  found.length <= NAMED
    ? found
    : [...found.slice(0, NAMED), `${found.length - NAMED} more ${what} differ.`];
