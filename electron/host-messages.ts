// Owns what the shell and the engine's process say to each other. Never sends any of it.

import type { LakeKind } from '../core/index.ts';
import type { RevealPlace } from './ipc.ts';

/** What the shell tells the engine's process. A port of a window comes with `attach`. */
export type ToHost =
  | {
      readonly kind: 'open';
      readonly home: string;
      readonly host: string;
      readonly port: number;
      readonly logFile: string;
    }
  | { readonly kind: 'attach' }
  /** Asks where a place is; answered by `located` of the same number. */
  | { readonly kind: 'locate'; readonly ask: number; readonly place: RevealPlace }
  /** A lake process is there; its port comes with this. */
  | { readonly kind: 'lake'; readonly ask: number }
  | { readonly kind: 'close' };

/** What the engine's process tells the shell. After `failed` and `closed` it ends. */
export type FromHost =
  | { readonly kind: 'ready'; readonly ingestUrl: string }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly hint: string;
    }
  /** The knowledgebase's folder and the place in it; null where there is none of this name. */
  | { readonly kind: 'located'; readonly ask: number; readonly found: Located | null }
  /** Asks for a lake process; answered by `lake` of the same number. */
  | { readonly kind: 'start-lake'; readonly ask: number; readonly lake: LakeKind }
  | { readonly kind: 'closed' };

/** Where a place is: absolute paths, `path` within `root` unless a name leads out of it. */
export interface Located {
  readonly root: string;
  readonly path: string;
}
