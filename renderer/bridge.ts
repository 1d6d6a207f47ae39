// Owns the shape of what the preload script offers this page; absent in a browser.
// Never calls it by itself.

import type { EngineState } from './api.ts';

/** What Electron's preload exposes as `window.strata`. */
export interface Bridge {
  readonly platform: string;
  /** Hears of every port to the engine, the present one first. */
  onPort(hear: (port: MessagePort) => void): void;
  onEngineState(hear: (state: EngineState) => void): void;
  /** Commands of the menu: `go:query`, `palette` ... */
  onCommand(hear: (command: string) => void): () => void;
  restartEngine(change: { readonly port?: number }): Promise<void>;
  saveDialog(suggested: string): Promise<string | null>;
  openFolderDialog(): Promise<string | null>;
  reveal(path: string): Promise<void>;
  setTheme(theme: 'light' | 'dark' | 'auto'): Promise<void>;
  readonly windowControls: {
    minimize(): void;
    toggleMaximize(): void;
    close(): void;
  };
}

/** The bridge; undefined in a browser. */
export const bridge = (window as unknown as { strata?: Bridge }).strata;
