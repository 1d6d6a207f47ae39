// Owns which file an address of the page names. Never reads it, and never answers one outside the page's folder.

import { join, sep } from 'node:path';

/** The file that an address names; undefined where it is none of ours, or leads out of `root`. */
export const fileOf = (url: string, root: string): string | undefined => {
  try {
    const { host, pathname } = new URL(url);
    if (host !== 'strata') return undefined;
    const path = decodeURIComponent(pathname);
    if (path.includes('\0') || path.includes('\\')) return undefined;
    const file = join(root, path === '/' ? 'index.html' : path);
    return file.startsWith(root + sep) ? file : undefined;
  } catch {
    return undefined;
  }
};
