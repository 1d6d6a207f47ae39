// Owns `npm start`: makes the clone ready, then opens the window where that can be, and serves where it cannot.
// Never does anything of its own beyond that: the window is electron/, serving is `bin/strata.mjs serve`.

import { fileURLToPath } from 'node:url';
import { runScript } from './set-up/say.mjs';

const PARENT_CHECKED_EVERY_MS = 1_000;
/** What the window takes; every other word is for serving. */
const WINDOW_WORDS = /^(--(home|port)(=.*)?|[^-].*)$/;

// A signal sent to npm ends npm and its shell, but the shell does not pass it on: this process would stay behind.
const parent = process.ppid;
if (process.env.npm_lifecycle_event !== undefined) {
  const checking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(checking);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECKED_EVERY_MS);
  checking.unref();
}

const words = process.argv.slice(2);
const wantsServing = words.includes('--serve');
const serveWords = words.filter((word) => word !== '--serve');

const why = wantsServing ? undefined : (whyNoWindow() ?? (await openedWindow()));
if (wantsServing || why) await serve();

/** Why there is no window to think of here; undefined where there may be one. */
function whyNoWindow() {
  const other = words.find((word) => !WINDOW_WORDS.test(word));
  if (other) return `${other} is for serving`;
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return 'there is no display';
  return undefined;
}

/** Runs the window to its end and ends with it; answers why where there is no Electron to do so. */
async function openedWindow() {
  const { setUp } = await import('./set-up/index.mjs');
  await runScript(setUp);
  const { provideElectron } = await import('./set-up/electron.mjs');
  const { electron, reason } = await provideElectron();
  if (!electron) return reason.replace(/\.$/, '');
  const { runWindow } = await import('./window.mjs');
  process.exit(await runWindow(electron, words));
}

async function serve() {
  if (why) process.stderr.write(`Serving without a window: ${why}.\n`);
  const door = new URL('../bin/strata.mjs', import.meta.url);
  process.argv = [process.execPath, fileURLToPath(door), 'serve', '--welcome', ...serveWords];
  await import(door.href);
}
