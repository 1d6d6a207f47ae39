// Owns running the app in an Electron from this clone, with signals and the exit code passed on.
// Never fetches an Electron; set-up/electron.mjs does.

import { spawn } from 'node:child_process';
import { electronEnvironment } from './set-up/electron.mjs';
import { root } from './set-up/places.mjs';

/**
 * Runs the app until it ends.
 * @param {import('./set-up/electron.mjs').Electron} electron
 * @param {readonly string[]} words
 * @returns {Promise<number>} its exit code
 */
export function runWindow(electron, words) {
  const { program, version, isPinned } = electron;
  if (!isPinned) process.stderr.write(`Electron ${version} stands in; it is for development.\n`);
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (isRoot) process.stderr.write("As root, Chromium's sandbox is off: --no-sandbox.\n");
  let child;
  // Ctrl+C reaches the window by itself; it drains, and this process waits for it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child = spawn(program, [root, ...(isRoot ? ['--no-sandbox'] : []), ...words], {
    env: electronEnvironment(electron),
    stdio: 'inherit',
  });
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`Electron could not be started: ${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
