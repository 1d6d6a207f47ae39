// Owns handing an export's file to a browser. Never another file: only what a finished job says it made.

import { createReadStream, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';
import type { Core } from '../open-core.ts';
import { sendFile } from './send-file.ts';

const EXPORT = /^\/exports\/(\d+)$/;

/** The number of the job whose file is asked for; undefined for another path. */
export const exportIdOf = (path: string): number | undefined => {
  const id = EXPORT.exec(path)?.[1];
  return id === undefined ? undefined : Number(id);
};

/** Sends the file. Throws `no_such_route` when the job did not make one, or it is gone. */
export const sendExport = async (
  response: ServerResponse,
  core: Core,
  id: number,
): Promise<void> => {
  const job = core.jobs.get(id);
  const path =
    job?.kind === 'export' && job.state === 'done' ? String(job.result?.path) : undefined;
  const stat = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === undefined || !stat) throw new AppError('no_such_route', 'There is no such export.');
  await sendFile(response, createReadStream(path), stat.size);
};
