// Owns how the tests run: in two processes, against SQLite as set up and dist/ as built.
// Never says what is tested.

import { defineConfig } from 'vitest/config';
import { bindingPath } from './scripts/set-up/binding.mjs';

const binding = bindingPath();

export default defineConfig({
  test: {
    dir: 'test',
    include: ['**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    // For what hangs: a machine that is busy otherwise takes several times as long as one that is not.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    env: binding === undefined ? {} : { STRATA_SQLITE_BINDING: binding },
  },
});
