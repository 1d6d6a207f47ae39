// Owns the table `model_versions`: every version of the model, each written once.
// Never changes or removes one; the schema forbids it.

import type { Model, ModelVersion, VersionSummary } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

export interface ModelVersionTable {
  /** Newest first. */
  list(): VersionSummary[];
  /** The number of the newest; null where there is none. */
  newest(): number | null;
  get(version: number): ModelVersion | undefined;
  /** Adds a version. False when there is one with its number. */
  add(version: ModelVersion): boolean;
}

type Row = { readonly summary: string; readonly model: string };

export const modelVersionTable = (db: SqliteDatabase): ModelVersionTable => {
  const list = db.prepare('SELECT summary FROM model_versions ORDER BY version DESC');
  const newest = db.prepare('SELECT max(version) AS version FROM model_versions');
  const get = db.prepare('SELECT summary, model FROM model_versions WHERE version = ?');
  const add = db.prepare(
    'INSERT INTO model_versions (version, at, summary, model) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return {
    list: () =>
      (list.all() as Pick<Row, 'summary'>[]).map(
        ({ summary }) => JSON.parse(summary) as VersionSummary,
      ),
    newest: () => (newest.get() as { version: number | null }).version,
    get: (version) => {
      const row = get.get(version) as Row | undefined;
      if (!row) return undefined;
      const summary = JSON.parse(row.summary) as VersionSummary;
      return { ...summary, model: JSON.parse(row.model) as Model };
    },
    add: ({ model, ...summary }) =>
      add.run(summary.version, summary.at, JSON.stringify(summary), JSON.stringify(model)).changes >
      0,
  };
};
