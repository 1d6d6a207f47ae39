// Owns the look at a knowledgebase's folder after a crash: whether what was promised is there, and nothing else.
// Never asks Strata: it reads files, through a DuckDB of its own.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { isAcknowledged, rowText, type SentBatch } from './crash-batches.ts';
import type { Sent } from './crash-load.ts';

export interface FolderCheck {
  /** Looks at what is new since the last look and writes into `sent` what is wrong and which batches have landed. */
  look(): Promise<void>;
  /** Reads the whole of every stream, from the folder or as `rowsOf` gives it, and compares it with what was sent. */
  lookAtAll(rowsOf?: (stream: string) => Promise<StreamRows>): Promise<void>;
  /** The rows that the streams have as far as the last look saw. */
  rows(): number;
  close(): void;
}

/** The rows of a stream by batch id, each as `rowText` writes it. */
export type StreamRows = ReadonlyMap<string, readonly string[]>;

const OWN = new Set(['_batch_id', '_line']);

/** Rows with `_batch_id` and `_line` among their columns, gathered by batch in order of their line. */
export const gather = (
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): StreamRows => {
  const id = columns.indexOf('_batch_id');
  const line = columns.indexOf('_line');
  const batches = new Map<string, [number, string][]>();
  for (const row of rows) {
    const values = columns.map((name, at) => [name, row[at] as string | null] as const);
    const kept = values.filter(([name]) => !OWN.has(name) && name !== 'filename');
    const number = Number(row[line]);
    const key = String(row[id]);
    const list = batches.get(key);
    const entry: [number, string] = [number, rowText(number, kept)];
    if (list) list.push(entry);
    else batches.set(key, [entry]);
  }
  const inOrder = [...batches].map(([key, list]) => {
    list.sort(([one], [other]) => one - other);
    return [key, list.map(([, text]) => text)] as const;
  });
  return new Map(inOrder);
};

/** A check of the knowledgebase in `root` against what was sent to it. */
export const checkFolder = async (root: string, sent: Sent): Promise<FolderCheck> => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const streams = join(root, 'strata', 'streams');
  /** Files that were compared already, with their size and time: they never change. */
  const seen = new Map<string, string>();

  const look = async (): Promise<void> => {
    const waiting = sent.batches.filter(({ rows, file }) => rows && file === undefined);
    for (const stream of namesIn(streams)) {
      const folder = join(streams, stream);
      for (const stray of namesIn(join(folder, '_tmp'))) {
        sent.problems.push(`${stream}/_tmp/${stray} is still there`);
      }
      const files = filesIn(join(folder, 'data'));
      const fresh = files.filter((path) => !seen.has(path));
      const read = fresh.length > 0 ? await readFiles(connection, fresh) : new Map();
      const mine = waiting.filter((one) => one.stream === stream);
      sent.problems.push(...match(mine, read, stream));
      for (const path of fresh) seen.set(path, stampOf(path));
      checkRejects(sent, stream, join(folder, 'failed'));
    }
    for (const [path, stamp] of seen) {
      if (!existsSync(path) || stampOf(path) !== stamp) sent.problems.push(`${path} has changed`);
    }
    for (const one of waiting) {
      one.landed = one.file !== undefined;
      if (!one.landed && isAcknowledged(one)) {
        sent.problems.push(`${one.stream} ${one.token}: acknowledged, but not there`);
      }
    }
  };

  const fromFolder = (stream: string): Promise<StreamRows> => {
    return readFiles(connection, filesIn(join(streams, stream, 'data')));
  };

  return {
    look,
    lookAtAll: async (rowsOf = fromFolder) => {
      const landed = sent.batches.filter(({ file }) => file !== undefined);
      for (const stream of new Set(landed.map((one) => one.stream))) {
        const mine = landed.filter((one) => one.stream === stream);
        sent.problems.push(...match(mine, await rowsOf(stream), stream));
      }
    },
    rows: () =>
      sent.batches.reduce((sum, { rows, file }) => sum + (file ? (rows?.length ?? 0) : 0), 0),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
};

