// Owns where nodes lie: each connected part laid out to both sides of its facts, or of one of them, the parts packed.
// Pure, and runs in a worker. Never draws.

import { Graph, layout } from '@dagrejs/dagre';

export interface LaidNode {
  readonly id: string;
  /** Facts stand in the middle. */
  readonly isFact: boolean;
  readonly width: number;
  readonly height: number;
}

export interface LayoutAsk {
  readonly nodes: readonly LaidNode[];
  readonly links: readonly { readonly from: string; readonly to: string }[];
  /** Width over height of the room that the graph has. */
  readonly aspect: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Left upper corners by node, and the size of all. */
export interface Layout {
  readonly at: Readonly<Record<string, Point>>;
  readonly width: number;
  readonly height: number;
}

const BETWEEN_RANKS = 50;
const BETWEEN_NODES = 28;
const BETWEEN_PARTS = 56;

/** Lays a graph out. The same graph is always laid out the same. */
export const layOut = ({ nodes, links, aspect }: LayoutAsk): Layout =>
  packed(
    partsOf(nodes, links).map((part) => layOutPart(part, links, aspect)),
    aspect,
  );

type Links = LayoutAsk['links'];

const neighboursOf = (id: string, links: Links): string[] =>
  links.flatMap(({ from, to }) => (from === id ? [to] : to === id ? [from] : []));

/** Nodes that hang together. */
const partsOf = (nodes: readonly LaidNode[], links: Links): LaidNode[][] => {
  const left = new Map(nodes.map((node) => [node.id, node]));
  const parts: LaidNode[][] = [];
  for (const node of nodes) {
    if (!left.has(node.id)) continue;
    const part: LaidNode[] = [];
    const next = [node.id];
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      const found = left.get(id);
      if (!found) continue;
      left.delete(id);
      part.push(found);
      next.push(...neighboursOf(id, links));
    }
    parts.push(part);
  }
  return parts;
};

/** Which side of the middle each node is on, left being less than 0, and how many links away. */
const sidesOf = (part: readonly LaidNode[], links: Links, roots: readonly LaidNode[]) => {
  const place = new Map(roots.map(({ id }) => [id, 0]));
  const weight = { left: 0, right: 0 };
  let ring = roots.map(({ id }) => id);
  while (ring.length > 0) {
    const next: string[] = [];
    for (const id of ring) {
      const here = place.get(id) as number;
      for (const other of neighboursOf(id, links)) {
        if (place.has(other)) continue;
        const isLeft = here === 0 ? weight.left <= weight.right : here < 0;
        const high = part.find((node) => node.id === other)?.height ?? 0;
        if (isLeft) weight.left += high;
        else weight.right += high;
        place.set(other, here + (isLeft ? -1 : 1));
        next.push(other);
      }
    }
    ring = next;
  }
  return place;
};

/** Of all facts in one column, and of the most referring type as the only middle, what can be drawn larger. */
const layOutPart = (part: readonly LaidNode[], links: Links, aspect: number): Layout => {
  const degree = ({ id }: LaidNode): number => links.filter(({ from }) => from === id).length;
  const root = part.reduce((best, node) => (degree(node) > degree(best) ? node : best));
  const facts = part.filter(({ isFact }) => isFact);
  const ways = [[root], ...(facts.length > 1 ? [facts] : [])].map((roots) =>
    ranked(part, links, sidesOf(part, links, roots)),
  );
  return larger(ways, aspect) as Layout;
};

const ranked = (
  part: readonly LaidNode[],
  links: Links,
  place: ReadonlyMap<string, number>,
): Layout => {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', ranksep: BETWEEN_RANKS, nodesep: BETWEEN_NODES });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of part) graph.setNode(id, { width, height });
  for (const { from, to } of links) {
    const [one, other] = [place.get(from), place.get(to)];
    // Every edge goes one rank to the right; one within a rank would tear the rank apart.
    if (one === undefined || other === undefined || one === other) continue;
    if (one < other) graph.setEdge(from, to);
    else graph.setEdge(to, from);
  }
  layout(graph);
  const corners = part.map(({ id, isFact, width, height }) => {
    const { x, y } = graph.node(id) as Point;
    return { id, isFact, x: x - width / 2, y: y - height / 2, width, height };
  });
  return shifted(corners);
};

const shifted = (corners: readonly (LaidNode & Point)[]): Layout => {
  const left = Math.min(...corners.map(({ x }) => x));
  const top = Math.min(...corners.map(({ y }) => y));
  return {
    at: Object.fromEntries(
      corners.map(({ id, x, y }) => [id, { x: Math.round(x - left), y: Math.round(y - top) }]),
    ),
    width: Math.max(...corners.map(({ x, width }) => x + width)) - left,
    height: Math.max(...corners.map(({ y, height }) => y + height)) - top,
  };
};

/** The parts on shelves, the highest first; as wide as lets all of them be drawn largest. */
const packed = (parts: readonly Layout[], aspect: number): Layout => {
  const sorted = [...parts].sort((one, other) => other.height - one.height);
  const widest = Math.max(0, ...parts.map(({ width }) => width));
  let room = -BETWEEN_PARTS;
  const ways = sorted.map(({ width }) => {
    room += width + BETWEEN_PARTS;
    return onShelves(sorted, Math.max(room, widest));
  });
  return larger(ways, aspect) ?? { at: {}, width: 0, height: 0 };
};

const onShelves = (parts: readonly Layout[], room: number): Layout => {
  const at: Record<string, Point> = {};
  let [x, y, shelf, width] = [0, 0, 0, 0];
  for (const part of parts) {
    if (x > 0 && x + part.width > room) [x, y, shelf] = [0, y + shelf + BETWEEN_PARTS, 0];
    for (const [id, point] of Object.entries(part.at)) at[id] = { x: x + point.x, y: y + point.y };
    x += part.width + BETWEEN_PARTS;
    shelf = Math.max(shelf, part.height);
    width = Math.max(width, x - BETWEEN_PARTS);
  }
  return { at, width, height: y + shelf };
};

/** Of several layouts the one that can be drawn largest in a room of that aspect. */
const larger = (ways: readonly Layout[], aspect: number): Layout | undefined => {
  const need = ({ width, height }: Layout): number => Math.max(width / aspect, height);
  return [...ways].sort((one, other) => need(one) - need(other))[0];
};
