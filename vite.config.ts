// Owns how core becomes dist/: three entries for Node, everything bundled but the packages with binaries of their own.
// Never builds for a browser.

import { defineConfig } from 'vite';

const ENTRIES = {
  cli: 'core/cli/main.ts',
  core: 'core/index.ts',
  'landing-worker': 'core/landing/worker.ts',
};
const BENCH = { bench: 'test/bench/run.ts' };
const WITH_BINARIES = ['@duckdb/node-api', 'better-sqlite3', '@bokuweb/zstd-wasm'];

export default defineConfig(({ mode }) => ({
  ssr: { target: 'node', noExternal: true, external: WITH_BINARIES },
  build: {
    ssr: true,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: mode === 'bench' ? { ...ENTRIES, ...BENCH } : ENTRIES,
      output: {
        format: 'es',
        entryFileNames: '[name].mjs',
        // Beside the entries, so that a path relative to import.meta.url is the same wherever its code ends up.
        chunkFileNames: 'part.[name].[hash].mjs',
      },
    },
  },
}));
