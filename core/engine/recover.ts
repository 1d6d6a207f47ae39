// Owns bringing the ledger in line with the folder when a knowledgebase opens: strays swept, landed files recorded.
// Never deletes a landed file or a kept body: what is broken is set aside.

import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, removeQuietly, syncFolder } from '../durable.ts';
import { AppError } from '../errors.ts';
import { fold } from '../ids.ts';
import { listStreamFolders, makeRejectsFolder } from '../knowledgebase/create.ts';
import type { KnowledgebasePaths, StreamPaths } from '../knowledgebase/paths.ts';
import { readStreamSettings } from '../knowledgebase/settings.ts';
import type { Ledger } from '../ledger/open.ts';
import { recoverCopies } from '../ontology/copies.ts';
import { compareFiles, type Found } from './data-files.ts';
import { addBatch } from './recorder.ts';
import { recoverRejects } from './recover-rejects.ts';
import { listSetAside, setAside } from './set-aside.ts';

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
  /** Streams whose settings cannot be read, and why. All else of them is recovered. */
  readonly broken: readonly string[];
}

/** How many landed files one transaction records: other processes get their turn between two. */
const CHUNK = 500;

/** Recovers every stream of a knowledgebase. Safe beside a running process: it touches nothing that one is writing. */
export const recover = (paths: KnowledgebasePaths, ledger: Ledger): Recovery => {
  const totals = {
    ...{ recorded: 0, setAside: [] as string[], missing: [] as string[], swept: 0 },
    broken: [] as string[],
  };
  for (const id of listStreamFolders(paths)) {
    const stream = paths.stream(id);
    // What carries a folder elsewhere may leave out the folders that are empty.
    for (const folder of [stream.data, stream.staging, stream.failed]) makeFolder(folder);
    makeRejectsFolder(stream);
    const fault = noteStream(ledger, id, stream);
    if (fault) totals.broken.push(`${id}: ${fault}`);
    totals.swept += sweepStaging(stream);
    const rejects = recoverRejects(ledger, id, stream);
    const { unknown, broken, missing } = compareFiles(ledger, id, stream);
    for (const { file, reason } of broken) {
      setAside(stream, file, reason);
      totals.setAside.push(`${id}/${file}`);
      alert(ledger, id, 'file-set-aside', `${file} was set aside in failed/: ${reason}`);
    }
    ledger.alerts.settle(id, 'set-aside', listSetAside(stream));
    totals.recorded += recordFiles(ledger, id, stream, unknown);
    rejects.afterFiles();
    for (const file of missing) totals.missing.push(`${id}/${file}`);
    const at = new Date().toISOString();
    const gone = missing.map((file) => ({ file, reason: 'It is not in data/.', at }));
    // Said once; the alert stays until the file is back, or somebody has seen it.
    if (ledger.alerts.settle(id, 'missing', gone).length > 0) {
      const message = `${missing.length} landed files are missing, the first is ${missing[0]}.`;
      alert(ledger, id, 'file-missing', message);
    }
  }
  recoverCopies(paths, ledger);
  return totals;
};

/** Makes sure that the ledger has the stream; says why its settings cannot be read, where they cannot. */
const noteStream = (ledger: Ledger, id: string, stream: StreamPaths): string | null => {
  try {
    ledger.streams.ensure(id, readStreamSettings(stream.settings).created_at);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Since when it is there is known to its stream.json alone; its folder is at least as old as what is in it.
    ledger.streams.ensure(id, statSync(stream.root).birthtime.toISOString(), { isGuess: true });
    const reason = String(error.details.reason);
    alert(ledger, id, 'stream-broken', `${reason} Nothing lands in ${id} until that is mended.`);
    return reason;
  }
};

const recordFiles = (
  ledger: Ledger,
  id: string,
  stream: StreamPaths,
  unknown: readonly Found[],
): number => {
  // A crash may have come before their folders were synced; what is recorded is answered as a replay.
  const folders = new Set(unknown.map(({ path }) => dirname(path)));
  for (const folder of folders) syncFolder(folder);
  if (unknown.length > 0) syncFolder(stream.data);
  for (let from = 0; from < unknown.length; from += CHUNK) {
    ledger.transaction(() => {
      for (const found of unknown.slice(from, from + CHUNK)) recordFile(ledger, id, found);
    });
  }
  return unknown.length;
};

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
    rejectId: facts.repairs?.rejectId ?? null,
    rejectSha256: facts.repairs?.sha256 ?? null,
    partRejectId: facts.part?.rejectId ?? null,
    linesRejected: facts.part?.lines ?? 0,
  });
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
