// Every shared case over real HTTP: its answer, and what any DuckDB client then finds in the view.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fixture from '../fixtures/ingest-cases.json' with { type: 'json' };
import { adminOf } from '../helpers/admin.ts';
import {
  type ForeignReader,
  openForeignReader,
  readProducerColumns,
} from '../helpers/foreign-reader.ts';
import { type Answer, sendBatch } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';

type Part = { readonly text: string } | { readonly base64: string } | Repeated;
type Repeated = { readonly repeat: string; readonly times: number };

interface Case {
  readonly name: string;
  readonly body: readonly Part[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly prior_body?: readonly Part[];
  readonly status: number;
  readonly code?: string;
  readonly line?: number;
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly (string | null | Repeated)[])[];
}

const CASES = fixture.cases as unknown as readonly Case[];

const bytesOf = (part: Part): Buffer => {
  if ('text' in part) return Buffer.from(part.text);
  if ('base64' in part) return Buffer.from(part.base64, 'base64');
  return Buffer.from(part.repeat.repeat(part.times));
};
const bodyOf = (parts: readonly Part[]): Buffer => Buffer.concat(parts.map(bytesOf));
const cellOf = (cell: string | null | Repeated): string | null =>
  cell !== null && typeof cell === 'object' ? cell.repeat.repeat(cell.times) : cell;

let server: Server;
let reader: ForeignReader;
const answers: Answer[] = [];

beforeAll(async () => {
  server = await startServer();
  const admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
  for (const [index, { body, prior_body: prior, headers }] of CASES.entries()) {
    const address = server.stream('lab', `case-${index}`);
    if (prior) expect((await sendBatch(address, bodyOf(prior))).status).toBe(200);
    answers.push(await sendBatch(address, bodyOf(body), headers));
  }
  expect(await admin.knowledgebases.syncViews({ knowledgebase: 'lab' })).toEqual({
    done: true,
    waitingFor: null,
  });
  reader = await openForeignReader(join(server.home, 'lab'));
});

afterAll(async () => {
  reader?.close();
  await server?.stop();
  removeTempFolders();
});

describe('the shared cases', () => {
  test.each(CASES.map((one, index) => ({ ...one, index })))('$name', async (one) => {
    const { status, headers, document } = answers[one.index] as Answer;
    expect(status, JSON.stringify(document)).toBe(one.status);
    if (one.status !== 200) {
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(document.status).toBe(one.status);
      if (one.code !== undefined) expect(document.code).toBe(one.code);
      if (one.line !== undefined) expect(document.line).toBe(one.line);
      const views = await reader.read(
        `SELECT view_name FROM duckdb_views()
           WHERE schema_name = 'raw_extracted' AND view_name = 'stream_case-${one.index}'`,
      );
      expect(views.rows, 'nothing of a rejected batch is in a view').toEqual([]);
      return;
    }
    const found = await readProducerColumns(reader, `case-${one.index}`);
    if (one.columns) expect(found.columns).toEqual(one.columns);
    if (one.rows) expect(found.rows).toEqual(one.rows.map((row) => row.map(cellOf)));
    expect(document.replayed).toBe(false);
  });

  test('and after all of them every promise holds', async () => {
    const proof = await adminOf(server).knowledgebases.verify({ knowledgebase: 'lab' });
    expect(proof.streams.flatMap(({ differences }) => differences)).toEqual([]);
    expect(proof.holds).toBe(true);
  });
});
