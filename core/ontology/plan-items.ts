// Owns the things of a plan that a person decides, each with the numbers that led to it. Pure.

import { counted, grouped } from '../counted.ts';
import type { Model, ModelChange, ObjectType, PlanItem } from '../model.ts';
import { fedBy } from './check.ts';
import { diffModels } from './diff.ts';
import type { Derived, PlanDocument } from './plan-document.ts';

/** The items of a plan: a type that differs each, then what held before and does not now. */
export const itemsOf = (document: PlanDocument, derived: Derived): PlanItem[] => {
  const { base } = document;
  const changes = diffModels(base, derived.model);
  const ids = [...new Set(changes.map(({ type }) => type))];
  const types = ids.map((id) =>
    typeItem(
      document,
      derived,
      id,
      changes.filter(({ type }) => type === id),
    ),
  );
  return [...types, ...warnings(document, derived.model)].map((item) => ({
    ...item,
    decision: document.accepted.includes(item.id) ? 'accepted' : null,
  }));
};

/** Items that a person refused, as they were before. */
export const refusedItems = (document: PlanDocument, before: Derived): PlanItem[] => {
  const refused = document.edits.flatMap((edit) => (edit.kind === 'refuse' ? [edit.item] : []));
  return itemsOf(document, before)
    .filter(({ id }) => refused.includes(id))
    .map((item) => ({ ...item, decision: 'refused' }));
};

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const typeItem = (
  document: PlanDocument,
  { model, merged, matches }: Derived,
  id: string,
  changes: readonly ModelChange[],
): PlanItem => {
  const before = document.base.types.find((type) => type.id === id);
  const after = model.types.find((type) => type.id === id);
  const type = (after ?? before) as ObjectType;
  const mark = !before ? 'new' : !after ? 'removed' : 'changed';
  const match = matches.get(id) ?? null;
  return {
    ...{ id: `type:${id}`, group: 'type', mark, type: id, changes, match },
    merged: merged.has(id),
    title: titleOf(mark, type, changes),
    evidence: mark === 'new' ? type.why : gainEvidence(document, type, changes),
    decision: null,
  };
};

const titleOf = (
  mark: PlanItem['mark'],
  { name, kind, key }: ObjectType,
  changes: readonly ModelChange[],
): string => {
  if (mark === 'removed') return `${name} goes`;
  if (mark === 'new') {
    if (kind === 'dimension') return `${name} by ${listed(key)}`;
    return `${name}, one row for each ${key.length > 0 ? listed(key) : 'line that landed'}`;
  }
  const of = (which: ModelChange['mark'], what: ModelChange['what']): string[] =>
    changes.flatMap((one) =>
      one.mark === which && one.what === what && one.name !== null ? [one.name] : [],
    );
  const parts = [
    ['gains', of('new', 'attribute')],
    ['loses', of('removed', 'attribute')],
    ['refers to', of('new', 'link').map((link) => link.split(' → ')[1] as string)],
    ['reads otherwise', of('changed', 'column type')],
    ['takes more sources for', of('changed', 'source')],
  ] as const;
  const said = parts.flatMap(([verb, names]) =>
    names.length > 0 ? [`${verb} ${listed([...names])}`] : [],
  );
  const others = changes.filter(
    ({ what, mark: m }) => m === 'changed' && (what === 'name' || what === 'key'),
  );
  for (const { what, name: of, before, after } of others) {
    const isKind = what === 'name' && of === 'kind' && after !== 'kind';
    said.push(isKind ? `becomes a ${after}` : `${what} ${before} becomes ${after}`);
  }
  return said.length > 0 ? `${name} ${said.join(', ')}` : `${name} changes`;
};

/** What speaks for the columns that a type gains. */
const gainEvidence = (
  { profile }: PlanDocument,
  type: ObjectType,
  changes: readonly ModelChange[],
): string[] => {
  const gained = changes.filter(({ mark, what }) => mark === 'new' && what === 'attribute');
  const columnOf = (name: string | null): string | undefined =>
    type.attributes
      .find((one) => one.name === name)
      ?.sources.find(({ stream }) => stream === profile.stream)?.column;
  const key = columnOf(type.key[0] ?? null);
  return gained.flatMap(({ name }) => {
    const column = columnOf(name);
    const found = profile.dependencies.find(({ from, to }) => from === key && to === column);
    const evidence = profile.columns.find((one) => one.column === column);
    if (type.kind === 'dimension' && found) {
      return [
        `${counted(found.groups, 'value')} of ${key} fix ${column}, ${counted(found.exceptions, 'exception')}.`,
      ];
    }
    return evidence ? [`${column}: ${evidence.reason}`] : [];
  });
};

/** What is worse than when the type was last promoted. */
const warnings = ({ base, checks, profile }: PlanDocument, model: Model): PlanItem[] =>
  fedBy(model, profile.stream).flatMap((type) => {
    const check = checks[type.id];
    const before = base.types.find(({ id }) => id === type.id);
    if (!check) return [];
    const warn = (id: string, title: string, evidence: string): PlanItem => ({
      ...{ id: `evidence:${id}`, group: 'evidence', mark: 'warning', type: type.id, title },
      ...{ evidence: [evidence], changes: [], match: null, merged: false, decision: null },
    });
    const found: PlanItem[] = [];
    if (check.repeated > (before?.repeated ?? 0)) {
      found.push(
        warn(
          `key:${type.id}`,
          `${listed(type.key)} does not tell every row of ${type.name} apart`,
          `${counted(check.repeated, 'key')} in more than one of ${counted(profile.rows, 'row')}.`,
        ),
      );
    }
    for (const { name, type: as, evidence } of type.attributes) {
      const was = before?.attributes.find((one) => one.name === name)?.evidence ?? undefined;
      const now = check.casts[name];
      if (now && now.fails > (was?.fails ?? 0)) {
        const examples = now.failing.map(({ value }) => `"${value.slice(0, 40)}"`).join(', ');
        const id = `cast:${type.id}.${name}`;
        const words = `${now.fails} of ${now.casts + now.fails} values are read as NULL: ${examples}.`;
        found.push(warn(id, `${type.name}.${name} is not always ${as}`, words));
      }
      const conflicts = check.conflicts[name] ?? 0;
      if (conflicts > (was?.conflicts ?? evidence?.conflicts ?? 0)) {
        const id = `conflict:${type.id}.${name}`;
        const words = `${grouped(conflicts)} of ${counted(check.rows, 'key')} have rows that disagree; the one that landed last wins.`;
        found.push(warn(id, `${listed(type.key)} does not fix ${type.name}.${name}`, words));
      }
    }
    return found;
  });
