// Owns making a knowledgebase `k` with landed batches and rejects in a temp home, closed again, for tests to tamper with.
// Never tampers.

import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type KnowledgebasePaths, knowledgebasePaths } from '../../core/knowledgebase/paths.ts';
import { openSqlite } from '../../core/sqlite.ts';
import { codeOf, land, openTestCore, type TestCore } from './core.ts';
import { tempFolder } from './server.ts';

export interface Filled {
  readonly home: string;
  readonly paths: KnowledgebasePaths;
  /** Absolute path of something in the stream `s`. */
  readonly at: (...names: string[]) => string;
}

/** The stream `s`: batches `one` (2 rows), `two` (3 rows, sent twice), and the reject `bad`; view made, all closed. */
export const filledKnowledgebase = async (): Promise<Filled> => {
  const home = tempFolder();
  await withCore(home, async (core) => {
    core.createKnowledgebase('k');
    await land(core, 's', '{"a":"1.10","filename":"x"}\n{"a":2}\n', 'one');
    await land(core, 's', '{"A":3}\n{"b":4}\n{"b":null}\n', 'two');
    await land(core, 's', '{"A":3}\n{"b":4}\n{"b":null}\n', 'two');
    await codeOf(land(core, 's', '{"a":1}\n{"a":\n', 'bad'));
    await core.knowledgebase('k').views.settled(15_000);
  });
  const paths = knowledgebasePaths(join(home, 'k'));
  return { home, paths, at: (...names) => join(paths.streams, 's', ...names) };
};

/** Opens core over a home, runs `work`, closes it; fails when core logged anything unless that is `expected`. */
export const withCore = async <T>(
  home: string,
  work: (core: TestCore) => Promise<T> | T,
  options: { readonly writing?: boolean; readonly mayLog?: boolean } = {},
): Promise<T> => {
  const core = openTestCore({ home, writing: options.writing ?? true });
  try {
    const result = await work(core);
    if (!options.mayLog && core.logged.length > 0) throw new Error(core.logged.join(''));
    return result;
  } finally {
    await core.close();
  }
};

/** Changes the closed ledger behind Strata's back. */
export const tamper = ({ paths }: Filled, sql: string): void => {
  const db = openSqlite(paths.ledger);
  db.exec(sql);
  db.close();
};

/** Writes over the first page of a table or an index of the closed ledger. */
export const damageTable = ({ paths }: Filled, name: string): void => {
  const db = openSqlite(paths.ledger);
  const row = db.prepare('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?').get(name);
  db.close();
  const { page } = row as { page: number };
  const file = openSync(paths.ledger, 'r+');
  writeSync(file, Buffer.alloc(PAGE, 0x5a), 0, PAGE, (page - 1) * PAGE);
  closeSync(file);
};

/** SQLite's page, unless said otherwise when the file is made. */
const PAGE = 4_096;

/** Names in a folder, in order. */
export const namesIn = (folder: string): string[] => readdirSync(folder).sort();
