// Owns running one of our own modules in processes of their own: bundled once, started as often as a test likes.
// Never runs the whole of Strata; server.ts does.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { tempFolder } from './server.ts';
import { until } from './until.ts';

/** A module that runs. */
export interface RunningModule {
  readonly child: ChildProcess;
  /** Resolves when it has written this line. */
  said(line: string): Promise<void>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

/** Bundles a TypeScript file and returns the module to run. */
export const bundled = async (entry: URL): Promise<string> => {
  const outDir = tempFolder();
  // Packages with binaries are not bundled; they are found from here.
  symlinkSync(join(process.cwd(), 'node_modules'), join(outDir, 'node_modules'), 'junction');
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { target: 'node', noExternal: true, external: ['@duckdb/node-api', 'better-sqlite3'] },
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      outDir,
      emptyOutDir: false,
      rolldownOptions: {
        input: { module: fileURLToPath(entry) },
        output: { format: 'es', entryFileNames: 'module.mjs' },
      },
    },
  });
  return join(outDir, 'module.mjs');
};

/** Starts a bundled module. */
export const runModule = (module: string, words: readonly string[]): RunningModule => {
  const child = spawn(process.execPath, [module, ...words], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr }));
  return {
    child,
    ended,
    said: async (line) => {
      await until(`a module says ${line}`, () => stdout.split('\n').includes(line), 30_000);
    },
  };
};
