// Owns the proof that the package holds what it needs and no more, and starts: unpacked, from the Electron at hand.
// Never makes an installer.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineState, StrataBridge } from '../../electron/ipc.ts';
import {
  type Electron,
  electronAtHand,
  electronEnvironment,
} from '../../scripts/set-up/electron.mjs';
import { whyNoApp } from '../helpers/app.ts';
import { type Display, openDisplay } from '../helpers/display.ts';
import { post, removeTempFolders, tempFolder } from '../helpers/server.ts';

const why = whyNoApp() ?? (process.platform === 'linux' ? undefined : 'it is tried on Linux');
const ROOT = process.cwd();

describe.skipIf(why !== undefined)('the package', () => {
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
  });
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
    for (const needed of ['main.mjs', 'host.mjs', 'landing-worker.mjs', 'preload.cjs']) {
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

  test('starts, lands a batch and ends', async () => {
    const userData = tempFolder();
    const home = tempFolder();
    child = spawn(
      join(unpacked, 'strata'),
      [
        ...['--no-sandbox', '--home', home, '--port', '0', '--user-data-dir', userData],
        '--remote-debugging-port=0',
      ],
      {
        env: { ...electronEnvironment(electronAtHand() as Electron), DISPLAY: display.name },
        stdio: 'ignore',
      },
    );
    const exited = once(child, 'exit');
    const portFile = join(userData, 'DevToolsActivePort');
    await expect.poll(() => existsSync(portFile), { timeout: 15_000 }).toBe(true);
    const port = readFileSync(portFile, 'utf8').split('\n')[0];
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    const context = browser.contexts()[0];
    const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
    const url = await page?.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const { strata } = window as unknown as { strata: StrataBridge };
          strata.onEngineState((state: EngineState) => {
            if (state.state === 'ready') resolve(state.ingestUrl);
            if (state.state === 'failed') resolve(state.message);
          });
        }),
    );
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const landed = await post(`${url}/knowledgebase/main/strata/ingest/hello`, '{"a":1}\n');
    expect(landed.status).toBe(200);
    child.kill('SIGTERM');
    expect((await exited)[0]).toBe(0);
    await browser.close().catch(() => {});
  });
});
