// Owns the list of what this project needs from the system, and installs it where the system is Debian and we are root.
// Never asks for a password, and never installs what is there already.

import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, tail } from './run.mjs';
import { SetUpError, step } from './say.mjs';

/** Where Debian keeps the libraries of this machine's kind. */
const LIBRARIES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;

/**
 * What is needed, for what, and how to tell that it is there: one program of each row of `programs` on the PATH.
 * A need that programs cannot show (a library) gives `files` instead.
 */
const NEEDS = {
  compiler: {
    packages: ['g++', 'make', 'python3'],
    programs: [
      ['c++', 'g++', 'clang++'],
      ['make', 'gmake'],
      ['python3', 'python'],
    ],
    files: [],
  },
  /** For tests of the window and of the page: a display, what Electron loads, a browser. */
  window: {
    packages: [
      ...['xvfb', 'xauth', 'libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1', 'libxtst6'],
      ...['libatk-bridge2.0-0', 'libcups2', 'fonts-dejavu-core', 'chromium'],
    ],
    programs: [['Xvfb'], ['xauth'], ['chromium', 'chromium-browser', 'google-chrome']],
    files: [
      ...['libgtk-3.so.0', 'libnss3.so', 'libasound.so.2', 'libgbm.so.1', 'libXss.so.1'],
      ...['libXtst.so.6', 'libatk-bridge-2.0.so.0', 'libcups.so.2'],
    ].map((name) => join(LIBRARIES, name)),
  },
};

/** The packages of a need, as Debian names them. */
function packagesOf(need) {
  return NEEDS[need].packages;
}

/** Whether the system has all of a need. */
function isThere(need) {
  const { programs, files } = NEEDS[need];
  return programs.every((anyOf) => anyOf.some(isOnPath)) && files.every((file) => existsSync(file));
}

/**
 * Installs a need where it is missing and that can be done without asking: as root, with apt-get.
 * @param {keyof typeof NEEDS} need
 * @returns {Promise<boolean>} whether it is there now
 */
export async function provide(need) {
  if (isThere(need)) return true;
  if (!canInstall()) return false;
  const packages = packagesOf(need);
  await step(`Installing ${packages.join(', ')}`, async () => {
    const update = await aptGet(['update']);
    const install = await aptGet(['install', '-y', '--no-install-recommends', ...packages]);
    if (install.code === 0) return;
    throw new SetUpError(`apt-get could not install ${packages.join(' ')}.`, {
      output: tail(update.code === 0 ? install.output : update.output + install.output),
      advice: `Install them by hand, then run this again: ${byHand(need)}`,
    });
  });
  return isThere(need);
}

/** The command that installs a need on Debian and its kin. */
export function byHand(need) {
  return `apt-get install -y ${packagesOf(need).join(' ')}`;
}

function canInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && isOnPath('apt-get');
}

function aptGet(args) {
  return run('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
