// Owns the proof that the app starts, keeps its page locked in, outlives its engine, and ends without losing an answer.
// Never tests what the page shows.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StrataBridge } from '../../electron/ipc.ts';
import { type Electron, electronAtHand } from '../../scripts/set-up/electron.mjs';
import { type App, appEnvironment, appWords, startApp, whyNoApp } from '../helpers/app.ts';
import { type Display, openDisplay } from '../helpers/display.ts';
import { NDJSON, openSocket, startUpload } from '../helpers/raw-http.ts';
import { post, removeTempFolders } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

const why = whyNoApp();
if (why) process.stderr.write(`Tests of the app are skipped: ${why}.\n`);

/** How long things may take on a machine that is busy with other tests. */
const PATIENT = { timeout: 15_000 };

type Here = Window & { strata: StrataBridge; heard: string[] };

describe.skipIf(why !== undefined)('the app', { timeout: 60_000 }, () => {
  let display: Display;
  let app: App;
  let ingestUrl: string;
  beforeAll(async () => {
    display = await openDisplay();
    app = await startApp(display.name);
  });
  afterAll(async () => {
    await app?.electron.close().catch(() => {});
    display?.close();
    removeTempFolders();
  });

  /** Ends the engine, and waits for the port of the next one: until then calls go to the one that is gone. */
  const nextEngine = async (end: () => void): Promise<void> => {
    const ports = await app.ports();
    end();
    await expect.poll(() => app.ports(), PATIENT).toBe(ports + 1);
  };

  const ready = (from: App) =>
    expect.poll(async () => (await from.states()).at(-1)?.state, PATIENT).toBe('ready');

  test('shows a window with our own page', async () => {
    process.stderr.write(`First window on the screen after ${Math.round(app.shownAfterMs)} ms.\n`);
    expect(app.page.url()).toMatch(/^app:\/\/strata\//);
    await ready(app);
  });

  test('carries the contract over a port between page and engine', async () => {
    const status = await app.client.engine.status();
    expect(status.home).toBe(app.home);
    expect(await app.client.knowledgebases.list()).toMatchObject([{ id: 'main' }]);
    const url = `${status.ingestUrl}/knowledgebase/main/strata/ingest/hello`;
    expect((await post(url, '{"a":1.10}\n')).status).toBe(200);
    const page = await app.client.query.run({
      ...{ knowledgebase: 'main', sql: 'SELECT a FROM raw_extracted.stream_hello' },
    });
    expect(page.rows).toEqual([['1.10']]);
  });

  test('gives the page no Node, no way elsewhere, no other window and no network', async () => {
    const found = await app.page.evaluate(async () => {
      const names = ['require', 'process', 'module', 'Buffer', 'global'];
      const reach = (url: string) =>
        fetch(url).then(
          () => 'reached',
          () => 'refused',
        );
      return {
        node: names.filter((name) => name in window),
        opened: window.open('https://example.invalid/') !== null,
        network: await reach('http://127.0.0.1:9/'),
        outside: await fetch('app://strata/..%2f..%2fpackage.json').then(({ status }) => status),
        camera: await navigator.permissions
          .query({ name: 'camera' as PermissionName })
          .then(({ state }) => state),
      };
    });
    expect(found).toEqual({
      ...{ node: [], opened: false, network: 'refused', outside: 404, camera: 'denied' },
    });
    await app.electron.evaluate(({ BrowserWindow }) => {
      const kept = globalThis as unknown as { asked: Promise<object> };
      kept.asked = new Promise((resolve) => {
        const page = BrowserWindow.getAllWindows()[0]?.webContents;
        page?.once('will-frame-navigate', ({ url, defaultPrevented }) =>
          resolve({ url, defaultPrevented }),
        );
      });
    });
    await app.page.evaluate(() => {
      location.href = 'https://example.invalid/';
    });
    const asked = await app.electron.evaluate(
      () => (globalThis as unknown as { asked: Promise<object> }).asked,
    );
    expect(asked).toEqual({ url: 'https://example.invalid/', defaultPrevented: true });
    expect(app.page.url()).toBe('app://strata/probe');
    expect(app.electron.windows()).toHaveLength(1);
  });

  test('refuses what a page may not ask of it', async () => {
    const refusals = await app.page.evaluate(async () => {
      const { strata } = window as unknown as Here;
      const says = (asked: Promise<unknown>) =>
        asked.then(
          () => '',
          (error) => String(error),
        );
      return Promise.all([
        says(strata.openExternal('file:///etc/passwd')),
        says(strata.reveal('relative')),
        says(strata.reveal('/etc')),
        says(strata.revealIn({ knowledgebase: 'main', stream: 'hello', file: '../../../../..' })),
        says(strata.revealIn({ knowledgebase: 'none' })),
        says(strata.restartEngine({ port: 70_000 })),
        says(strata.setTheme('pink' as 'dark')),
      ]);
    });
    for (const said of refusals) expect(said).toMatch(/Only https|not there|does not take/);
  });

  test('shows in the file manager what is of a knowledgebase, and the home', async () => {
    await app.electron.evaluate(({ shell }) => {
      const kept = globalThis as unknown as { shown: string[] };
      kept.shown = [];
      shell.showItemInFolder = (path) => kept.shown.push(path);
    });
    const [batch] = await app.client.streams.batches({ knowledgebase: 'main', stream: 'hello' });
    await app.page.evaluate(
      async ({ file, home }) => {
        const { strata } = window as unknown as Here;
        await strata.revealIn({ knowledgebase: 'main' });
        await strata.revealIn({ knowledgebase: 'main', stream: 'hello' });
        await strata.revealIn({ knowledgebase: 'main', stream: 'hello', file });
        await strata.reveal(home);
      },
      { file: batch?.file as string, home: app.home },
    );
    const shown = await app.electron.evaluate(
      () => (globalThis as unknown as { shown: string[] }).shown,
    );
    const root = join(realpathSync(app.home), 'main');
    const data = join(root, 'strata', 'streams', 'hello', 'data');
    expect(shown).toEqual([root, data, join(data, batch?.file as string), app.home]);
  });

  test('keeps the chosen theme', async () => {
    const theme = await app.page.evaluate(async () => {
      const { strata } = window as unknown as Here;
      await strata.setTheme('dark');
      return strata.getTheme();
    });
    expect(theme).toBe('dark');
    // Playwright gives the page a scheme of its own, so the shell is asked.
    expect(await app.electron.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(
      true,
    );
  });

  test('an entry of the menu reaches the page as a command', async () => {
    await app.page.evaluate(() => {
      const page = window as unknown as Here;
      page.heard = [];
      page.strata.onCommand((command) => page.heard.push(command));
    });
    await app.electron.evaluate(({ Menu }) => {
      const go = Menu.getApplicationMenu()?.items.find(({ label }) => label === 'Go');
      go?.submenu?.items.find(({ label }) => label === 'Query')?.click();
    });
    await expect
      .poll(() => app.page.evaluate(() => (window as unknown as Here).heard), PATIENT)
      .toEqual(['go:query']);
  });

  test('a second start brings the first window to the front and ends', async () => {
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    const { program } = electronAtHand() as Electron;
    const second = spawn(program, appWords(app.home, app.userData, 0), {
      env: appEnvironment(electronAtHand() as Electron, display.name),
      stdio: 'ignore',
    });
    const [code] = await once(second, 'exit');
    expect(code).toBe(0);
    await expect
      .poll(
        () =>
          app.electron.evaluate(({ BrowserWindow }) =>
            BrowserWindow.getAllWindows().map((window) => window.isVisible()),
          ),
        PATIENT,
      )
      .toEqual([true]);
  });

  test('an engine that is killed is started again, and the page gets a new port', async () => {
    const before = await app.client.engine.status();
    await nextEngine(() => process.kill(before.pid, 'SIGKILL'));
    const states = (await app.states()).map(({ state }) => state);
    expect(states.slice(-3)).toEqual(['stopped', 'starting', 'ready']);
    const after = await app.client.engine.status();
    expect(after.pid).not.toBe(before.pid);
    ingestUrl = after.ingestUrl ?? '';
    const page = await app.client.query.run({
      ...{ knowledgebase: 'main', sql: 'SELECT a FROM raw_extracted.stream_hello' },
    });
    expect(page.rows).toEqual([['1.10']]);
  });

  test('queries run in a process of their own: one that dies takes nothing else along', async () => {
    const reading = () =>
      app.electron.evaluate(({ app: shell }) =>
        shell
          .getAppMetrics()
          .filter((one) => one.serviceName === 'Strata reading' || one.name === 'Strata reading')
          .map(({ pid }) => pid),
      );
    const input = { knowledgebase: 'main', sql: 'SELECT a FROM raw_extracted.stream_hello' };
    expect((await app.client.query.run(input)).rows).toEqual([['1.10']]);
    const engine = (await app.client.engine.status()).pid;
    // That of an engine before may be on its way out.
    await expect.poll(async () => (await reading()).length, PATIENT).toBe(1);
    const before = await reading();
    process.kill(before[0] as number, 'SIGKILL');
    await expect.poll(reading, PATIENT).toEqual([]);
    expect((await app.client.query.run(input)).rows).toEqual([['1.10']]);
    expect(await reading()).not.toEqual(before);
    expect((await app.client.engine.status()).pid).toBe(engine);
    await nextEngine(() => process.kill(engine, 'SIGKILL'));
    await expect.poll(reading, PATIENT).toEqual([]);
    expect((await app.client.query.run(input)).rows).toEqual([['1.10']]);
    ingestUrl = (await app.client.engine.status()).ingestUrl ?? '';
  });

  test('a page that crashes is loaded again', async () => {
    const processOf = () =>
      app.electron.evaluate(({ BrowserWindow }) => {
        const page = BrowserWindow.getAllWindows()[0]?.webContents;
        return page && !page.isCrashed() && !page.isLoading() ? page.getOSProcessId() : 0;
      });
    const before = await processOf();
    await app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
    await expect.poll(processOf, PATIENT).not.toBeOneOf([0, before]);
  });

  test('quitting answers a batch that is under way, and exits 0', async () => {
    const half = startUpload(`${ingestUrl}/knowledgebase/main/strata/ingest/late`, {
      headers: { ...NDJSON, expect: '100-continue' },
    });
    half.request.flushHeaders();
    expect(await half.first).toBe(100);
    half.request.write('{"a":1}\n');
    const quit = app.quit();
    await until('no new connection is taken', async () => {
      const late = await openSocket(ingestUrl).catch(() => undefined);
      late?.destroy();
      return late === undefined;
    });
    half.request.end('{"a":2}\n');
    expect(await half.answer).toMatchObject({ status: 200, document: { rows: 2 } });
    expect(await quit).toBe(0);
  });

  test('a port that is taken is said, with its holder, and another can be chosen', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const other = await startApp(display.name, { port });
    try {
      await expect.poll(async () => (await other.states()).at(-1)?.state, PATIENT).toBe('failed');
      const failed = (await other.states()).at(-1);
      expect(failed).toMatchObject({ code: 'port_taken' });
      if (process.platform === 'linux') {
        expect(failed).toMatchObject({
          message: expect.stringContaining(`(process ${process.pid})`),
        });
      }
      await other.page.evaluate(() =>
        (window as unknown as Here).strata.restartEngine({ port: 0 }),
      );
      await ready(other);
      expect((await other.client.engine.status()).ingestUrl).not.toContain(`:${port}`);
    } finally {
      expect(await other.quit()).toBe(0);
      holder.close();
    }
  });
});
