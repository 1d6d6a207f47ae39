// Owns exporting a query's rows to a file, as a job: CSV, NDJSON, Parquet.
// Never leaves a half file under its final name.

import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { diskFault, removeQuietly } from '../durable.ts';
import { AppError } from '../errors.ts';
import { isInside } from '../knowledgebase/folder.ts';
import { homePaths } from '../knowledgebase/paths.ts';
import { copyToParquet } from '../lake/copy-out.ts';
import { streamRows } from '../lake/query.ts';
import type { Job, QueryColumn } from '../model.ts';
import type { Core } from '../open-core.ts';
import { csvLine, distinctNames } from '../text-formats.ts';
import type { JobReport } from './jobs.ts';
import type { OpenKnowledgebase } from './open.ts';

export interface ExportRequest {
  readonly knowledgebase: string;
  readonly sql: string;
  readonly format: 'csv' | 'ndjson' | 'parquet';
  /** What is exported, for the job's title and the file's name. */
  readonly name: string;
  /** Where the file goes on the engine's machine; null for the home's own folder of exports. */
  readonly path: string | null;
}

const ENDS = { csv: 'csv', ndjson: 'ndjson', parquet: 'parquet' } as const;
const WORDS = { csv: 'CSV', ndjson: 'NDJSON', parquet: 'Parquet' } as const;

/** Starts the job; its result has `path`, `rows` and `sizeBytes`. Cancelling leaves no file. */
export const startExport = (core: Core, request: ExportRequest): Job => {
  const knowledgebase = core.knowledgebase(request.knowledgebase);
  const path = exportPath(core, request.path, fileName(request));
  const title = `Exporting ${request.name} to ${WORDS[request.format]}`;
  return core.jobs.start(
    { kind: 'export', title, knowledgebase: knowledgebase.id },
    async (report, signal) => {
      const staged = `${path}.part`;
      try {
        mkdirSync(dirname(path), { recursive: true });
        const rows = await write(knowledgebase, request, staged, report, signal);
        renameSync(staged, path);
        return { path, rows, sizeBytes: statSync(path).size, file: fileName(request) };
      } catch (error) {
        removeQuietly(staged);
        throw error instanceof AppError ? error : diskFault(error, path);
      }
    },
  );
};

/** Where an export goes: the path that a person chose, or one in the home's own folder. Throws `invalid_argument`. */
export const exportPath = (core: Core, path: string | null, file: string): string =>
  path === null
    ? join(homePaths(core.home).exports, `${Date.now()}-${file}`)
    : checkedPath(core, path);

/** A file's name from a person's words. */
export const exportName = (name: string, end: string): string =>
  `${name.replace(/[^\w.-]+/g, '-').slice(0, 80) || 'query'}.${end}`;

/** Removes what browsers fetched before. */
export const removeOldExports = (home: string): void =>
  rmSync(homePaths(home).exports, { recursive: true, force: true });

/** An export never lands among the knowledgebases: it could replace a ledger, or be read as a stream's file. */
const checkedPath = (core: Core, path: string): string => {
  if (!isAbsolute(path)) {
    throw new AppError('invalid_argument', 'Name the file with its whole path.');
  }
  const file = resolve(path);
  for (const folder of [core.home, ...core.folders()]) {
    if (file !== folder && !isInside(file, folder)) continue;
    throw new AppError(
      'invalid_argument',
      'An export cannot be written among the knowledgebases.',
      { hint: `Choose a folder outside ${folder}.` },
    );
  }
  return path;
};

const fileName = ({ name, format }: ExportRequest): string => exportName(name, ENDS[format]);

const write = (
  knowledgebase: OpenKnowledgebase,
  { sql, format }: ExportRequest,
  path: string,
  report: JobReport,
  signal: AbortSignal,
): Promise<number> => {
  if (format === 'parquet') {
    return copyToParquet(knowledgebase.query, sql, path, signal, (percent) =>
      report({ done: percent, total: 100, unit: '%' }),
    );
  }
  const options = { signal, timeoutMs: 86_400_000 };
  return streamRows(knowledgebase.query, sql, options, async ({ columns, chunks }) => {
    const line = lineWriter(format, columns);
    let rows = 0;
    const file = await open(path, 'w').catch(diskTrouble(path));
    const put = (text: string): Promise<void> => file.appendFile(text).catch(diskTrouble(path));
    try {
      await put(line.head);
      for await (const chunk of chunks()) {
        await put(chunk.map(line.row).join(''));
        rows += chunk.length;
        report({ done: rows, total: null, unit: 'rows' });
      }
    } finally {
      // Before the file is renamed or removed.
      await file.close();
    }
    return rows;
  });
};

/** Rethrows what a disk did, so that it is not taken for a fault of the SQL. */
const diskTrouble =
  (path: string) =>
  (error: unknown): never => {
    throw diskFault(error, path);
  };

const lineWriter = (
  format: 'csv' | 'ndjson',
  columns: readonly QueryColumn[],
): { head: string; row: (row: readonly (string | null)[]) => string } => {
  const names = columns.map(({ name }) => name);
  if (format === 'csv') return { head: csvLine(names), row: csvLine };
  const keys = distinctNames(names).map((name) => JSON.stringify(name));
  return {
    head: '',
    row: (row) => `{${row.map((value, at) => `${keys[at]}:${JSON.stringify(value)}`).join(',')}}\n`,
  };
};
