// Owns bringing the ledger in line with the folder when a knowledgebase opens: strays swept, landed files recorded.
// Never deletes a landed file or a kept body: what is broken is set aside.

import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeQuietly, renameRetrying, syncFolder } from '../durable.ts';
import { AppError } from '../errors.ts';
import { listStreamFolders } from '../knowledgebase/create.ts';
import { type FolderLock, isFolderClaimedHere, shareFolder } from '../knowledgebase/folder-lock.ts';
import {
  type KnowledgebasePaths,
  REASON_SUFFIX,
  runOfTransit,
  type StreamPaths,
} from '../knowledgebase/paths.ts';
import { readStreamSettings } from '../knowledgebase/settings.ts';
import { takeCompactionLock, type WriterLock } from '../knowledgebase/writer-lock.ts';
import { readJournal } from '../lake/swap/journal.ts';
import { findFile } from '../lake/swap/places.ts';
import type { Ledger } from '../ledger/open.ts';
import type { Reject } from '../model.ts';
import { readReason } from '../rejects/keep.ts';
import { restoreRuns } from './compaction/history.ts';
import { endBrokenRuns, sweepRetired, sweepStaged } from './compaction/tidy.ts';
import { addReject } from './recorder.ts';
import { compareFiles, recordFiles, stillNeeded } from './recover-files.ts';

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

/**
 * Recovers every stream of a knowledgebase. Safe beside a running process: it touches nothing that one is writing, and
 * no swap moves files meanwhile. One that broke off is taken as it stands; whoever makes views settles it.
 * Throws `writer_lock_held` where a swap does not end.
 */
export const recover = (paths: KnowledgebasePaths, ledger: Ledger): Recovery => {
  const share = shareSoon(paths);
  try {
    return recoverStreams(paths, ledger);
  } finally {
    share.release();
  }
};

/** A swap takes about a second. */
const PATIENCE_MS = 10_000;

const shareSoon = (paths: KnowledgebasePaths): FolderLock => {
  for (const giveUpAtMs = Date.now() + PATIENCE_MS; ; ) {
    const share = shareFolder(paths);
    if (share) return share;
    if (isFolderClaimedHere(paths) || Date.now() > giveUpAtMs) {
      throw new AppError('writer_lock_held', 'Files are being moved by a compaction.');
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
};

const recoverStreams = (paths: KnowledgebasePaths, ledger: Ledger): Recovery => {
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
    const recorded = recordFiles(ledger, id, stream, unknown);
    for (const { file, reason } of broken) {
      setAside(stream, file, reason);
      totals.setAside.push(`${id}/${file}`);
      alert(ledger, id, 'file-set-aside', `${file} was set aside in failed/: ${reason}`);
    }
    totals.recorded += recorded;
    restoreRuns(ledger, id, stream);
    // A file whose batches are all in another one by now is not missed.
    const lost = stillNeeded(ledger, id, missing);
    for (const file of lost) totals.missing.push(`${id}/${file}`);
    if (lost.length > 0) {
      const message = `${lost.length} landed files are missing, the first is ${lost[0]}.`;
      alert(ledger, id, 'file-missing', message);
    }
  }
  totals.swept += sweepRuns(paths, ledger);
  return totals;
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
  found.sort((one, other) => (one.receivedAt < other.receivedAt ? -1 : 1));
  if (found.length === 0) return;
  ledger.transaction(() => {
    for (const reject of found) addReject(ledger, reject, false);
  });
};

const setAside = (stream: StreamPaths, file: string, reason: string): void => {
  const from = findFile(stream, file);
  if (from === undefined) return;
  const name = file.replaceAll('/', '__');
  let target = join(stream.failed, name);
  for (let copy = 2; existsSync(target); copy += 1) target = join(stream.failed, `${copy}~${name}`);
  renameRetrying(from, target);
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

/**
 * What compactions left behind that nobody runs any more: strays in staging, runs of the history that never ended.
 * A swap that broke off keeps its own until it is settled.
 */
const sweepRuns = (paths: KnowledgebasePaths, ledger: Ledger): number => {
  const marked = listStreamFolders(paths).filter((id) => needsSweep(paths.stream(id), ledger, id));
  if (marked.length === 0) return 0;
  let lock: WriterLock;
  try {
    lock = takeCompactionLock(paths, 'sweeping');
  } catch (error) {
    if (error instanceof AppError && error.code === 'compaction_running') return 0;
    throw error;
  }
  try {
    let swept = 0;
    for (const id of marked) {
      const stream = paths.stream(id);
      const kept = readJournal(stream)?.record.run;
      swept += sweepStaged(stream, kept);
      sweepRetired(stream);
      endBrokenRuns(ledger, id, kept);
    }
    return swept;
  } finally {
    lock.release();
  }
};

const needsSweep = (stream: StreamPaths, ledger: Ledger, id: string): boolean =>
  existsSync(stream.processed) ||
  readdirSync(stream.staging).some((name) => runOfTransit(name) !== undefined) ||
  ledger.compactions.list(id, 1)[0]?.state === 'running';

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
