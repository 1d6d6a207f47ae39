// Owns the snapshot of a stream: its view copied into a native table of kb.duckdb, batch by batch as the ledger has it.
// Never holds a batch that is not acknowledged; the caller has the writer lock.

import { createHash } from 'node:crypto';
import { counted } from '../counted.ts';
import { AppError } from '../errors.ts';
import { viewName } from '../knowledgebase/paths.ts';
import { type DuckDBConnection, identifier, literal, readRows } from '../lake/duckdb.ts';
import type { Snapshot } from '../model.ts';
import { atStep } from '../steps.ts';
import { writeOrder } from './batch-order.ts';
import { OWN_SCHEMA } from './generate.ts';

/** A batch as a snapshot needs it, in landing order. */
export interface OrderedBatch {
  readonly batchId: string;
  readonly rows: number;
}

/** The table of a promotion's snapshot: its stream and the end of the promotion's id. */
export const snapshotName = (stream: string, promotion: string): string =>
  `${stream}_${promotion.slice(-8)}`;

/** A table of Strata's own, as SQL writes it. */
const ownTable = (name: string): string => `${OWN_SCHEMA}.${identifier(name)}`;

/** SHA-256 of the ids in landing order. */
export const hashOfBatches = (ids: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const id of ids) hash.update(`${id}\n`);
  return hash.digest('hex');
};

/**
 * Copies the batches' rows into a new table, all or nothing, and says what it holds.
 * Throws `snapshot_differs` when the view has another number of a batch's rows than the ledger.
 */
export const takeSnapshot = async (
  connection: DuckDBConnection,
  stream: string,
  promotion: string,
  batches: readonly OrderedBatch[],
): Promise<Snapshot> => {
  const name = snapshotName(stream, promotion);
  const table = ownTable(name);
  const ids = batches.map(({ batchId }) => batchId);
  await connection.run('BEGIN TRANSACTION');
  try {
    await connection.run(`CREATE SCHEMA IF NOT EXISTS ${OWN_SCHEMA}`);
    await connection.run(
      `CREATE OR REPLACE TABLE ${table} AS SELECT * EXCLUDE (filename) FROM ${viewName(stream)}
       WHERE _batch_id IN (SELECT unnest([${ids.map(literal).join(', ')}]::VARCHAR[]))`,
    );
    await checkRows(connection, table, batches);
    // A plan shows what a dimension would have, and which of two rows landed last.
    await writeOrder(connection, stream, ids);
    const rows = batches.reduce((sum, batch) => sum + batch.rows, 0);
    await connection.run(
      `INSERT INTO _strata_manifest VALUES (${literal(`snapshot:${name}`)}, ${literal(table)}, ${rows}, now())
       ON CONFLICT DO UPDATE SET relation = excluded.relation, row_count = excluded.row_count`,
    );
    atStep('snapshot');
    await connection.run('COMMIT');
    await connection.run('CHECKPOINT');
    return {
      ...{ promotion, stream, table, takenAt: new Date().toISOString(), rows },
      ...{ batches: batches.length, batchesSha256: hashOfBatches(ids) },
    };
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {});
    throw error;
  }
};

/** Every batch of the ledger is there with its rows, and nothing else. */
const checkRows = async (
  connection: DuckDBConnection,
  table: string,
  batches: readonly OrderedBatch[],
): Promise<void> => {
  const found = await readRows(connection, `SELECT _batch_id, count(*) FROM ${table} GROUP BY 1`);
  const rows = new Map(found.map(([id, count]) => [id as string, Number(count)]));
  const wrong = batches.find(({ batchId, rows: wanted }) => (rows.get(batchId) ?? 0) !== wanted);
  if (!wrong) return;
  throw new AppError(
    'snapshot_differs',
    `The batch ${wrong.batchId} has ${counted(wrong.rows, 'row')} in the ledger and ${rows.get(wrong.batchId) ?? 0} in the view.`,
    { details: { batchId: wrong.batchId } },
  );
};

/** The columns of a snapshot that are the producer's, in the order of the view. */
export const snapshotColumns = async (
  connection: DuckDBConnection,
  table: string,
): Promise<string[]> =>
  (await readRows(connection, `DESCRIBE ${table}`))
    .map(([name]) => name as string)
    .filter((name) => name !== '_batch_id' && name !== '_line');

/** Removes snapshots, and their rows in the manifest. A kb.duckdb that was made anew has none. */
export const dropSnapshots = async (
  connection: DuckDBConnection,
  names: readonly string[],
): Promise<void> => {
  const [own] = await readRows(
    connection,
    `SELECT 1 FROM duckdb_schemas() WHERE schema_name = ${literal(OWN_SCHEMA)} AND database_name = current_database()`,
  );
  if (!own) return;
  for (const name of names) {
    await connection.run(`DROP TABLE IF EXISTS ${ownTable(name)}`);
    await connection.run(
      `DELETE FROM _strata_manifest WHERE source = ${literal(`snapshot:${name}`)}`,
    );
  }
};

/** The snapshots that are in kb.duckdb, by the manifest. */
export const snapshotsIn = async (connection: DuckDBConnection): Promise<string[]> =>
  (
    await readRows(
      connection,
      "SELECT source[10:] FROM _strata_manifest WHERE starts_with(source, 'snapshot:') ORDER BY 1",
    )
  ).map(([name]) => name as string);
