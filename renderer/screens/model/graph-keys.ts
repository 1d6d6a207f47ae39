// Owns moving through the graph by keys: which node lies next in a direction. Pure.

import type { LaidNode, Layout, Point } from './layout.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

const STEPS: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The direction of a key; undefined for any other key. */
export const directionOf = (key: string): Direction | undefined => KEYS[key];

/** How much farther a node counts for each px that it lies aside. */
const ASIDE = 2;

/** The node that lies next in a direction: near, and rather straight ahead than aside. Null where none does. */
export const nextNode = (
  nodes: readonly LaidNode[],
  { at }: Layout,
  from: string,
  direction: Direction,
): string | null => {
  const here = nodes.find(({ id }) => id === from);
  if (!here) return nodes[0]?.id ?? null;
  const start = middle(here, at);
  const step = STEPS[direction];
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    if (node.id === from) continue;
    const { x, y } = middle(node, at);
    const ahead = (x - start.x) * step.x + (y - start.y) * step.y;
    const aside = Math.abs((x - start.x) * step.y) + Math.abs((y - start.y) * step.x);
    const far = ahead + aside * ASIDE;
    if (ahead > 1 && far < least) [best, least] = [node.id, far];
  }
  return best;
};

const middle = ({ id, width, height }: LaidNode, at: Layout['at']): Point => ({
  x: (at[id]?.x ?? 0) + width / 2,
  y: (at[id]?.y ?? 0) + height / 2,
});
