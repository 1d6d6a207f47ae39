// Owns landing one reject, as it came or mended, down the way of a POST, and what is noted of the try.
// Never overwrites the body as it came, and never lands a reject twice.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeQuietly, syncFolder, writeNewFile } from '../../durable.ts';
import { AppError } from '../../errors.ts';
import { checkColumns } from '../../knowledgebase/create.ts';
import { attemptFile, batchFile } from '../../knowledgebase/paths.ts';
import { writeSettings } from '../../knowledgebase/settings.ts';
import { describeFile } from '../../lake/land.ts';
import type { Attempt, Fault, Mend, Reject } from '../../model.ts';
import { sourceOf } from '../../rejects/lines.ts';
import { atStep } from '../../steps.ts';
import type { Repair } from '../delivery.ts';
import type { OpenKnowledgebase } from '../open.ts';
import { recover } from '../recover.ts';
import type { OpenStream } from '../streams.ts';
import { bodyOf, reasonOf } from './bodies.ts';
import { checkMended, landingId, type MendCheck, rulesOf } from './checking.ts';
import type { Actor, RejectContext } from './context.ts';
import { findReject } from './find.ts';
import { saveState } from './save-states.ts';

/** How a try ended. */
export interface Replayed {
  readonly landed: boolean;
  readonly attempt: Attempt;
}

// Two tries of one reject in this process wait for each other; of two processes the second meets what the first left.
const busy = new Map<string, Promise<unknown>>();

/**
 * Tries to land a reject. Where the body still has faults the reject stays open, and the try is noted with the body
 * that was tried. Throws `no_such_reject`, `reject_not_open`, `reject_body_gone`, `fix_not_possible`, `body_too_large`,
 * and what landing throws that is no fault of the body (`disk_full` ...): then nothing is noted.
 */
export const replayReject = async (
  context: RejectContext,
  streamId: string,
  rejectId: string,
  mend: Mend,
  actor: Actor,
): Promise<Replayed> => {
  const { paths, streams } = context.knowledgebase;
  const key = `${paths.root}\n${streams.get(streamId).id}\n${rejectId}`;
  const mine = (busy.get(key) ?? Promise.resolve()).then(() =>
    replayOnce(context, streamId, rejectId, mend, actor),
  );
  const quiet = mine.catch(() => {});
  busy.set(key, quiet);
  try {
    return await mine;
  } finally {
    if (busy.get(key) === quiet) busy.delete(key);
  }
};

const replayOnce = async (
  context: RejectContext,
  streamId: string,
  rejectId: string,
  mend: Mend,
  actor: Actor,
): Promise<Replayed> => {
  const { knowledgebase } = context;
  const reject = findReject(knowledgebase, streamId, rejectId);
  if (reject.state !== 'open') throw notOpen(reject);
  const stream = knowledgebase.streams.get(reject.stream);
  const before = landedBefore(context, stream, reject);
  if (before) return before;
  const body = bodyOf(knowledgebase, reject);
  const check = checkMended(reject, body, mend, rulesOf(knowledgebase, reject));
  // A column that would not let it land is not registered.
  if (check.passes) registerColumns(stream, check.mended.registers);
  const attempt = beginAttempt(context, stream, reject, body, check, mend, actor);
  const { mended, batchId } = check;
  try {
    await context.land(stream, {
      // A buffer of its own: it is handed over.
      body: mended.bytes.slice(),
      batchId,
      sender: reject.sender,
      contentType: reasonOf(knowledgebase, reject)?.content_type ?? null,
      receivedAt: reject.receivedAt,
      repair: repairOf(knowledgebase, reject, check, attempt, actor),
    });
  } catch (error) {
    return failed(context, stream, reject, attempt, error);
  }
  atStep('state');
  return noted(context, stream, reject, true);
};

/** Notes what became of a reject where the folder and the faces see it. */
const noted = (
  { knowledgebase, announce }: RejectContext,
  stream: OpenStream,
  { rejectId }: Reject,
  landed: boolean,
): Replayed => {
  const ledger = knowledgebase.ledger();
  saveState(ledger, stream.paths, stream.id, rejectId);
  knowledgebase.rejectIndex.request();
  const at = new Date().toISOString();
  const { id } = knowledgebase;
  announce({ kind: 'reject-changed', knowledgebase: id, stream: stream.id, rejectId, at });
  return { landed, attempt: ledger.attempts.list(stream.id, rejectId).at(-1) as Attempt };
};

