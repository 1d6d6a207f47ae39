// Owns the proof that the package holds what it needs and no more, and starts: unpacked, from the Electron at hand.
// Never makes an installer.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Electron,
  electronAtHand,
  electronEnvironment,
} from '../../scripts/set-up/electron.mjs';
import { whyNoApp } from '../helpers/app.ts';
import { type Display, openDisplay } from '../helpers/display.ts';
import { freePort } from '../helpers/free-port.ts';
import { post, removeTempFolders, tempFolder } from '../helpers/server.ts';

const why = whyNoApp() ?? (process.platform === 'linux' ? undefined : 'it is tried on Linux');
const ROOT = process.cwd();
/** How long a start may take on a machine that is busy with other tests. */
const PATIENT = { timeout: 30_000 };

describe.skipIf(why !== undefined)('the package', { timeout: 60_000 }, () => {
  let display: Display;
  let unpacked: string;
  let child: ChildProcess | undefined;
  beforeAll(async () => {
    display = await openDisplay();
    const output = tempFolder();
    const script = join(ROOT, 'scripts', 'package.mjs');
    execFileSync(process.execPath, [script, '--dir', `-c.directories.output=${output}`], {
      stdio: 'pipe',
    });
    unpacked = join(output, 'linux-unpacked');
  }, 180_000);
  afterAll(() => {
    child?.kill('SIGKILL');
    display?.close();
    removeTempFolders();
  });

  test('holds the app and what it loads, without sources, maps, tests or leftovers', () => {
    const asar = join(ROOT, 'node_modules', '@electron', 'asar', 'bin', 'asar.js');
    const listed = execFileSync(process.execPath, [
      ...[asar, 'list', join(unpacked, 'resources', 'app.asar')],
    ]);
    const paths = String(listed).split('\n');
    const threads = ['landing-worker.mjs', 'desk-worker.mjs'];
    const entries = ['main.mjs', 'host.mjs', 'lake-process.mjs', ...threads, 'preload.cjs'];
    for (const needed of entries) {
      expect(paths).toContain(`/dist/${needed}`);
    }
    expect(paths).toContain('/dist/renderer/index.html');
    const odd = paths.filter((path) =>
      /\.(ts|tsx|mts|map|gyp|c|cpp|h)$|\/(test|core|electron|renderer\/screens|scripts)\//.test(
        path,
      ),
    );
    expect(odd).toEqual([]);
    const natives = paths.filter((path) => path.endsWith('.node'));
    expect(natives).toHaveLength(2);
    expect(existsSync(join(unpacked, 'resources', 'default_app.asar'))).toBe(false);
  });

  test('starts, shows its page, lands a batch and ends', async () => {
    const userData = tempFolder();
    const port = await freePort();
    child = spawn(
      join(unpacked, 'strata'),
      [
        ...['--no-sandbox', '--home', tempFolder(), '--port', String(port)],
        ...['--user-data-dir', userData, '--remote-debugging-port=0'],
      ],
      {
        env: { ...electronEnvironment(electronAtHand() as Electron), DISPLAY: display.name },
        stdio: 'ignore',
      },
    );
    const exited = once(child, 'exit');
    await expect.poll(() => pagesOf(userData), PATIENT).toEqual(['app://strata/index.html']);
    const url = `http://127.0.0.1:${port}/knowledgebase/main/strata/ingest/hello`;
    const land = () => post(url, '{"a":1}\n').then(({ status }) => status, String);
    await expect.poll(land, PATIENT).toBe(200);
    child.kill('SIGTERM');
    expect((await exited)[0]).toBe(0);
  });
});

/** The addresses of the pages that the app shows, as its debugging port tells; none while it starts. */
const pagesOf = async (userData: string): Promise<string[]> => {
  try {
    const [port] = readFileSync(join(userData, 'DevToolsActivePort'), 'utf8').split('\n');
    const listed = await fetch(`http://127.0.0.1:${port}/json/list`);
    const targets = (await listed.json()) as { readonly type: string; readonly url: string }[];
    return targets.filter(({ type }) => type === 'page').map(({ url }) => url.replace(/#.*/, ''));
  } catch {
    return [];
  }
};
