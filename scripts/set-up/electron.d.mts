// Owns the types of electron.mjs for the tests.

/** An Electron; `folder` holds the whole of it, `isPinned` is false for the stand-in of development. */
export interface Electron {
  readonly program: string;
  readonly folder: string;
  readonly version: string;
  readonly isPinned: boolean;
}

/** The Electron that is there, without fetching any. */
export function electronAtHand(): Electron | undefined;

/** What Electron's process has to find in its environment. */
export function electronEnvironment(electron: Electron): Record<string, string>;
