// Owns what tests of rejects need: batches that are rejected, jobs that end, and that everything holds.
// Never looks into the server.

import { join } from 'node:path';
import { expect } from 'vitest';
import type { Job } from '../../core/model.ts';
import type { AdminClient } from './admin.ts';
import { post, type Server } from './server.ts';
import { until } from './until.ts';

/** POSTs a body that must be rejected to a stream of `lab`, and gives its reject id. */
export const rejectIn = async (
  server: Server,
  stream: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const answer = await post(server.stream('lab', stream), body, headers);
  const { reject_id: rejectId } = (await answer.json()) as { reject_id?: string };
  if (rejectId === undefined) throw new Error(`It was answered with ${answer.status}.`);
  return rejectId;
};

/** The job when it has ended. */
export const ended = (admin: AdminClient, job: Job): Promise<Job> =>
  until(`${job.title} ends`, async () => {
    const found = (await admin.jobs.list()).find(({ id }) => id === job.id);
    return found && found.state !== 'running' ? found : undefined;
  });

/** The code of the error that a call ends with. */
export const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it ended well',
    (error: { code?: unknown }) => error.code,
  );

/** The folder of what was rejected in a stream of `lab`. */
export const failedFolder = (server: Server, stream: string): string =>
  join(server.home, 'lab/strata/streams', stream, 'failed');

/** Verifies `lab`. */
export const verifyHolds = async (admin: AdminClient): Promise<void> => {
  const { holds, streams } = await admin.knowledgebases.verify({ knowledgebase: 'lab' });
  expect([holds, streams.flatMap(({ differences }) => differences)]).toEqual([true, []]);
};
