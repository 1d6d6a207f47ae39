// Owns reading Parquet back through a real DuckDB, in a temp folder that goes with it.
// Never uses Strata's own code: it is the judge.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** Rows as arrays: a column called __proto__ would be lost in objects. */
export type Rows = unknown[][];

export class DuckDbReader {
  readonly folder: string;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  #files = 0;

  private constructor(folder: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.folder = folder;
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(): Promise<DuckDbReader> {
    const folder = await mkdtemp(join(tmpdir(), 'strata-parquet-'));
    const instance = await DuckDBInstance.create(':memory:');
    return new DuckDbReader(folder, instance, await instance.connect());
  }

  async close(): Promise<void> {
    this.#connection.closeSync();
    this.#instance.closeSync();
    await rm(this.folder, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async save(name: string, bytes: Uint8Array): Promise<string> {
    await writeFile(this.path(name), bytes, { flag: 'wx' });
    return this.path(name);
  }

  /**
   * The rows of a query over a file of these bytes. Its name is used once: of a file overwritten in
   * place within a second, DuckDB's cache may still answer the old bytes.
   */
  async rowsOf(bytes: Uint8Array, sql: string): Promise<Rows> {
    const path = await this.save(`once-${++this.#files}.parquet`, bytes);
    const rows = await this.rows(sql, path);
    await rm(path);
    return rows;
  }

  /** Rows of a query; `$path` in it stands for a file or a glob. */
  async rows(sql: string, path?: string): Promise<Rows> {
    const quoted = `'${(path ?? '').replaceAll("'", "''")}'`;
    const reader = await this.#connection.runAndReadAll(sql.replaceAll('$path', () => quoted));
    return reader.getRows();
  }

  /** Names and types of a query's columns. */
  async types(sql: string, path: string): Promise<[string, string][]> {
    const rows = await this.rows(`DESCRIBE ${sql}`, path);
    return rows.map((row) => [String(row[0]), String(row[1])]);
  }

  /** The whole content of a file, in its order. */
  async content(path: string): Promise<Rows> {
    return this.rows('SELECT * FROM read_parquet($path)', path);
  }
}
