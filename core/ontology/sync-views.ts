// Owns bringing kb.duckdb in line with a version of the model: its views, the landing order, the manifest.
// Never commits half: the caller decides when, and has the writer lock.

import { type DuckDBConnection, identifier, literal, messageOf, readRows } from '../lake/duckdb.ts';
import type { Model } from '../model.ts';
import { writeOrder } from './batch-order.ts';
import { type OntologyView, ontologyView, viewsOf } from './generate.ts';
import { dropSnapshots, snapshotsIn } from './snapshot.ts';

/** What kb.duckdb is to be like. */
export interface WantedOntology {
  readonly model: Model;
  /** Whether a stream is here and has a view. */
  readonly has: (stream: string) => boolean;
  /** Ids of a stream's batches in landing order. */
  readonly order: (stream: string) => readonly string[];
  /** Names of the snapshots that are still evidence; the others go. Null where nobody knows. */
  readonly snapshots: readonly string[] | null;
}

/** What a sync changed. */
export interface OntologyChanges {
  readonly made: readonly string[];
  readonly dropped: readonly string[];
  /** Views that DuckDB refused, and why. */
  readonly refused: readonly { readonly view: string; readonly reason: string }[];
}

/** Stands before the hash in a view's comment, so that a view of somebody else's is left alone. */
const MARK = 'strata ';

interface Existing {
  readonly name: string;
  readonly hash: string | null;
}

/**
 * Brings the views in line within the caller's transaction. With `strict` the first view that DuckDB refuses is thrown
 * as it is; without, the others are made, each on its own, and the caller must not have begun a transaction.
 */
export const syncOntology = async (
  connection: DuckDBConnection,
  wanted: WantedOntology,
  strict: boolean,
): Promise<OntologyChanges> => {
  await connection.run('CREATE SCHEMA IF NOT EXISTS ontology');
  await writeOrders(connection, wanted);
  const views = viewsOf(wanted.model, wanted.has);
  const existing = await existingViews(connection);
  const isCurrent = ({ name, hash }: OntologyView): boolean =>
    existing.some((one) => one.name === name && one.hash === hash);
  const dropped = existing
    .filter(({ name, hash }) => hash !== null && !views.some((view) => view.name === name))
    .map(({ name }) => name);
  for (const name of dropped) await dropView(connection, name);
  const made: string[] = [];
  const refused: { view: string; reason: string }[] = [];
  for (const view of views.filter((one) => !isCurrent(one))) {
    try {
      await makeView(connection, view);
      made.push(view.name);
    } catch (error) {
      if (strict) throw error;
      refused.push({ view: view.name, reason: messageOf(error).split('\n', 1)[0] as string });
    }
  }
  await writeManifest(connection, wanted.model, views);
  const { snapshots } = wanted;
  if (snapshots) {
    const old = (await snapshotsIn(connection)).filter((name) => !snapshots.includes(name));
    await dropSnapshots(connection, old);
  }
  return { made, dropped, refused };
};

const existingViews = async (connection: DuckDBConnection): Promise<Existing[]> =>
  (
    await readRows(
      connection,
      "SELECT view_name, comment FROM duckdb_views() WHERE schema_name = 'ontology' AND NOT internal",
    )
  ).map(([name, comment]) => ({
    name: name as string,
    hash: comment?.startsWith(MARK) ? comment.slice(MARK.length) : null,
  }));

const makeView = async (connection: DuckDBConnection, view: OntologyView): Promise<void> => {
  await connection.run(`CREATE OR REPLACE VIEW ${view.relation} AS ${view.query}`);
  await connection.run(`COMMENT ON VIEW ${view.relation} IS ${literal(MARK + view.hash)}`);
};

const dropView = async (connection: DuckDBConnection, name: string): Promise<void> => {
  await connection.run(`DROP VIEW IF EXISTS ${ontologyView(name)}`);
};

const writeManifest = async (
  connection: DuckDBConnection,
  model: Model,
  views: readonly OntologyView[],
): Promise<void> => {
  await connection.run("DELETE FROM _strata_manifest WHERE starts_with(source, 'ontology:')");
  for (const { type, name, relation } of views) {
    const rows = model.types.find(({ id }) => id === type)?.rows ?? 'NULL';
    await connection.run(
      `INSERT INTO _strata_manifest VALUES (${literal(`ontology:${name}`)}, ${literal(relation)}, ${rows}, now())`,
    );
  }
};

/** Writes the landing order of the streams whose types need it. */
const writeOrders = async (
  connection: DuckDBConnection,
  { model, order }: WantedOntology,
): Promise<void> => {
  const dimensions = model.types.filter(({ kind }) => kind === 'dimension');
  for (const stream of new Set(dimensions.flatMap(({ streams }) => streams))) {
    await writeOrder(connection, stream, order(stream));
  }
};

/** What is wrong with the views of a model, each a sentence: one that does not bind, or is of another version. */
export const viewFaults = async (
  connection: DuckDBConnection,
  views: readonly OntologyView[],
): Promise<string[]> => {
  const existing = await existingViews(connection);
  const found: string[] = [];
  for (const { name, relation, hash } of views) {
    try {
      await readRows(connection, `SELECT * FROM ${relation} LIMIT 0`);
      const isCurrent = existing.some((one) => one.name === name && one.hash === hash);
      if (!isCurrent) found.push(`The view ${relation} is of another version.`);
    } catch (error) {
      found.push(`The view ${relation} does not bind: ${messageOf(error).split('\n', 1)[0]}`);
    }
  }
  return found;
};

/** Names of a view's columns and their types. */
export const describeView = async (
  connection: DuckDBConnection,
  relation: string,
): Promise<{ name: string; type: string }[]> =>
  (await readRows(connection, `DESCRIBE SELECT * FROM ${relation}`)).map(([name, type]) => ({
    name: name as string,
    type: type as string,
  }));

/** A view's first rows, as text. */
export const sampleView = async (
  connection: DuckDBConnection,
  relation: string,
  names: readonly string[],
): Promise<(string | null)[][]> =>
  readRows(
    connection,
    `SELECT ${names.map((name) => `${identifier(name)}::VARCHAR`).join(', ')} FROM ${relation} LIMIT 20`,
  );
