// Owns bringing the ledger's rejects in line with a stream's folder: what was kept, what became of it, what landed from it.
// Never deletes what a producer was told of: bad lines go only where the batch they belong to never landed.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, removeQuietly } from '../durable.ts';
import {
  REASON_SUFFIX,
  rejectChunkFile,
  rejectFiles,
  STATE_SUFFIX,
  type StreamPaths,
} from '../knowledgebase/paths.ts';
import type { Ledger } from '../ledger/open.ts';
import type { Attempt, Batch, Fault, Reject } from '../model.ts';
import { causeOf } from '../rejects/cause.ts';
import { type Reason, readReason } from '../rejects/keep.ts';
import { rejectOf } from '../rejects/recorded.ts';
import { readState } from '../rejects/state-file.ts';
import { linksTold } from './file-told.ts';
import { addReject, markRepaired } from './recorder.ts';

/** Bad lines whose batch is not there may be on their way; after an hour it never comes, and nobody was answered. */
const STRAY_AFTER_MS = 3_600_000;

/** Records rejects that the ledger does not know, and newer states. `afterFiles` does what needs the landed files first. */
export const recoverRejects = (
  ledger: Ledger,
  id: string,
  stream: StreamPaths,
): { readonly afterFiles: () => void } => {
  const names = readdirSync(stream.failed);
  const parts: Reason[] = [];
  const found: Reject[] = [];
  sweepUnfinished(stream.failed, names);
  sweepUnfinished(stream.rejects, readdirSync(stream.rejects));
  const known = new Set<string>();
  for (const { rejectId } of ledger.rejects.each(id)) known.add(rejectId);
  for (const name of names) {
    if (!name.endsWith(REASON_SUFFIX)) continue;
    if (known.has(name.slice(0, -REASON_SUFFIX.length))) continue;
    const reason = readReason(join(stream.failed, name));
    if (!reason) continue;
    if (typeof reason.part_of === 'string') parts.push(reason);
    else found.push(withCause(stream, reason, rejectOf(id, reason)));
  }
  found.sort((one, other) => (one.receivedAt < other.receivedAt ? -1 : 1));
  if (found.length > 0) {
    ledger.transaction(() => {
      for (const reject of found) addReject(ledger, reject, false);
    });
  }
  restoreStates(ledger, id, stream, names);
  return {
    afterFiles: () => {
      for (const reason of parts) recordPart(ledger, id, stream, reason);
      if (parts.length > 0) restoreStates(ledger, id, stream, names);
      const told = linksTold(stream);
      for (const batch of ledger.batches.unlinked(id)) {
        link(ledger, batch, told(batch)?.repairs?.attempt);
      }
      for (const chunk of ledger.rejectChunks.list(id)) {
        const isThere = existsSync(join(stream.rejects, rejectChunkFile(chunk)));
        if (!isThere) ledger.rejectChunks.lost(id, chunk);
      }
    },
  };
};

/** What a crash left of a file that was to replace another. */
const sweepUnfinished = (folder: string, names: readonly string[]): void => {
  for (const name of names) {
    if (!/\.\d+\.new$/.test(name)) continue;
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > STRAY_AFTER_MS) removeQuietly(join(folder, name));
  }
};

/** Bad lines count once the batch that they were left out of has landed, and names them. */
const recordPart = (ledger: Ledger, id: string, stream: StreamPaths, reason: Reason): void => {
  const batch = ledger.batches.get(id, reason.part_of as string);
  if (batch?.partRejectId === reason.reject_id) {
    ledger.rejects.add(rejectOf(id, reason));
    return;
  }
  const files = rejectFiles(reason.reject_id);
  const stat = statSync(join(stream.failed, files.reason), { throwIfNoEntry: false });
  if (!stat || Date.now() - stat.mtimeMs < STRAY_AFTER_MS) return;
  removeQuietly(join(stream.failed, files.reason));
  removeQuietly(join(stream.failed, files.body));
};

const restoreStates = (
  ledger: Ledger,
  id: string,
  stream: StreamPaths,
  names: readonly string[],
): void => {
  const saved = ledger.rejects.savedTimes(id);
  for (const name of names) {
    if (!name.endsWith(STATE_SUFFIX)) continue;
    const rejectId = name.slice(0, -STATE_SUFFIX.length);
    const mtimeMs = statSync(join(stream.failed, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (mtimeMs <= (saved.get(rejectId) ?? 0)) continue;
    const file = readState(stream.failed, rejectId);
    const reject = file && ledger.rejects.get(id, rejectId);
    if (!file || !reject) continue;
    ledger.transaction(() => {
      for (const attempt of file.attempts) ledger.attempts.add(id, rejectId, attempt);
      ledger.rejects.restore(
        {
          ...reject,
          ...{ state: file.state, changedAt: file.changed_at, changedBy: file.changed_by },
          ...{ landedAs: file.landed_as, bodyRemovedAt: file.body_removed_at },
        },
        file.operation,
      );
      ledger.rejects.saved(id, rejectId, mtimeMs);
    });
  }
};

/** A reject has landed, and whoever landed it died before it was marked: the file names it, and the try. */
const link = (ledger: Ledger, batch: Batch, attempt: string | undefined): void => {
  const { batchId, landedAt, rows } = batch;
  const rejectId = batch.rejectId as string;
  const told = attemptOf(attempt);
  const landed = { outcome: 'landed', batchId, rows, fault: null, faultCount: 0 } as const;
  ledger.transaction(() => {
    markRepaired(ledger, batch.stream, rejectId, {
      ...{ state: 'replayed', at: landedAt, by: told?.by ?? 'recovery' },
      ...{ operation: null, landedAs: batchId },
    });
    if (told) ledger.attempts.add(batch.stream, rejectId, { ...told, ...landed });
  });
};

const attemptOf = (text = ''): Attempt | undefined => {
  try {
    return JSON.parse(text) as Attempt;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** What an older Strata kept has no cause; its body tells it. */
const withCause = (stream: StreamPaths, reason: Reason, reject: Reject): Reject => {
  if (reason.shape !== undefined) return reject;
  const [fault] = reason.errors as readonly (Fault | undefined)[];
  const body = fault && readBody(join(stream.failed, rejectFiles(reason.reject_id).body));
  return body && fault ? { ...reject, ...causeOf(body, fault) } : reject;
};

const readBody = (path: string): Uint8Array | undefined => {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** Tells the causes of rejects that an older ledger had. */
export const tellCauses = (
  ledger: Ledger,
  pathsOf: (stream: string) => StreamPaths | undefined,
): void => {
  for (const { stream, rejectId } of ledger.rejects.withoutCause()) {
    const paths = pathsOf(stream);
    const reason = paths && readReason(join(paths.failed, rejectFiles(rejectId).reason));
    const { field, shape } =
      paths && reason
        ? withCause(paths, reason, rejectOf(stream, reason))
        : ({ field: null, shape: 'other' } as const);
    ledger.rejects.setCause(stream, rejectId, { field, shape });
  }
};
