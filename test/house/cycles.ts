// Owns finding files that import each other in a ring, by type imports too.
// Never reads the tree.

import type { Finding, SourceFile } from './sources.ts';

/** One finding for each ring among the files under `folder`, told as the way around it. */
export function findCycles(sources: readonly SourceFile[], folder: string): Finding[] {
  const edges = new Map(
    sources
      .filter(({ path }) => path.startsWith(folder))
      .map(({ path, imports }) => [path, new Set(imports.flatMap(({ file }) => file ?? []))]),
  );
  const findings: Finding[] = [];
  const done = new Set<string>();
  const way: string[] = [];

  const visit = (path: string): void => {
    const since = way.indexOf(path);
    if (since >= 0) {
      const ring = [...way.slice(since), path];
      findings.push({ path, says: `imports itself by way of ${ring.join(' -> ')}` });
    }
    if (since >= 0 || done.has(path)) return;
    way.push(path);
    for (const next of edges.get(path) ?? []) if (edges.has(next)) visit(next);
    way.pop();
    done.add(path);
  };
  for (const path of edges.keys()) visit(path);
  return findings;
}
