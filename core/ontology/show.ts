// Owns the model as faces ask for it: the view of a version, one type, counts, the document.
// Never changes anything.

import { AppError } from '../errors.ts';
import { type DuckDBConnection, messageOf, readRows } from '../lake/duckdb.ts';
import { readKb } from '../lake/kb-file.ts';
import type { Model, ModelDiff, ModelVersion, ModelView, TypeDetail } from '../model.ts';
import { noSuchVersion } from './apply.ts';
import { diffModels } from './diff.ts';
import { ontologyView, queryOf } from './generate.ts';
import { type Ground, storeOf } from './ground.ts';
import { modelMarkdown } from './markdown.ts';
import { EMPTY } from './promote.ts';
import { shownPromotion } from './records.ts';
import { describeView, sampleView } from './sync-views.ts';

/** The model at a version, the newest unless said. Throws `no_such_version`, `model_store_unreachable`. */
export const showModel = async (ground: Ground, version?: number): Promise<ModelView> => {
  const store = ground.store();
  const status = await store.status();
  if (status.fault) throw new AppError('model_store_unreachable', status.fault);
  const current = await store.current();
  const shown =
    version === undefined || version === current?.version ? current : await store.version(version);
  if (version !== undefined && !shown) throw noSuchVersion(version);
  const plans = ground.ledger().promotions.inStates(['open']).map(shownPromotion);
  const { model = EMPTY, ...summary } = shown ?? {};
  return {
    store: status,
    version: shown ? (summary as ModelView['version']) : null,
    current: current?.version ?? null,
    ...{ model, plans },
  };
};

/** What differs between two versions. Throws `no_such_version`. */
export const diffVersions = async (
  ground: Ground,
  from: number,
  to: number,
): Promise<ModelDiff> => {
  const [before, after] = [await versionOf(ground, from), await versionOf(ground, to)];
  return { from, to, changes: diffModels(before.model, after.model) };
};

const versionOf = async (ground: Ground, version: number): Promise<ModelVersion> => {
  const found = await ground.store().version(version);
  if (!found) throw noSuchVersion(version);
  return found;
};

/** Rows of every type's view now; null where one cannot be read. */
export const countTypes = async (ground: Ground): Promise<Record<string, number | null>> => {
  const { types } = (await ground.store().current())?.model ?? EMPTY;
  if (types.length === 0) return {};
  return readKb(ground, async (connection) => {
    const counts: Record<string, number | null> = {};
    for (const { id, name } of types) {
      counts[id] = (await countView(connection, ontologyView(name))).rows;
    }
    return counts;
  });
};

const countView = async (
  connection: DuckDBConnection,
  relation: string,
): Promise<{ rows: number | null; fault: string | null }> => {
  try {
    const [[count] = []] = await readRows(connection, `SELECT count(*) FROM ${relation}`);
    return { rows: Number(count), fault: null };
  } catch (error) {
    return { rows: null, fault: messageOf(error).split('\n', 1)[0] as string };
  }
};

/** One type of the newest version. Throws `no_such_type`, `duckdb_locked`. */
export const showType = async (ground: Ground, id: string): Promise<TypeDetail> => {
  const current = await storeOf(ground).current();
  const model = current?.model ?? EMPTY;
  const type = model.types.find((one) => one.id === id);
  if (!current || !type) {
    throw new AppError('no_such_type', `The model has no type "${id.slice(0, 60)}".`);
  }
  const live = await readKb(ground, async (connection) => {
    const relation = ontologyView(type.name);
    const { rows, fault } = await countView(connection, relation);
    if (fault !== null) return { rows, fault, columns: [], sample: [], conflicts: null };
    const columns = await describeView(connection, relation);
    const sample = await sampleView(
      connection,
      relation,
      columns.map(({ name }) => name),
    );
    const conflicts =
      type.kind === 'fact'
        ? null
        : Number(
            (
              await readRows(connection, `SELECT count(*) FROM ${relation} WHERE _conflicts > 0`)
            )[0]?.[0],
          );
    return { rows, fault, columns, sample, conflicts };
  });
  return {
    ...{ type, version: current.version, sql: queryOf(type), ...live },
    referredFrom: referring(model, id),
  };
};

const referring = ({ types }: Model, id: string): TypeDetail['referredFrom'] =>
  types.flatMap((type) =>
    type.links
      .filter(({ to }) => to === id)
      .map(({ on }) => ({ type: type.id, typeName: type.name, on: on.map(({ from }) => from) })),
  );

/** The model to hand over. Throws `no_such_version` where nothing has been promoted. */
export const modelDocument = async (
  ground: Ground,
  format: 'json' | 'markdown',
  version?: number,
): Promise<{ name: string; text: string }> => {
  const store = storeOf(ground);
  const shown = version === undefined ? await store.current() : await store.version(version);
  if (!shown) {
    if (version !== undefined) throw noSuchVersion(version);
    throw new AppError('no_such_version', 'Nothing has been promoted yet.', {
      hint: 'Promote a stream with: strata promote KB STREAM.',
    });
  }
  const name = `${ground.id}-model-v${shown.version}`;
  if (format === 'json')
    return { name: `${name}.json`, text: `${JSON.stringify(shown, null, 2)}\n` };
  const text = modelMarkdown(ground.id, shown, await store.versions());
  return { name: `${name}.md`, text };
};
