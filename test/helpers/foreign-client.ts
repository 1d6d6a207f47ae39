// Owns starting foreign-client.mjs, another program that has kb.duckdb open, and hearing what it says.
// Never opens the file in the test's own process: locks are per process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from './until.ts';

/** One count of a view: when it began and ended, by this machine's clock, or why it failed. */
export interface ForeignCount {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly count: number;
}

export interface ForeignClient {
  readonly pid: number;
  counts(): readonly ForeignCount[];
  errors(): readonly string[];
  /** Asks it to close the file and end; resolves when it has, also the second time. */
  stop(): Promise<void>;
}

const SCRIPT = join(process.cwd(), 'test', 'helpers', 'foreign-client.mjs');

const start = (words: readonly string[]) => {
  const child = spawn(process.execPath, [SCRIPT, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const documents: Record<string, unknown>[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => documents.push(JSON.parse(line)));
  const stop = async (): Promise<void> => {
    child.stdin.end();
    const [code] = await exited;
    if (code !== 0) throw new Error(`The foreign client ended with ${code}.`);
  };
  const tell = (line: string): void => void child.stdin.write(`${line}\n`);
  return { pid: child.pid as number, documents, stop, tell };
};

/** A program that counts a stream's view for ever, opening the file each time (`pauseMs` apart) or keeping it open. */
export const startCounting = (
  how: 'count' | 'keep',
  knowledgebase: string,
  stream: string,
  pauseMs = 0,
): ForeignClient => {
  const words = [how, join(knowledgebase, 'kb.duckdb'), stream];
  const { pid, documents, stop } = start(pauseMs > 0 ? [...words, String(pauseMs)] : words);
  return {
    pid,
    stop,
    counts: () => documents.filter(({ count }) => count !== undefined) as unknown as ForeignCount[],
    errors: () => documents.flatMap(({ error }) => (error === undefined ? [] : [String(error)])),
  };
};

/** A program that holds the file open; resolves when it does, or fails with DuckDB's message. */
export const startHolding = async (
  knowledgebase: string,
  mode: 'READ_ONLY' | 'READ_WRITE',
): Promise<Pick<ForeignClient, 'pid' | 'stop'>> => {
  // Strata itself may have the file for the moment in which it makes a view.
  return until(`a foreign program holds the file ${mode}`, async () => {
    const { pid, documents, stop } = start(['hold', join(knowledgebase, 'kb.duckdb'), mode]);
    const first = await until('the foreign program has spoken', () => documents[0], 30_000);
    if (first.held === true) return { pid, stop };
    await stop();
    if (!/Could not set lock on file/.test(String(first.error)))
      throw new Error(String(first.error));
    return undefined;
  });
};

/** A program that does what it is told with the file. */
export interface AskedClient {
  readonly pid: number;
  /** Opens the file for reading; fails with DuckDB's message. */
  open(): Promise<void>;
  close(): Promise<void>;
  /** The rows as text. */
  rows(sql: string): Promise<(string | null)[][]>;
  stop(): Promise<void>;
}

/** Starts one; it has nothing open yet. */
export const startAsked = (knowledgebase: string): AskedClient => {
  const { pid, documents, stop, tell } = start(['ask', join(knowledgebase, 'kb.duckdb')]);
  let asked = 0;
  const ask = async (question: object): Promise<Record<string, unknown>> => {
    const at = asked;
    asked += 1;
    tell(JSON.stringify(question));
    const answer = await until('the foreign program answers', () => documents[at], 60_000);
    if (answer.error !== undefined) throw new Error(String(answer.error));
    return answer;
  };
  return {
    pid,
    stop,
    open: async () => void (await ask({ open: true })),
    close: async () => void (await ask({ close: true })),
    rows: async (sql) => (await ask({ sql })).rows as (string | null)[][],
  };
};
