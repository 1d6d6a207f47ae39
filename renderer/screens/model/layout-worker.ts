// Owns the worker that lays the graph out, off the thread that draws. Never keeps a graph.

import { type LayoutAsk, layOut } from './layout.ts';

self.addEventListener('message', ({ data }: MessageEvent<LayoutAsk & { readonly id: number }>) => {
  self.postMessage({ id: data.id, layout: layOut(data) });
});
