// Owns how long bodies of rejects are kept: what would go, and letting it go.
// Never removes a row of the ledger, a reason or a state.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { counted, grouped } from '../../counted.ts';
import { removeQuietly, syncFolder } from '../../durable.ts';
import { rejectFiles } from '../../knowledgebase/paths.ts';
import { writeSettings } from '../../knowledgebase/settings.ts';
import type { Reject, RetentionPreview, RetentionView } from '../../model.ts';
import type { OpenKnowledgebase } from '../open.ts';
import type { RejectContext } from './context.ts';
import { saveState } from './save-states.ts';

/** Limits of what is kept; null for none. */
export interface Retention {
  readonly days: number | null;
  readonly bytes: number | null;
}

const DAY_MS = 86_400_000;

/** What is kept, and for how long. */
export const retentionView = (knowledgebase: OpenKnowledgebase): RetentionView => {
  const kept = keptRejects(knowledgebase);
  const { days, bytes } = retentionOf(knowledgebase);
  return { days, bytes, bodies: kept.length, bodyBytes: bytesOf(kept) };
};

/** Changes the settings; a member that is undefined stays. */
export const updateRetention = (
  { settings, paths }: OpenKnowledgebase,
  {
    days,
    bytes,
  }: {
    readonly days?: number | null | undefined;
    readonly bytes?: number | null | undefined;
  },
): void => {
  const now = settings();
  writeSettings(paths.settings, {
    ...now,
    reject_days: days === undefined ? now.reject_days : days,
    reject_bytes: bytes === undefined ? now.reject_bytes : bytes,
  });
};

export const retentionOf = ({ settings }: OpenKnowledgebase): Retention => {
  const { reject_days: days, reject_bytes: bytes } = settings();
  return { days, bytes };
};

/** What limits would remove now. */
export const previewRetention = (
  knowledgebase: OpenKnowledgebase,
  limits: Retention,
): RetentionPreview => previewOf(goingNow(knowledgebase, limits));

/** Removes what the settings say, and says what that was. Others get their turn between two bodies. */
export const applyRetention = async ({
  knowledgebase,
  announce,
}: RejectContext): Promise<RetentionPreview> => {
  const going = goingNow(knowledgebase, retentionOf(knowledgebase));
  const { id, ledger, paths } = knowledgebase;
  const at = new Date().toISOString();
  for (const stream of new Set(going.map((reject) => reject.stream))) {
    const { failed } = paths.stream(stream);
    const tried = attemptFilesIn(failed);
    for (const { rejectId } of going.filter((reject) => reject.stream === stream)) {
      // The ledger says it first: a body that is gone without a word would be a loss.
      ledger().rejects.removeBody(stream, rejectId, at);
      saveState(ledger(), paths.stream(stream), stream, rejectId);
      removeQuietly(join(failed, rejectFiles(rejectId).body));
      for (const name of tried.get(rejectId) ?? []) removeQuietly(join(failed, name));
      announce({ kind: 'reject-changed', knowledgebase: id, stream, rejectId, at });
      await turn();
    }
    syncFolder(failed);
  }
  const preview = previewOf(going);
  if (going.length > 0) {
    knowledgebase.rejectIndex.request();
    const { bodies, open } = preview;
    const message = `${counted(bodies, 'body of a reject was', 'bodies of rejects were')} removed, ${grouped(open)} of them still open.`;
    knowledgebase.tell('reject-bodies-removed', message);
  }
  return preview;
};

/** Bodies that were tried, by the reject that they were tried for. */
const attemptFilesIn = (failed: string): Map<string, string[]> => {
  const found = new Map<string, string[]>();
  for (const name of readdirSync(failed)) {
    const rejectId = /^(.+)\.\d+\.attempt$/.exec(name)?.[1];
    if (rejectId !== undefined) found.set(rejectId, [...(found.get(rejectId) ?? []), name]);
  }
  return found;
};

/** Those over the age; then the oldest until the rest is small enough, open ones last. */
const goingNow = (knowledgebase: OpenKnowledgebase, { days, bytes }: Retention): Reject[] => {
  if (days === null && bytes === null) return [];
  const kept = keptRejects(knowledgebase);
  const since = days === null ? '' : new Date(Date.now() - days * DAY_MS).toISOString();
  const going = new Set(kept.filter(({ lastReceivedAt }) => lastReceivedAt < since));
  let left = bytesOf(kept.filter((reject) => !going.has(reject)));
  const byWorth = [...kept].sort(
    (one, other) =>
      Number(one.state === 'open') - Number(other.state === 'open') ||
      (one.lastReceivedAt < other.lastReceivedAt ? -1 : 1),
  );
  for (const reject of byWorth) {
    if (bytes === null || left <= bytes) break;
    if (going.has(reject)) continue;
    going.add(reject);
    left -= reject.bodyBytes;
  }
  return [...going];
};

const keptRejects = ({ ledger, streams }: OpenKnowledgebase): Reject[] =>
  streams
    .list()
    .flatMap((stream) =>
      [...ledger().rejects.each(stream)].filter(({ bodyRemovedAt }) => bodyRemovedAt === null),
    );

const bytesOf = (rejects: readonly Reject[]): number =>
  rejects.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);

const previewOf = (going: readonly Reject[]): RetentionPreview => {
  const times = going.map(({ receivedAt }) => receivedAt).sort();
  const streams = [...new Set(going.map(({ stream }) => stream))].sort();
  return {
    bodies: going.length,
    bodyBytes: bytesOf(going),
    open: going.filter(({ state }) => state === 'open').length,
    oldestAt: times[0] ?? null,
    newestAt: times.at(-1) ?? null,
    streams: streams.map((stream) => {
      const of = going.filter((reject) => reject.stream === stream);
      return { stream, bodies: of.length, bodyBytes: bytesOf(of) };
    }),
  };
};
