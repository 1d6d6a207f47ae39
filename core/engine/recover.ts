// Owns bringing the ledger in line with the folder when a knowledgebase opens: strays swept, landed files recorded.
// Never deletes a landed file or a kept body: what is broken is set aside.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeQuietly } from '../durable.ts';
import { AppError } from '../errors.ts';
import { listStreamFolders, makeRejectsFolder } from '../knowledgebase/create.ts';
import { type FolderLock, isFolderClaimedHere, shareFolder } from '../knowledgebase/folder-lock.ts';
import { type KnowledgebasePaths, runOfTransit, type StreamPaths } from '../knowledgebase/paths.ts';
import { readStreamSettings } from '../knowledgebase/settings.ts';
import { takeCompactionLock, type WriterLock } from '../knowledgebase/writer-lock.ts';
import { readJournal } from '../lake/swap/journal.ts';
import type { Ledger } from '../ledger/open.ts';
import { recoverCopies } from '../ontology/copies.ts';
import { restoreRuns } from './compaction/history.ts';
import { endBrokenRuns, sweepRetired, sweepStaged } from './compaction/tidy.ts';
import { compareFiles } from './data-files.ts';
import { recordFiles, stillNeeded } from './recover-files.ts';
import { recoverRejects } from './recover-rejects.ts';
import { listSetAside } from './set-aside.ts';
import { alert, copiesOf, putAside, whileNobodyReads } from './set-copies-aside.ts';

/** What recovery found and did. */
export interface Recovery {
  /** Landed files that the ledger did not know. */
  readonly recorded: number;
  /** Files in data/ that are not whole, or not Strata's; now in failed/. */
  readonly setAside: readonly string[];
  /** Files that are gone, whose batches no other file has. */
  readonly missing: readonly string[];
  /** Strays removed from staging. */
  readonly swept: number;
  /** Streams whose settings cannot be read, and why. All else of them is recovered. */
  readonly broken: readonly string[];
}

/**
 * Recovers every stream of a knowledgebase. Safe beside a running process: it touches nothing that one is writing, and
 * no swap moves files meanwhile. One that broke off is taken as it stands; whoever makes views settles it.
 * A file that queries can read and that must not stay goes only while none of ours runs; `onLeft` hears of each stream
 * where one was left. Throws `writer_lock_held` where a swap does not end.
 */
export const recover = (
  paths: KnowledgebasePaths,
  ledger: Ledger,
  onLeft: (stream: string) => void = () => {},
): Recovery => {
  const share = shareSoon(paths);
  let found: RecoveredStreams;
  try {
    found = recoverStreams(paths, ledger);
  } finally {
    share.release();
  }
  const { left, open, ...recovery } = found;
  for (const id of open) onLeft(id);
  const copies =
    left.length === 0 ? [] : whileNobodyReads(paths, () => copiesOf(paths, ledger, left));
  if (!copies) for (const id of left) onLeft(id);
  return {
    ...recovery,
    setAside: [...recovery.setAside, ...(copies ?? [])],
    swept: recovery.swept + sweepRuns(paths, ledger),
  };
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

/** Also the streams with files that must not stay and that were left: somebody may read, or a swap is open. */
interface RecoveredStreams extends Recovery {
  readonly left: readonly string[];
  readonly open: readonly string[];
}

const recoverStreams = (paths: KnowledgebasePaths, ledger: Ledger): RecoveredStreams => {
  const totals = {
    ...{ recorded: 0, setAside: [] as string[], missing: [] as string[], swept: 0 },
    ...{ broken: [] as string[], left: [] as string[], open: [] as string[] },
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
    totals.recorded += recordFiles(ledger, id, stream, unknown);
    // While a swap is open, both its sides may be in data/ after a power cut: whoever settles it knows which counts.
    const isOpen = readJournal(stream)?.moved === false;
    for (const one of broken.filter(({ isRead }) => !isRead && !isOpen)) {
      putAside(ledger, id, stream, one);
      totals.setAside.push(`${id}/${one.file}`);
    }
    if (isOpen && broken.length > 0) totals.open.push(id);
    else if (broken.some(({ isRead }) => isRead)) totals.left.push(id);
    ledger.alerts.settle(id, 'set-aside', listSetAside(stream));
    rejects.afterFiles();
    restoreRuns(ledger, id, stream);
    tellMissing(ledger, id, stillNeeded(ledger, id, missing), totals.missing);
  }
  recoverCopies(paths, ledger);
  return totals;
};

/** A file whose batches are all in another one by now is not missed. */
const tellMissing = (
  ledger: Ledger,
  id: string,
  missing: readonly string[],
  told: string[],
): void => {
  for (const file of missing) told.push(`${id}/${file}`);
  const at = new Date().toISOString();
  const gone = missing.map((file) => ({ file, reason: 'It is not in data/.', at }));
  // Said once; the alert stays until the file is back, or somebody has seen it.
  if (ledger.alerts.settle(id, 'missing', gone).length === 0) return;
  const message = `${missing.length} landed files are missing, the first is ${missing[0]}.`;
  alert(ledger, id, 'file-missing', message);
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
      swept += sweepStaged(paths, stream, kept);
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
