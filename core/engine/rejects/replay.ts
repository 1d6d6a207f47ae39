// Owns landing one reject, as it came or mended, down the way of a POST, and what is noted of the try.
// Never overwrites the body as it came, and never lands a reject twice.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeQuietly, syncFolderAsync, writeNewFileAsync } from '../../durable.ts';
import { AppError } from '../../errors.ts';
import { checkColumns } from '../../knowledgebase/create.ts';
import { attemptFile, batchFiles, dayOf } from '../../knowledgebase/paths.ts';
import { writeSettings } from '../../knowledgebase/settings.ts';
import { describeFile } from '../../lake/land.ts';
import type { Attempt, Fault, Mend, Reject } from '../../model.ts';
import type { ReadyBody } from '../../rejects/desk/work.ts';
import { landingId } from '../../rejects/rules.ts';
import { atStep } from '../../steps.ts';
import type { Repair } from '../delivery.ts';
import { recover } from '../recover.ts';
import type { OpenStream } from '../streams.ts';
import { bodyToRead, reasonPath } from './bodies.ts';
import type { Actor, RejectContext } from './context.ts';
import { findReject } from './find.ts';
import { inTurn } from './replay-turn.ts';
import { rulesOf } from './rules.ts';
import { saveState } from './save-states.ts';

/** How a try ended. */
export interface Replayed {
  readonly landed: boolean;
  readonly attempt: Attempt;
}

/**
 * Tries to land a reject. Where the body still has faults the reject stays open, and the try is noted with the body
 * that was tried. Throws `no_such_reject`, `reject_not_open`, `reject_body_gone`, `fix_not_possible`, `body_too_large`,
 * `replay_running` where another process lands one of the stream and does not end, and what landing throws that is no
 * fault of the body (`disk_full` ...): then nothing is noted.
 */
export const replayReject = async (
  context: RejectContext,
  streamId: string,
  rejectId: string,
  mend: Mend,
  actor: Actor,
): Promise<Replayed> => {
  const letGo = context.hold();
  try {
    return await replayHeld(context, streamId, rejectId, mend, actor);
  } finally {
    letGo();
  }
};

const replayHeld = async (
  context: RejectContext,
  streamId: string,
  rejectId: string,
  mend: Mend,
  actor: Actor,
): Promise<Replayed> => {
  const { knowledgebase } = context;
  const reject = openReject(context, streamId, rejectId);
  const stream = knowledgebase.streams.get(reject.stream);
  // The long part comes before the turn: the thread that lands holds the body against the stream once more.
  const ready = await knowledgebase.desk.run('ready', {
    body: bodyToRead(knowledgebase, reject),
    reason: reasonPath(knowledgebase, reject),
    ...{ mend, rules: rulesOf(knowledgebase, reject) },
  });
  return inTurn(stream.paths, `landing the reject ${rejectId}`, () =>
    landInTurn(context, stream, reject.rejectId, { mend, ready, actor }),
  );
};

/** A mended body, by what it was mended, and who lands it. */
interface Try {
  readonly mend: Mend;
  readonly ready: ReadyBody;
  readonly actor: Actor;
}

/** From the look at what has become of the reject to the note that it has landed, nobody else lands it. */
const landInTurn = async (
  context: RejectContext,
  stream: OpenStream,
  rejectId: string,
  { mend, ready, actor }: Try,
): Promise<Replayed> => {
  const reject = openReject(context, stream.id, rejectId);
  const before = landedBefore(context, stream, reject);
  if (before) return before;
  const { bytes, sources, contentType, check } = ready;
  // A column that would not let it land is not registered.
  if (check.passes) registerColumns(stream, check.registers);
  const attempt = await beginAttempt(context, stream, reject, ready, mend, actor);
  const { batchId, sha256, sender, receivedAt } = reject;
  try {
    await context.land(stream, {
      ...{ body: bytes, batchId: check.batchId, sender, contentType, receivedAt },
      repair: {
        ...{ rejectId, batchId, sha256, sources, partial: check.partial },
        ...{ operation: actor.operation, attempt },
      },
    });
  } catch (error) {
    return failed(context, stream, reject, attempt, error);
  }
  atStep('state');
  return noted(context, stream, reject, true);
};

/** The reject. Throws `no_such_reject`, `reject_not_open`. */
const openReject = (
  { knowledgebase }: RejectContext,
  streamId: string,
  rejectId: string,
): Reject => {
  const reject = findReject(knowledgebase, streamId, rejectId);
  if (reject.state === 'open') return reject;
  throw notOpen(reject);
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
const beginAttempt = async (
  { knowledgebase }: RejectContext,
  { id, paths }: OpenStream,
  { rejectId }: Reject,
  { bytes, isOther: hasBody, check }: ReadyBody,
  mend: Mend,
  { by, recipeId }: Actor,
): Promise<Repair['attempt']> => {
  let number = knowledgebase.ledger().attempts.next(id, rejectId);
  if (hasBody) {
    // Another process may be trying too, or have died while it did.
    while (existsSync(join(paths.failed, attemptFile(rejectId, number)))) number += 1;
    await writeNewFileAsync(join(paths.failed, attemptFile(rejectId, number)), bytes);
    await syncFolderAsync(paths.failed);
  }
  return {
    ...{ number, at: new Date().toISOString(), by, recipeId, hasBody },
    fixes: mend.fixes ?? [],
    edited: mend.body !== undefined || (mend.edits?.length ?? 0) > 0,
    bodyBytes: bytes.length,
    sha256: check.checked.sha256,
  };
};

/** A batch in data/ that is this reject's, where whoever landed it died before the ledger knew. */
const landedBefore = (
  context: RejectContext,
  stream: OpenStream,
  reject: Reject,
): Replayed | undefined => {
  const { knowledgebase } = context;
  const today = dayOf(Date.now());
  const isOurs = [false, true]
    .flatMap((ownId) => batchFiles(landingId(reject, ownId), stream.place.since, today))
    .map((file) => join(stream.paths.data, file))
    .filter((path) => existsSync(path))
    .some((path) => describeFile(path).facts?.repairs?.rejectId === reject.rejectId);
  if (!isOurs) return undefined;
  const { paths, extras, views } = knowledgebase;
  recover(paths, knowledgebase.ledger(), extras.note);
  views.request();
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
