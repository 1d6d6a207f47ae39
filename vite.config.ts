// Owns how the sources become dist/: the entries for Node and Electron, the preload script, and the window's page.
// Never bundles a package with a binary of its own, and leaves out the page where there is none.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const ENTRIES = {
  cli: here('core/cli/main.ts'),
  core: here('core/index.ts'),
  'landing-worker': here('core/landing/worker.ts'),
  'desk-worker': here('core/rejects/desk/worker.ts'),
  'lake-process': here('core/lake/apart/process.ts'),
  // Beside core's own, since they share its parts; core finds its threads from where its code is.
  host: here('electron/host.ts'),
  main: here('electron/boot.ts'),
};
const BENCH = { bench: here('test/bench/run.ts') };
const WITH_BINARIES = ['@duckdb/node-api', 'better-sqlite3', '@bokuweb/zstd-wasm'];
/** What Electron provides. */
const FROM_ELECTRON = ['electron'];
const PAGE = here('renderer/index.html');

/** Adds the parts of the app that are not for Node: each has rules of its own, all are made in one run. */
const app = (): Plugin => ({
  name: 'strata-app',
  config: ({ build, mode }) => {
    const outDir = build?.outDir ?? here('dist');
    return {
      environments: {
        preload: {
          consumer: 'server',
          resolve: { noExternal: true, external: FROM_ELECTRON },
          build: {
            // Electron runs a preload script in a sandbox, which takes one CommonJS file.
            ...{ target: 'chrome130', minify: false, sourcemap: false },
            ...{ ssr: true, copyPublicDir: false },
            rolldownOptions: {
              input: { preload: here('electron/preload.ts') },
              output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
            },
          },
        },
        client: {
          build: {
            outDir: join(outDir, 'renderer'),
            ...{ ssr: false, target: 'chrome130', minify: true, sourcemap: mode === 'development' },
            // No inline module script: the page's policy forbids one.
            modulePreload: { polyfill: false },
            assetsInlineLimit: 0,
            chunkSizeWarningLimit: 4_096,
            rolldownOptions: { input: PAGE },
          },
        },
      },
    };
  },
});

export default defineConfig(({ mode }) => ({
  // The page's folder is vite's root, so that its own paths hold; everything else is named in full.
  root: here('renderer'),
  base: './',
  build: { outDir: here('dist'), emptyOutDir: false },
  plugins: [react(), app()],
  environments: {
    ssr: {
      resolve: { noExternal: true, external: [...WITH_BINARIES, ...FROM_ELECTRON] },
      build: {
        ssr: true,
        target: 'node20',
        minify: false,
        sourcemap: true,
        copyPublicDir: false,
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
    },
  },
  builder: {
    async buildApp(builder) {
      const { ssr, preload, client } = builder.environments;
      // Set-up keeps a page whose sources have not changed.
      const hasPage = existsSync(PAGE) && process.env.STRATA_PAGE !== 'kept';
      const parts = mode === 'bench' ? [ssr] : [ssr, preload, hasPage ? client : undefined];
      await Promise.all(parts.map((part) => part && builder.build(part)));
    },
  },
}));
