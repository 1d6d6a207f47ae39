// Owns what Electron's preload script offers this page; absent in a browser.
// Never calls it by itself.

import type { StrataBridge } from '../electron/ipc.ts';

/** The bridge; undefined in a browser. */
export const bridge = (window as unknown as { strata?: StrataBridge }).strata;
