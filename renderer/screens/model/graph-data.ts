// Owns what the graph shows of a model: nodes with the attributes that fit, links, what differs from the version before.
// Never lays out, never draws.

import type { Attribute, Link, Model, ObjectType } from '../../../core/model.ts';

export type GraphMark = 'new' | 'changed' | null;

/** An attribute as a node lists it. */
export interface NodeLine {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
  readonly mark: GraphMark;
}

/** An object type as a box. Sizes in px. */
export interface GraphNode {
  readonly id: string;
  readonly name: string;
  readonly kind: ObjectType['kind'];
  readonly isFact: boolean;
  readonly rows: number | null;
  readonly mark: GraphMark;
  readonly lines: readonly NodeLine[];
  /** Attributes that are not listed. */
  readonly more: number;
  readonly width: number;
  readonly height: number;
}

/** A reference from one type to the key of another. */
export interface GraphLink {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** `employee_id`, or `order_id, line`. */
  readonly on: string;
  readonly isNew: boolean;
  /** How far its line lies from the middle, so that several between the same two nodes are several to the eye. */
  readonly shift: number;
}

export interface GraphData {
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
}

export const NODE_WIDTH = 190;
export const HEAD_HEIGHT = 34;
const LINE_HEIGHT = 22;
const FOOT = 8;
/** Attributes that a node lists; one more than these is listed too, since saying "1 more" takes as much room. */
const LISTED = 5;

/** DuckDB's name of a type as the window says it: VARCHAR is text, the others go by their own names. */
export const typeWord = (type: string): string =>
  type === 'VARCHAR'
    ? 'text'
    : type === 'TIMESTAMP WITH TIME ZONE'
      ? 'timestamptz'
      : type.toLowerCase();

/** The graph of a model; marks say what differs from `before`, none where that is null. */
export const graphOf = (
  model: Model,
  before: Model | null,
  counts: Readonly<Record<string, number | null>> = {},
): GraphData => {
  const nodes = model.types.map((type) => nodeOf(type, before, counts[type.id] ?? type.rows));
  const known = new Set(model.types.map(({ id }) => id));
  const links = model.types.flatMap((type) =>
    type.links
      .filter(({ to }) => known.has(to))
      .map((link) => ({
        id: linkName(type.id, link),
        from: type.id,
        to: link.to,
        on: link.on.map(({ from }) => from).join(', '),
        isNew: before !== null && !hasLink(before, type.id, link),
      })),
  );
  return { nodes, links: shifted(links) };
};

/** Between two lines of the same two nodes, and the most that all of them take. */
const [BETWEEN_LINKS, MOST_SHIFTED] = [8, HEAD_HEIGHT - 10];

const shifted = (links: readonly Omit<GraphLink, 'shift'>[]): GraphLink[] => {
  const endsOf = ({ from, to }: Pick<GraphLink, 'from' | 'to'>): string =>
    [from, to].sort().join(' ');
  return links.map((link) => {
    const same = links.filter((other) => endsOf(other) === endsOf(link));
    const step = Math.min(BETWEEN_LINKS, MOST_SHIFTED / Math.max(1, same.length - 1));
    return { ...link, shift: (same.indexOf(link) - (same.length - 1) / 2) * step };
  });
};

/** The parts of a name between which a line can break: `ShipmentReason` at its capital, `pay_grade` after `_`. */
export const namePieces = (name: string): string[] =>
  name.split(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=[_\s-])/u);

const linkName = (from: string, { to, on }: Link): string =>
  `${from} ${to} ${on.map((pair) => pair.from).join(' ')}`;

const hasLink = ({ types }: Model, from: string, link: Link): boolean =>
  types
    .find(({ id }) => id === from)
    ?.links.some((one) => linkName(from, one) === linkName(from, link)) ?? false;

