// Owns bringing the ledger in line with the folder when a knowledgebase opens: strays swept, landed files recorded.
// Never deletes a landed file or a kept body: what is broken is set aside.

import { existsSync, lstatSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeQuietly, renameRetrying, syncFolder } from '../durable.ts';
import { fold } from '../ids.ts';
import { listStreamFolders } from '../knowledgebase/create.ts';
import {
  batchFile,
  type KnowledgebasePaths,
  REASON_SUFFIX,
  relativePath,
  type StreamPaths,
} from '../knowledgebase/paths.ts';
import { readStreamSettings } from '../knowledgebase/settings.ts';
import { type DescribedFile, describeFile } from '../lake/land.ts';
import { NotParquetError } from '../lake/parquet/not-parquet-error.ts';
import type { Ledger } from '../ledger/open.ts';
import type { Batch, Reject } from '../model.ts';
import { recoverCopies } from '../ontology/copies.ts';
import { readReason } from '../rejects/keep.ts';
import { addBatch, addReject } from './recorder.ts';

/** What recovery found and did. */
export interface Recovery {
  /** Landed files that the ledger did not know. */
  readonly recorded: number;
  /** Files in data/ that are not whole, or not Strata's; now in failed/. */
  readonly setAside: readonly string[];
  /** Batches whose file is gone. */
  readonly missing: readonly string[];
  /** Strays removed from staging. */
  readonly swept: number;
}

type Found = { file: string; path: string; described: DescribedFile };

/** How many landed files one transaction records: other processes get their turn between two. */
const CHUNK = 500;

/** Recovers every stream of a knowledgebase. Safe beside a running process: it touches nothing that one is writing. */
export const recover = (paths: KnowledgebasePaths, ledger: Ledger): Recovery => {
  const totals = { recorded: 0, setAside: [] as string[], missing: [] as string[], swept: 0 };
  for (const id of listStreamFolders(paths)) {
    const stream = paths.stream(id);
    // What carries a folder elsewhere may leave out the folders that are empty.
    for (const folder of [stream.data, stream.staging, stream.failed]) makeFolder(folder);
    const settings = readStreamSettings(stream.settings);
    ledger.streams.ensure(id, settings.created_at);
    totals.swept += sweepStaging(stream);
    recordRejects(ledger, id, stream);
    const { unknown, broken, missing } = compareFiles(ledger, id, stream);
    for (const { file, reason } of broken) {
      setAside(stream, file, reason);
      totals.setAside.push(`${id}/${file}`);
      alert(ledger, id, 'file-set-aside', `${file} was set aside in failed/: ${reason}`);
    }
    totals.recorded += recordFiles(ledger, id, stream, unknown);
    for (const file of missing) totals.missing.push(`${id}/${file}`);
    if (missing.length > 0) {
      const message = `${missing.length} landed files are missing, the first is ${missing[0]}.`;
      alert(ledger, id, 'file-missing', message);
    }
  }
  recoverCopies(paths, ledger);
  return totals;
};

/** Everything that a view reads below a stream's data folder, relative to it, in name order. */
export const listDataFiles = ({ data }: StreamPaths): string[] =>
  existsSync(data)
    ? readdirSync(data, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory() && entry.name.endsWith('.parquet'))
        .map((entry) => relativePath(data, join(entry.parentPath, entry.name)))
        .sort()
    : [];

const compareFiles = (ledger: Ledger, id: string, stream: StreamPaths) => {
  const known = new Map<string, Batch>();
  for (const batch of ledger.batches.each(id)) known.set(batch.file, batch);
  const unknown: Found[] = [];
  const broken: { file: string; reason: string }[] = [];
  for (const file of listDataFiles(stream)) {
    const path = join(stream.data, file);
    const batch = known.get(file);
    known.delete(file);
    if (batch && lstatSync(path).size === batch.sizeBytes) continue;
    const described = readOwnFile(path);
    if (typeof described === 'string') broken.push({ file, reason: described });
    else if (!batch) unknown.push({ file, path, described });
  }
  return { ...setApartCopies(ledger, id, unknown, broken), missing: [...known.keys()] };
};

/** A second file of a batch (a copy under another name) would count its rows twice: it is set aside too. */
const setApartCopies = (
  ledger: Ledger,
  id: string,
  unknown: Found[],
  broken: { file: string; reason: string }[],
) => {
  // In landing order, so that the first spelling of a column is the first again.
  unknown.sort((one, other) => compare(orderOf(one), orderOf(other)));
  const seen = new Map<string, string>();
  const single = unknown.filter(({ file, described }) => {
    const batchId = described.facts?.batchId ?? '';
    const first = seen.get(fold(batchId)) ?? ledger.batches.get(id, batchId)?.file;
    seen.set(fold(batchId), first ?? file);
    if (first === undefined || first === file) return true;
    broken.push({ file, reason: `It holds the batch ${batchId}, which is in ${first} already.` });
    return false;
  });
  return { unknown: single, broken };
};

