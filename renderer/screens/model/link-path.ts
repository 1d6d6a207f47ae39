// Owns the line of a link between two nodes, and the dot at its end. Pure.

import { HEAD_HEIGHT } from './graph-data.ts';
import type { LaidNode, Point } from './layout.ts';

/** Where the line ends, away from the node, so that the dot stands free. */
const GAP = 4;

/** From the type that refers to the one that it refers to, which has the dot; `shift` px from the middle of both. */
export const linkPath = (
  from: LaidNode & Point,
  to: LaidNode & Point,
  shift = 0,
): { path: string; dot: Point } => {
  const high = HEAD_HEIGHT / 2 + shift;
  if (from.x + from.width <= to.x) {
    return side({ x: from.x + from.width, y: from.y + high }, { x: to.x - GAP, y: to.y + high });
  }
  if (to.x + to.width <= from.x) {
    return side({ x: from.x, y: from.y + high }, { x: to.x + to.width + GAP, y: to.y + high });
  }
  const isBelow = from.y > to.y;
  const start = {
    x: from.x + from.width / 2 + shift,
    y: isBelow ? from.y : from.y + from.height,
  };
  const dot = {
    x: to.x + to.width / 2 + shift,
    y: isBelow ? to.y + to.height + GAP : to.y - GAP,
  };
  const half = (start.y + dot.y) / 2;
  return {
    dot,
    path: `M${start.x} ${start.y}C${start.x} ${half} ${dot.x} ${half} ${dot.x} ${dot.y}`,
  };
};

const side = (start: Point, dot: Point): { path: string; dot: Point } => {
  const half = (start.x + dot.x) / 2;
  return {
    dot,
    path: `M${start.x} ${start.y}C${half} ${start.y} ${half} ${dot.y} ${dot.x} ${dot.y}`,
  };
};
