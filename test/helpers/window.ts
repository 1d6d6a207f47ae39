// Owns what the tests of the window's procedures share: failures as a face is told them, and a job's end.
// Never starts a server.

import { ORPCError } from '@orpc/client';
import type { Job } from '../../core/model.ts';
import type { AdminClient } from './admin.ts';
import { until } from './until.ts';

/** What a face is told of a call that must fail. */
export interface Failure {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly data: unknown;
}

/** The failure of a call; fails when it is answered, or breaks in another way. */
export const failureOf = async (call: Promise<unknown>): Promise<Failure> => {
  const error = await call.then(
    (answer) => new Error(`it answered ${JSON.stringify(answer)}`),
    (thrown: Error) => thrown,
  );
  if (!(error instanceof ORPCError)) throw error;
  const { code, status, message, data } = error;
  return { code, status, message, data };
};

/** Waits for a job's end and returns it. */
export const jobEnded = (admin: AdminClient, { id }: Pick<Job, 'id'>): Promise<Job> =>
  until(`job ${id} has ended`, async () =>
    (await admin.jobs.list()).find((job) => job.id === id && job.state !== 'running'),
  );