/** What a file says of itself, or why it cannot stay where views read it. */
const readOwnFile = (path: string): DescribedFile | string => {
  // A link may lead out of the knowledgebase, where no query may read.
  if (!lstatSync(path).isFile()) return 'It is not a file of its own.';
  try {
    const described = describeFile(path);
    return described.facts === null ? 'Strata did not land it; import it instead.' : described;
  } catch (error) {
    if (error instanceof NotParquetError) return error.message;
    throw error;
  }
};

const recordFiles = (ledger: Ledger, id: string, stream: StreamPaths, unknown: Found[]): number => {
  // A crash may have come before their folder was synced; what is recorded is answered as a replay.
  if (unknown.length > 0) syncFolder(stream.data);
  for (let from = 0; from < unknown.length; from += CHUNK) {
    ledger.transaction(() => {
      for (const found of unknown.slice(from, from + CHUNK)) recordFile(ledger, id, found);
    });
  }
  return unknown.length;
};

/** By landing; of files of one batch, the one under its own name first. */
const orderOf = ({ file, described: { facts } }: Found): string =>
  `${facts?.receivedAt}\n${file === batchFile(facts?.batchId ?? '') ? 0 : 1}\n${file}`;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const recordFile = (ledger: Ledger, id: string, { file, described }: Found): void => {
  const { facts, columns, landedAt, rows, sizeBytes } = described;
  if (!facts) return;
  const { batchId, bodyBytes, sha256, sender, receivedAt } = facts;
  const sourceOf = new Map(
    Object.entries(facts.renamed).map(([source, landed]) => [fold(landed), source]),
  );
  for (const landed of columns) {
    const source = sourceOf.get(fold(landed)) ?? landed;
    ledger.columns.restore(id, { source, landed, firstSeenAt: landedAt, firstBatchId: batchId });
  }
  addBatch(ledger, {
    ...{
      stream: id,
      batchId,
      file,
      rows,
      sizeBytes,
      bodyBytes,
      sha256,
      sender,
      receivedAt,
      landedAt,
    },
    replays: 0,
    lastReplayedAt: null,
    recovered: true,
  });
};

const recordRejects = (ledger: Ledger, id: string, stream: StreamPaths): void => {
  const known = new Set<string>();
  for (const reject of ledger.rejects.each(id)) known.add(reject.rejectId);
  const found: Reject[] = [];
  for (const name of readdirSync(stream.failed)) {
    if (!name.endsWith(REASON_SUFFIX)) continue;
    if (known.has(name.slice(0, -REASON_SUFFIX.length))) continue;
    const reason = readReason(join(stream.failed, name));
    if (!reason) continue;
    found.push({
      stream: id,
      rejectId: reason.reject_id,
      batchId: reason.batch_id,
      state: 'open',
      code: reason.code,
      message: reason.message,
      line: reason.line,
      column: reason.column,
      faultCount: reason.error_count,
      sender: reason.sender,
      receivedAt: reason.received_at,
      lastReceivedAt: reason.received_at,
      times: 1,
      bodyBytes: reason.body_bytes,
      sha256: reason.sha256,
    });
  }
  found.sort((one, other) => compare(one.receivedAt, other.receivedAt));
  if (found.length === 0) return;
  ledger.transaction(() => {
    for (const reject of found) addReject(ledger, reject, false);
  });
};

const setAside = (stream: StreamPaths, file: string, reason: string): void => {
  const name = file.replaceAll('/', '__');
  let target = join(stream.failed, name);
  for (let copy = 2; existsSync(target); copy += 1) target = join(stream.failed, `${copy}~${name}`);
  renameRetrying(join(stream.data, file), target);
  writeFileSync(`${target}.txt`, `${reason}\n`);
  syncFolder(stream.failed);
  syncFolder(stream.data);
};

/** Staged files whose process is gone. A file of a living one is left to it, unless it is an hour old. */
const sweepStaging = (stream: StreamPaths): number => {
  let swept = 0;
  for (const name of readdirSync(stream.staging)) {
    const path = join(stream.staging, name);
    const pid = Number.parseInt(name, 10);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    if (pid === process.pid && stat.mtimeMs > startedAtMs) continue;
    if (pid !== process.pid && isAlive(pid) && Date.now() - stat.mtimeMs < 3_600_000) continue;
    removeQuietly(path);
    swept += 1;
  }
  return swept;
};

const startedAtMs = Date.now() - process.uptime() * 1_000;

const isAlive = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const alert = (ledger: Ledger, stream: string, kind: string, message: string): void =>
  ledger.events.add({ at: new Date().toISOString(), level: 'error', kind, stream, message });
