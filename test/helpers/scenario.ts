// Owns the form of a scenario: one request to the listener, and what its answer must and must not have.
// Never knows which rule a scenario is about.

import { expect } from 'vitest';
import { type AdminClient, streamOf } from './admin.ts';
import { type Answer, NDJSON, send } from './raw-http.ts';
import type { Server } from './server.ts';

export interface Scenario {
  readonly name: string;
  readonly method?: string;
  /** `{stream}` stands for a stream of the scenario's own; a POST to it unless given. */
  readonly path?: string;
  /** Beside or instead of the media type; an empty value leaves a field out. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly status: number;
  readonly code?: string;
  /** Rows of the scenario's stream afterwards; 0 unless given. */
  readonly rows?: number;
  /** Texts that the answer's body must have. */
  readonly expected?: readonly string[];
  /** Texts that it must not have. */
  readonly forbidden?: readonly string[];
  readonly expectedHeaders?: Readonly<Record<string, string>>;
  /** Whether the rejected body, exactly as given here, is in the stream's failed folder. */
  readonly keeps?: string | Uint8Array;
}

export const ONE_ROW = '{"a":"1"}\n';
const STREAM_PATH = '/knowledgebase/lab/strata/ingest/{stream}';

/** Runs a scenario against a server whose knowledgebase `lab` it may use, with a stream that is new. */
export const runScenario = async (
  server: Server,
  admin: AdminClient,
  scenario: Scenario,
  stream: string,
): Promise<Answer> => {
  const { method = 'POST', body = method === 'POST' ? ONE_ROW : undefined } = scenario;
  const answer = await send(server.ingestUrl, {
    method,
    path: (scenario.path ?? STREAM_PATH).replace('{stream}', stream),
    headers: { ...NDJSON, ...scenario.headers },
    ...(body === undefined ? {} : { body }),
  });
  expect(answer.status, answer.text).toBe(scenario.status);
  checkHeaders(scenario, answer, method);
  for (const text of scenario.expected ?? []) expect(answer.text).toContain(text);
  for (const text of [...(scenario.forbidden ?? []), server.home, 'node:', '.mjs']) {
    expect(answer.text).not.toContain(text);
  }
  const rows = (await streamOf(admin, 'lab', stream))?.rows ?? 0;
  expect(rows, 'rows of the stream').toBe(scenario.rows ?? 0);
  return answer;
};

const checkHeaders = (
  scenario: Scenario,
  { status, headers, document }: Answer,
  method: string,
) => {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...scenario.expectedHeaders,
  });
  // Nothing lets a web page read an answer, or tells which software answers.
  const names = Object.keys(headers).join(' ');
  expect(names).not.toMatch(/access-control|x-powered-by|server/);
  if (status === 200) return;
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  if (method === 'HEAD') return;
  expect(document).toMatchObject({
    type: `urn:strata:problem:${scenario.code}`,
    status,
    code: scenario.code,
  });
};
