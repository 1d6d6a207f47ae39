// Owns exporting an answer: asking where to, starting the job, following it, saying when it is done.
// Never writes the file: the engine does.

import type { Job } from '../../../core/model.ts';
import { api, client, fetchExport, queryClient } from '../../api.ts';
import { bridge } from '../../bridge.ts';

export type ExportFormat = 'csv' | 'ndjson' | 'parquet';

/** What the formats are called, in the order they are offered. */
export const FORMATS: readonly (readonly [ExportFormat, string])[] = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON'],
  ['parquet', 'Parquet'],
];

const POLL_MS = 300;

/** Exports; answers the job that is done, or null where the person changed their mind. Throws what the engine says. */
export const runExport = async (
  knowledgebase: string,
  sql: string,
  name: string,
  format: ExportFormat,
): Promise<Job | null> => {
  const fileName = `${name.replace(/[^\w.-]+/g, '-').slice(0, 80) || 'query'}.${format}`;
  const path = bridge ? await bridge.saveDialog(fileName) : null;
  if (bridge && path === null) return null;
  const { id } = await client.query.export({ knowledgebase, sql, format, name, path });
  await queryClient.invalidateQueries({ queryKey: api.jobs.list.key() });
  const job = await ended(id);
  await queryClient.invalidateQueries({ queryKey: api.jobs.list.key() });
  if (job.state === 'cancelled') return null;
  if (job.state === 'failed') throw new Error(job.fault ?? 'The export failed.');
  if (!bridge) await fetchExport(job.id, String(job.result?.file ?? fileName));
  return job;
};

const ended = async (id: number): Promise<Job> => {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const job = (await client.jobs.list()).find((one) => one.id === id);
    if (!job) throw new Error('The engine was started again before the export was done.');
    if (job.state !== 'running') return job;
  }
};
