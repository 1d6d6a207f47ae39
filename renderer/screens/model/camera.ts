// Owns how the graph is looked at: scale and shift, fitting, zooming about a point, bringing a node into view. Pure.

import type { LaidNode, Point } from './layout.ts';

/** Screen px = graph px × scale + shift. */
export interface Camera {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const LEAST = 0.15;
const MOST = 2;
const MARGIN = 28;
/** The zoom buttons stand at the top. */
const TOP = 46;
/** One press of a zoom key. */
export const ZOOM_STEP = 1.25;
/** Below this attributes cannot be read: names alone are drawn, larger. */
export const NAMES_ALONE = 0.55;

const within = (scale: number): number => Math.min(MOST, Math.max(LEAST, scale));

/** All of the graph in view, never larger than life; in the middle, unless it is small: then from the top left. */
export const fitted = (graph: Size, view: Size): Camera => {
  const room = { width: view.width - 2 * MARGIN, height: view.height - TOP - MARGIN };
  const scale = within(Math.min(1, room.width / graph.width, room.height / graph.height));
  return {
    scale,
    x: Math.round(Math.max(MARGIN, (view.width - graph.width * scale) / 2)),
    y: Math.round(Math.max(TOP, (view.height - graph.height * scale) / 3)),
  };
};

/** Zooms so that what is under a point of the screen stays there. */
export const zoomed = (camera: Camera, factor: number, about: Point): Camera => {
  const scale = within(camera.scale * factor);
  const by = scale / camera.scale;
  return {
    scale,
    x: about.x - (about.x - camera.x) * by,
    y: about.y - (about.y - camera.y) * by,
  };
};

/** Moves what is seen by px of the screen. */
export const panned = (camera: Camera, by: Point): Camera => ({
  ...camera,
  x: camera.x + by.x,
  y: camera.y + by.y,
});

/** Moves as little as brings a node into view; the same camera where it is in view. */
export const revealing = (camera: Camera, node: Size & Point, view: Size): Camera => {
  const [left, top] = [node.x * camera.scale + camera.x, node.y * camera.scale + camera.y];
  const right = left + node.width * camera.scale;
  const bottom = top + node.height * camera.scale;
  const x = axis(left, right, view.width);
  const y = axis(top, bottom, view.height);
  return x === 0 && y === 0 ? camera : panned(camera, { x, y });
};

const axis = (from: number, to: number, room: number): number =>
  from < MARGIN
    ? MARGIN - from
    : to > room - MARGIN
      ? Math.max(MARGIN - from, room - MARGIN - to)
      : 0;

/** A node with its place. */
export const placed = (node: LaidNode, at: Point | undefined): LaidNode & Point => ({
  ...node,
  x: at?.x ?? 0,
  y: at?.y ?? 0,
});
