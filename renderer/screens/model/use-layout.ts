// Owns asking the worker for a layout, and keeping the one before until the next is there.

import { useEffect, useRef, useState } from 'react';
import type { GraphData } from './graph-data.ts';
import type { Layout, LayoutAsk } from './layout.ts';

/** The layout of a graph: undefined until there is one; `isBroken` where the worker cannot run. */
export const useLayout = (
  { nodes, links }: GraphData,
  aspect: number,
): { layout: Layout | undefined; isBroken: boolean } => {
  const worker = useRef<Worker>(undefined);
  const asked = useRef(0);
  const [layout, setLayout] = useState<Layout>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const made = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    worker.current = made;
    made.addEventListener('message', ({ data }: MessageEvent<{ id: number; layout: Layout }>) => {
      if (data.id === asked.current) setLayout(data.layout);
    });
    made.addEventListener('error', () => setBroken(true));
    return () => made.terminate();
  }, []);
  // Only what moves nodes asks for a layout: a decision or a count does not.
  const shape = JSON.stringify({
    nodes: nodes.map(({ id, isFact, width, height }) => ({ id, isFact, width, height })),
    links: links.map(({ from, to }) => ({ from, to })),
  });
  useEffect(() => {
    asked.current += 1;
    const ask = { ...JSON.parse(shape), aspect } as LayoutAsk;
    worker.current?.postMessage({ ...ask, id: asked.current });
  }, [shape, aspect]);
  return { layout, isBroken };
};