const nodeOf = (type: ObjectType, before: Model | null, rows: number | null): GraphNode => {
  const was = before?.types.find(({ id }) => id === type.id);
  const isNew = before !== null && was === undefined;
  const all = type.attributes
    .filter((attribute) => !isLink(attribute, type))
    .map((attribute) => lineOf(attribute, type, isNew ? undefined : was));
  const lines = listed(all);
  const more = type.attributes.length - lines.length - hiddenReferences(type);
  return {
    ...{
      id: type.id,
      name: type.name,
      kind: type.kind,
      isFact: type.kind === 'fact',
      rows,
      lines,
      more,
    },
    mark: isNew ? 'new' : was && differs(type, was) ? 'changed' : null,
    width: NODE_WIDTH,
    height: HEAD_HEIGHT + (lines.length + (more > 0 ? 1 : 0)) * LINE_HEIGHT + FOOT,
  };
};

/**
 * Whether a line alone says it: what refers to another type, so that the node has the room for what does not. Of two
 * references to one type no line says which is which.
 */
const isLink = ({ name, role }: Attribute, { key, links }: ObjectType): boolean => {
  if (role !== 'reference' || key.includes(name)) return false;
  const own = links.find(({ on }) => on.some(({ from }) => from === name));
  return links.filter(({ to }) => to === own?.to).length < 2;
};

const hiddenReferences = (type: ObjectType): number =>
  type.attributes.filter((attribute) => isLink(attribute, type)).length;

const lineOf = (attribute: Attribute, type: ObjectType, was: ObjectType | undefined): NodeLine => {
  const old = was?.attributes.find(({ name }) => name === attribute.name);
  return {
    name: attribute.name,
    type: typeWord(attribute.type),
    isKey: type.key.includes(attribute.name),
    mark: was === undefined ? null : !old ? 'new' : old.type === attribute.type ? null : 'changed',
  };
};

/** The key, what is marked, and what comes first of the rest; in the order of the view. */
const listed = (all: readonly NodeLine[]): NodeLine[] => {
  if (all.length <= LISTED + 1) return [...all];
  const first = [
    ...all.filter(({ isKey }) => isKey),
    ...all.filter(({ isKey, mark }) => !isKey && mark !== null),
    ...all.filter(({ isKey, mark }) => !isKey && mark === null),
  ].slice(0, LISTED);
  return all.filter((line) => first.includes(line));
};

const shapeOf = (type: ObjectType): string =>
  JSON.stringify([
    ...[type.name, type.kind, type.key, type.streams],
    type.attributes.map(({ name, type: sql, sources }) => [name, sql, sources]),
    type.links,
  ]);

const differs = (type: ObjectType, was: ObjectType): boolean => shapeOf(type) !== shapeOf(was);

/** What a node says by where it stands and how it is drawn, for those who hear it. */
export const nodeWords = (
  { id, mark, lines }: GraphNode,
  { links }: GraphData,
  names: (id: string) => string,
): string => {
  const to = namesOf(
    links.filter(({ from }) => from === id),
    (link) => names(link.to),
  );
  const from = namesOf(
    links.filter((link) => link.to === id),
    (link) => names(link.from),
  );
  const key = lines.filter(({ isKey }) => isKey).map(({ name }) => name);
  return [
    ...(mark === null ? [] : [mark]),
    key.length === 0 ? 'no key' : `key ${key.join(', ')}`,
    ...(to.length === 0 ? [] : [`refers to ${to.join(', ')}`]),
    ...(from.length === 0 ? [] : [`referred to by ${from.join(', ')}`]),
  ].join(', ');
};

/** Each name once; where several links have it, with what they are on. */
const namesOf = (links: readonly GraphLink[], nameOf: (link: GraphLink) => string): string[] =>
  [...new Set(links.map(nameOf))].map((name) => {
    const same = links.filter((link) => nameOf(link) === name);
    return same.length < 2 ? name : `${name} by ${same.map(({ on }) => on).join(' and by ')}`;
  });
