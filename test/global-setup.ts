// Owns what is made ready once before the tests: dist/, which the tests of bin/strata.mjs start, and PostgreSQL.
// Never stops the other tests where the build fails; npm test builds before it starts them, and stops there.

import { setUp } from '../scripts/set-up/index.mjs';
import { providePostgres } from '../scripts/set-up/postgres.mjs';
import { explain } from '../scripts/set-up/say.mjs';

/** Runs before the first test. */
export default async function globalSetup(): Promise<void> {
  try {
    await setUp();
    await providePostgres();
  } catch (error) {
    explain(error);
    process.stderr.write('Going on without it; tests that start bin/strata.mjs will fail.\n');
  }
}
