// Owns whether a path may be shown: it is there, and within the folder of its knowledgebase, links followed.
// Never shows it.

import { realpathSync } from 'node:fs';
import { sep } from 'node:path';

/** The path, where it is the folder itself or in it; undefined where it leads out of it, or is not there. */
export const pathWithin = (
  found: { readonly root: string; readonly path: string } | null,
): string | undefined => {
  if (found === null) return undefined;
  try {
    const [root, path] = [realpathSync(found.root), realpathSync(found.path)];
    const within = root.endsWith(sep) ? root : root + sep;
    return path === root || path.startsWith(within) ? path : undefined;
  } catch {
    return undefined;
  }
};