/** Finds each batch's rows; says which are not as they were sent, and which nobody sent. */
const match = (batches: readonly SentBatch[], read: StreamRows, stream: string): string[] => {
  const problems: string[] = [];
  const byToken = new Map(batches.map((one) => [one.token, one]));
  for (const [batchId, rows] of read) {
    const token = /"u","([^"]*)"/.exec(rows[0] ?? '')?.[1] ?? '';
    const one = byToken.get(token);
    byToken.delete(token);
    if (!one?.rows) {
      problems.push(`${stream}: batch ${batchId} (${token}) is there twice, or was never sent`);
      continue;
    }
    if (one.id !== null && batchId.toLowerCase() !== one.id) {
      problems.push(`${stream} ${token}: it is there as ${batchId}`);
    }
    if (JSON.stringify(rows) !== JSON.stringify(one.rows)) {
      problems.push(
        `${stream} ${token}: sent ${JSON.stringify(one.rows)}, there ${JSON.stringify(rows)}`,
      );
    }
    one.file = `${batchId}.parquet`;
  }
  for (const { token, file } of byToken.values()) {
    if (file !== undefined) problems.push(`${stream} ${token}: it was there and is not any more`);
  }
  return problems;
};

const readFiles = async (
  connection: DuckDBConnection,
  paths: readonly string[],
): Promise<StreamRows> => {
  const list = paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ');
  const sql = `SELECT * FROM read_parquet([${list}], union_by_name = true,
    hive_partitioning = false)`;
  const result = await connection.runAndReadAll(sql);
  const columns = Array.from({ length: result.columnCount }, (_, at) => result.columnName(at));
  const rows = gather(columns, result.getRows());
  const ids = new Set([...rows.keys()].map((id) => `${id.toLowerCase()}.parquet`));
  const other = paths.find((path) => !ids.has(basename(path).toLowerCase()));
  if (other !== undefined) throw new Error(`${other} holds another batch than its name says`);
  return rows;
};

/** Every answered reject is kept, byte for byte and with its reason; a body without one is whole, and unanswered. */
const checkRejects = ({ batches, problems }: Sent, stream: string, failed: string): void => {
  const kept = new Set(namesIn(failed));
  const bad = batches.filter((one) => one.stream === stream && one.rows === null);
  for (const one of bad) {
    const rejectId = one.answers.find(({ document }) => document.reject_id)?.document.reject_id;
    if (rejectId === undefined) continue;
    const reason = join(failed, `${rejectId}.err`);
    const body = join(failed, `${rejectId}.ndjson`);
    if (!kept.delete(`${rejectId}.err`) || !kept.delete(`${rejectId}.ndjson`)) {
      problems.push(`${stream} ${one.token}: the reject ${rejectId} is not kept`);
    } else if (readFileSync(body, 'utf8') !== one.body) {
      problems.push(`${stream} ${one.token}: the body of ${rejectId} is another`);
    } else if (JSON.parse(readFileSync(reason, 'utf8')).reject_id !== rejectId) {
      problems.push(`${stream} ${one.token}: the reason of ${rejectId} is another's`);
    }
  }
  const unanswered = new Set(bad.map(({ body }) => body));
  for (const name of kept) {
    if (!name.endsWith('.ndjson')) continue;
    if (!unanswered.has(readFileSync(join(failed, name), 'utf8'))) {
      problems.push(`${stream}/failed/${name} is no body that was sent`);
    }
  }
  for (const name of kept) {
    if (name.endsWith('.err') && !kept.has(name.replace(/\.err$/, '.ndjson'))) {
      problems.push(`${stream}/failed/${name} has no body`);
    }
  }
};

/** What is in a folder; nothing where a crash left a stream half made. */
const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** The landed files of a data folder, those in the folders of days with them. */
export const filesIn = (data: string): string[] =>
  existsSync(data)
    ? readdirSync(data, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    : [];

const stampOf = (path: string): string => {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
};
