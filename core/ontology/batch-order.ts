// Owns the landing order of batches in kb.duckdb: which of two rows landed last is not in the rows.
// Never the truth; the ledger is, and this is a copy of it as of the last sync.

import { type DuckDBConnection, literal, readRows } from '../lake/duckdb.ts';
import { BATCH_ORDER, OWN_SCHEMA } from './generate.ts';

/** Brings the order of a stream in line with the ledger's, where it has more of it or another. */
export const writeOrder = async (
  connection: DuckDBConnection,
  stream: string,
  ids: readonly string[],
): Promise<void> => {
  await connection.run(`CREATE SCHEMA IF NOT EXISTS ${OWN_SCHEMA}`);
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${BATCH_ORDER} (stream VARCHAR, batch_id VARCHAR, seq BIGINT)`,
  );
  const [[count, last] = []] = await readRows(
    connection,
    `SELECT count(*), arg_max(batch_id, seq) FROM ${BATCH_ORDER} WHERE stream = ${literal(stream)}`,
  );
  if (Number(count) === ids.length && (ids.at(-1) ?? null) === last) return;
  await connection.run(`DELETE FROM ${BATCH_ORDER} WHERE stream = ${literal(stream)}`);
  await connection.run(
    `INSERT INTO ${BATCH_ORDER} SELECT ${literal(stream)}, unnest(ids), unnest(range(len(ids)))
     FROM (SELECT [${ids.map(literal).join(', ')}]::VARCHAR[] AS ids)`,
  );
};