const failed = (
  context: RejectContext,
  stream: OpenStream,
  reject: Reject,
  attempt: Repair['attempt'],
  error: unknown,
): Replayed => {
  const faults = error instanceof AppError ? error.details.errors : undefined;
  const { rejectId } = reject;
  if (!(error instanceof AppError) || !Array.isArray(faults)) {
    if (attempt.hasBody) {
      removeQuietly(join(stream.paths.failed, attemptFile(rejectId, attempt.number)));
    }
    throw error;
  }
  const ledger = context.knowledgebase.ledger();
  ledger.transaction(() =>
    ledger.attempts.add(stream.id, rejectId, {
      ...attempt,
      ...{ outcome: 'failed', batchId: null, rows: null },
      fault: faults[0] as Fault,
      faultCount: Number(error.details.error_count),
    }),
  );
  return noted(context, stream, reject, false);
};

/** Keeps the body that is tried, where it is not the one that came, and says what is known of the try so far. */
const beginAttempt = (
  { knowledgebase }: RejectContext,
  { id, paths }: OpenStream,
  { rejectId }: Reject,
  body: Uint8Array,
  { mended, checked }: MendCheck,
  mend: Mend,
  { by, recipeId }: Actor,
): Repair['attempt'] => {
  const hasBody = Buffer.compare(body, mended.bytes) !== 0;
  let number = knowledgebase.ledger().attempts.next(id, rejectId);
  if (hasBody) {
    // Another process may be trying too, or have died while it did.
    while (existsSync(join(paths.failed, attemptFile(rejectId, number)))) number += 1;
    writeNewFile(join(paths.failed, attemptFile(rejectId, number)), [mended.bytes]);
    syncFolder(paths.failed);
  }
  return {
    ...{ number, at: new Date().toISOString(), by, recipeId, hasBody },
    fixes: mend.fixes ?? [],
    edited: mend.body !== undefined || (mend.edits?.length ?? 0) > 0,
    bodyBytes: mended.bytes.length,
    sha256: checked.sha256,
  };
};

const repairOf = (
  knowledgebase: OpenKnowledgebase,
  reject: Reject,
  { mended }: MendCheck,
  attempt: Repair['attempt'],
  { operation }: Actor,
): Repair => {
  const { rejectId, sha256 } = reject;
  const { partial } = mended;
  // The lines of a part are lines of its POST by what was kept with it.
  const lines = reasonOf(knowledgebase, reject)?.lines;
  if (!lines) return { rejectId, sha256, sources: mended.sources, partial, operation, attempt };
  const count = mended.sources?.length ?? lines.length;
  const sources = Int32Array.from(
    { length: count },
    (_, at) => lines[sourceOf(mended.sources, at + 1) - 1] ?? (lines.at(-1) as number),
  );
  return { rejectId, sha256, sources, partial, operation, attempt };
};

/** A batch in data/ that is this reject's, where whoever landed it died before the ledger knew. */
const landedBefore = (
  context: RejectContext,
  stream: OpenStream,
  reject: Reject,
): Replayed | undefined => {
  const { knowledgebase } = context;
  const isOurs = [false, true].some((ownId) => {
    const path = join(stream.paths.data, batchFile(landingId(reject, ownId)));
    return existsSync(path) && describeFile(path).facts?.repairs?.rejectId === reject.rejectId;
  });
  if (!isOurs) return undefined;
  recover(knowledgebase.paths, knowledgebase.ledger());
  return noted(context, stream, reject, true);
};

const registerColumns = (stream: OpenStream, columns: readonly string[]): void => {
  const now = stream.settings();
  if (columns.length === 0 || now.columns === null) return;
  const all = [...now.columns, ...columns];
  checkColumns(all);
  writeSettings(stream.paths.settings, { ...now, columns: all });
};

const notOpen = ({ rejectId, state, landedAs }: Reject): AppError =>
  new AppError(
    'reject_not_open',
    state === 'replayed'
      ? `The reject ${rejectId} has landed as ${landedAs}.`
      : `The reject ${rejectId} is discarded.`,
    { details: { state, landed_as: landedAs } },
  );
