// Owns sending the batches of the crash tests: several producers at once, until the server dies or all is sent.
// Never decides when the server dies; what an answer must say is checked here.

import { adminOf } from './admin.ts';
import { badBatch, goodBatch, type Random, type SentBatch } from './crash-batches.ts';
import { post, type Server } from './server.ts';

/** Everything that was sent to one knowledgebase, and what was wrong with an answer. */
export interface Sent {
  readonly batches: SentBatch[];
  readonly problems: string[];
}

export interface LoadPlan {
  /** Names of its own for the batches of one load. */
  readonly name: string;
  readonly streams: readonly string[];
  readonly producers: number;
  /** The most batches that one producer sends. */
  readonly batches: number;
  /** How many of 100 batches are to be rejected. */
  readonly rejected: number;
  /** How many new streams are made, one after the other, each with its view. */
  readonly newStreams: number;
  /** Whether those have a folder for each day. */
  readonly newDateFolders?: boolean;
}

/** Sends until the plan is carried out or the server is gone; first again what has an id and got no answer. */
export const runLoad = async (
  server: Server,
  sent: Sent,
  random: Random,
  plan: LoadPlan,
): Promise<void> => {
  let isGone = false;
  void server.gone().then(() => {
    isGone = true;
  });
  const retries = sent.batches.filter(
    ({ id, answers, sends }) => id && sends > 0 && answers.length === 0,
  );
  const deliver = (one: SentBatch) => send(server, sent, one, random);
  const producer = async (number: number): Promise<void> => {
    for (let count = 0; count < plan.batches && !isGone; count += 1) {
      const retry = retries.pop();
      if (retry) await deliver(retry);
      else await produce(sent, random, plan, `${plan.name}-${number}-${count}`, deliver);
    }
  };
  const newStreams = async (): Promise<void> => {
    for (let count = 0; count < plan.newStreams && !isGone; count += 1) {
      const token = `${plan.name}-new-${count}`;
      const one = goodBatch(random, token, token, token);
      sent.batches.push(one);
      const admin = adminOf(server);
      if (plan.newDateFolders) {
        const made = { knowledgebase: 'k', stream: token, dateFolders: true };
        await admin.streams.create(made).catch(() => {});
      }
      await deliver(one);
      await admin.knowledgebases.syncViews({ knowledgebase: 'k' }).catch(() => {});
    }
  };
  const producers = Array.from({ length: plan.producers }, (_, number) => producer(number));
  await Promise.all([...producers, newStreams()]);
};

/** One producer's next step: a new batch, a replay of an older one, or one sent twice at the same time. */
const produce = async (
  sent: Sent,
  random: Random,
  plan: LoadPlan,
  token: string,
  deliver: (one: SentBatch) => Promise<void>,
): Promise<void> => {
  const known = sent.batches.filter(({ id, answers }) => id !== null && answers.length > 0);
  if (known.length > 0 && random.percent(15)) return deliver(random.pick(known));
  const id = random.percent(75) ? token : null;
  const make = random.percent(plan.rejected) ? badBatch : goodBatch;
  const one = make(random, random.pick(plan.streams), id, token);
  sent.batches.push(one);
  if (id === null || !random.percent(15)) return deliver(one);
  // Neither can know which of the two comes first.
  one.landed = undefined;
  await Promise.all([deliver(one), deliver(one)]);
  const { answers } = one;
  const fresh = answers.filter(({ document }) => document.replayed === false);
  if (one.rows && answers.length === 2 && fresh.length !== 1) {
    sent.problems.push(`${one.token}: sent twice at once, landed ${fresh.length} times`);
  }
};

const send = async (server: Server, sent: Sent, one: SentBatch, random: Random): Promise<void> => {
  const before = one.landed;
  one.sends += 1;
  if (!before) one.landed = undefined;
  // Ids are compared without case.
  const id = one.id !== null && random.percent(20) ? one.id.toUpperCase() : one.id;
  let status: number;
  let document: Record<string, unknown> = {};
  try {
    const headers: Record<string, string> = id === null ? {} : { 'idempotency-key': id };
    const response = await post(server.stream('k', one.stream), one.body, headers);
    status = response.status;
    document = await response.json().catch(() => ({}));
  } catch {
    // The server died: no answer.
    return;
  }
  const wrong = wrongWith(one, status, document, before);
  if (wrong) sent.problems.push(`${one.stream} ${one.token}: ${wrong}`);
  one.answers.push({ status, document });
  one.landed = status === 200;
};

/** What is wrong with an answer. `landed` is whether the batch was there before, where that was known. */
const wrongWith = (
  one: SentBatch,
  status: number,
  document: Record<string, unknown>,
  landed: boolean | undefined,
): string | undefined => {
  if (status !== (one.rows ? 200 : 400)) return `answered ${status} ${JSON.stringify(document)}`;
  if (document.batch_id === undefined) return undefined;
  const { rows, bytes, replayed, batch_id: batchId, landed_at: landedAt } = document;
  const { reject_id: rejectId } = document;
  const earlier = one.answers.find((answer) => answer.document.batch_id !== undefined)?.document;
  if (!one.rows) {
    // Each spelling of an id is kept under its own.
    return earlier?.batch_id === batchId && earlier?.reject_id !== rejectId
      ? `was kept as ${earlier.reject_id}, now as ${rejectId}`
      : undefined;
  }
  if (rows !== one.rows.length) return `answered ${rows} rows`;
  if (bytes !== Buffer.byteLength(one.body)) return `answered ${bytes} bytes`;
  if (one.id !== null && String(batchId).toLowerCase() !== one.id) return `answered id ${batchId}`;
  if (landed !== undefined && replayed !== landed) return `answered replayed ${replayed}`;
  if (earlier && (earlier.landed_at !== landedAt || earlier.batch_id !== batchId)) {
    return `was answered ${JSON.stringify(earlier)}, now ${JSON.stringify(document)}`;
  }
  return undefined;
};
