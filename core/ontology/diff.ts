// Owns telling two models apart, change by change. Pure.

import type { Attribute, ChangeCounts, Link, Model, ModelChange, ObjectType } from '../model.ts';
import { typeWord } from './type-word.ts';

/** Every difference, type by type in the order of `after`, removed ones last. */
export const diffModels = (before: Model, after: Model): ModelChange[] => {
  const old = new Map(before.types.map((type) => [type.id, type]));
  const names = namesOf([before, after]);
  const changed = after.types.flatMap((type) => {
    const was = old.get(type.id);
    return was
      ? diffTypes(was, type, names)
      : [change('new', type, 'type', null, null, keyOf(type))];
  });
  const left = before.types.filter(({ id }) => !after.types.some((type) => type.id === id));
  return [
    ...changed,
    ...left.map((type) => change('removed', type, 'type', null, keyOf(type), null)),
  ];
};

/** How many types differ. */
export const countChanges = (changes: readonly ModelChange[]): ChangeCounts => {
  const whole = changes.filter(({ what }) => what === 'type');
  const ids = new Set(whole.map(({ type }) => type));
  const others = changes.filter(({ type }) => !ids.has(type));
  return {
    added: whole.filter(({ mark }) => mark === 'new').length,
    changed: new Set(others.map(({ type }) => type)).size,
    removed: whole.filter(({ mark }) => mark === 'removed').length,
  };
};

const namesOf = (models: readonly Model[]): Map<string, string> =>
  new Map(models.flatMap(({ types }) => types.map(({ id, name }) => [id, name] as const)));

const keyOf = ({ key }: ObjectType): string => key.join(', ');

const change = (
  mark: ModelChange['mark'],
  type: ObjectType,
  what: ModelChange['what'],
  name: string | null,
  before: string | null,
  after: string | null,
): ModelChange => ({ mark, what, type: type.id, typeName: type.name, name, before, after });

const diffTypes = (
  was: ObjectType,
  now: ObjectType,
  names: ReadonlyMap<string, string>,
): ModelChange[] => {
  const changes: ModelChange[] = [];
  const add = (
    what: ModelChange['what'],
    before: string,
    after: string,
    name: string | null,
  ): void => {
    if (before !== after) changes.push(change('changed', now, what, name, before, after));
  };
  add('name', was.name, now.name, null);
  add('name', was.kind, now.kind, 'kind');
  add('key', keyOf(was), keyOf(now), null);
  for (const [mark, attribute, other] of paired(was.attributes, now.attributes)) {
    if (mark !== 'both') {
      const shown = `${typeWord(attribute.type)} from ${sourcesOf(attribute)}`;
      const [before, after] = mark === 'new' ? [null, shown] : [shown, null];
      changes.push(change(mark, now, 'attribute', attribute.name, before, after));
      continue;
    }
    add('name', attribute.name, other.name, other.name);
    add('column type', readAs(attribute), readAs(other), other.name);
    add('source', sourcesOf(attribute), sourcesOf(other), other.name);
  }
  const [before, after] = [was, now].map(({ links }) => links.map((link) => linkOf(link, names)));
  for (const link of after ?? []) {
    if (!before?.includes(link)) changes.push(change('new', now, 'link', link, null, link));
  }
  for (const link of before ?? []) {
    if (!after?.includes(link)) changes.push(change('removed', now, 'link', link, link, null));
  }
  return changes;
};

type Pair = readonly ['new' | 'removed' | 'both', Attribute, Attribute];

/** Attributes of both, first by name, then those whose sources say that they are the same under another name. */
const paired = (was: readonly Attribute[], now: readonly Attribute[]): Pair[] => {
  const left = new Set(was);
  const find = (of: (one: Attribute) => boolean): Attribute | undefined => {
    const found = [...left].find(of);
    if (found) left.delete(found);
    return found;
  };
  const byName = new Map(now.map((one) => [one, find(({ name }) => name === one.name)]));
  const pairs = now.map((one): Pair => {
    const other = byName.get(one) ?? find((old) => sourcesOf(old) === sourcesOf(one));
    return other ? ['both', other, one] : ['new', one, one];
  });
  return [...pairs, ...[...left].map((one): Pair => ['removed', one, one])];
};

const sourcesOf = ({ sources }: Attribute): string =>
  sources.map(({ stream, column }) => `${stream}.${column}`).join(', ');

const readAs = ({ type, sources }: Attribute): string => {
  const formats = [...new Set(sources.flatMap(({ format }) => format ?? []))];
  return formats.length > 0 ? `${typeWord(type)} ${formats.join(', ')}` : typeWord(type);
};

const linkOf = ({ to, on }: Link, names: ReadonlyMap<string, string>): string =>
  `${on.map(({ from }) => from).join(', ')} → ${names.get(to) ?? to}`;
