// Owns the order of set-up: packages, then SQLite's compiled part, then the build; each only where it is not current.
// Never runs twice at once in one clone.

import { buildDist } from './build.mjs';
import { installDependencies } from './dependencies.mjs';
import { alone } from './lock.mjs';
import { buildNative } from './native.mjs';
import { isReady, markReady } from './ready.mjs';

/** Takes every step that is needed. Throws SetUpError. */
export async function takeSteps() {
  await alone(async () => {
    // Another process may have done it all while this one waited.
    if (isReady()) return;
    await installDependencies();
    await buildNative();
    markReady(await buildDist());
  });
}
