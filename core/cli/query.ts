// Owns `strata query`: one reading statement, its rows to stdout as they come.

import { once } from 'node:events';
import { counted, grouped } from '../counted.ts';
import { streamRows } from '../lake/query.ts';
import type { QueryColumn } from '../model.ts';
import { csvLine, distinctNames } from '../text-formats.ts';
import { tableOf } from './output.ts';
import { homeOf, readWords, secondsOf, UsageError } from './usage.ts';
import { withCore } from './with-core.ts';

type Row = readonly (string | null)[];

/** How a format writes: what comes first, each row, what comes last. */
interface Format {
  head(columns: readonly QueryColumn[]): string;
  row(row: Row, index: number): string;
  foot(): string;
}

/** Rows that a table shows; it has to be held whole to be measured. */
const TABLE_ROWS = 1_000;

/** `query KB SQL [--format table|json|csv|ndjson] [--timeout SECONDS]`. Values are text, NULL is null. */
export const query = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB', 'SQL'], {
    format: { type: 'string' },
    timeout: { type: 'string' },
  });
  const [knowledgebaseId, sql] = positionals as [string, string];
  const name = values.format ?? (values.json ? 'json' : 'table');
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name]?.() : undefined;
  if (!format) throw new UsageError(`--format is table, json, csv or ndjson, not "${name}".`);
  if (values.json && name !== 'json')
    throw new UsageError(`--json and --format ${name} exclude each other.`);
  const timeoutMs = secondsOf(values.timeout, 'timeout') ?? 3_600_000;
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort());
  await withCore({ home: homeOf(values.home), writing: false }, async (core) => {
    const context = core.knowledgebase(knowledgebaseId).query;
    const options = { timeoutMs, signal: abort.signal };
    await streamRows(context, sql, options, async ({ columns, unavailable, chunks }) => {
      if (unavailable && context.streams().length > 0)
        process.stderr.write(`strata: ${unavailable}\n`);
      await write(format.head(columns));
      let index = 0;
      for await (const chunk of chunks()) {
        await write(chunk.map((row) => format.row(row, index++)).join(''));
      }
      await write(format.foot());
    });
  });
};

/** Writes, and waits while the reader is slower than DuckDB. */
const write = async (text: string): Promise<void> => {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
};

const FORMATS: Readonly<Record<string, () => Format>> = {
  json: () => ({
    head: (columns) => `{"columns":${JSON.stringify(columns)},"rows":[`,
    row: (row, index) => `${index === 0 ? '' : ','}${JSON.stringify(row)}`,
    foot: () => ']}\n',
  }),
  ndjson: () => {
    let names: string[] = [];
    return {
      head: (columns) => {
        names = distinctNames(columns.map((column) => column.name)).map((name) =>
          JSON.stringify(name),
        );
        return '';
      },
      row: (row) =>
        `{${row.map((value, at) => `${names[at]}:${JSON.stringify(value)}`).join(',')}}\n`,
      foot: () => '',
    };
  },
  // RFC 4180; NULL is nothing, the empty string is "".
  csv: () => ({
    head: (columns) => csvLine(columns.map((column) => column.name)),
    row: csvLine,
    foot: () => '',
  }),
  table: () => {
    let columns: readonly QueryColumn[] = [];
    const rows: string[][] = [];
    let count = 0;
    return {
      head: (found) => {
        columns = found;
        return '';
      },
      row: (row) => {
        count += 1;
        if (rows.length < TABLE_ROWS) rows.push(row.map((value) => value ?? 'NULL'));
        return '';
      },
      foot: () => {
        const heads = columns.map((column) => column.name);
        const right = new Set(
          columns.flatMap((column, index) => (NUMERIC.test(column.type) ? [index] : [])),
        );
        const more = count > rows.length ? `, the first ${grouped(rows.length)} of them shown` : '';
        return `${tableOf(heads, rows, right)}\n${counted(count, 'row')}${more}\n`;
      },
    };
  },
};

const NUMERIC = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|DECIMAL)/;
