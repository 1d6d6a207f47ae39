// Owns the proof that the window does its work in the real app: the journeys of the browser, and an engine that dies.
// Never asks axe: the page is the same as in the browser.

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { PAGE_URL } from '../../electron/ipc.ts';
import { startApp, whyNoApp } from '../helpers/app.ts';
import { type Display, openDisplay } from '../helpers/display.ts';
import { type AppFace, openAppFace } from '../helpers/electron-face.ts';
import { see } from '../helpers/face.ts';
import { freePort } from '../helpers/free-port.ts';
import { JOURNEYS } from '../helpers/journeys/all.ts';
import { engineBack, engineGone, keptStream } from '../helpers/journeys/engine-away.ts';
import { otherPort } from '../helpers/journeys/port-taken.ts';
import { removeTempFolders } from '../helpers/server.ts';

const why = whyNoApp();
if (why) process.stderr.write(`Journeys in the app are skipped: ${why}.\n`);

describe.skipIf(why !== undefined)('the window in Electron', () => {
  let display: Display;
  let face: AppFace;
  beforeAll(async () => {
    display = await openDisplay();
    face = await openAppFace(display.name);
  });
  afterAll(async () => {
    await face?.app.electron.close().catch(() => {});
    display?.close();
    removeTempFolders();
  });

  for (const [name, take] of JOURNEYS) test(name, () => take(face));

  test('says that its engine was killed, and goes on by itself', async () => {
    await keptStream(face);
    await engineGone(face, async () => {
      process.kill(face.enginePid, 'SIGKILL');
    });
    // Any port is asked for, so the engine that comes back has another.
    const address = face.page.locator('.listener .mono');
    await see(address).toHaveText(/^127\.0\.0\.1:\d+$/);
    await see(address).not.toHaveText(face.ingestUrl.replace('http://', ''));
    await engineBack({ ...face, ingestUrl: `http://${await address.textContent()}` });
  });

  test('names who has its port, and listens on another', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port: taken } = holder.address() as AddressInfo;
    const other = await startApp(display.name, { port: taken });
    try {
      other.page.setDefaultTimeout(15_000);
      await other.page.goto(PAGE_URL);
      await otherPort(other.page, taken, await freePort());
    } finally {
      await other.quit();
      holder.close();
    }
  });
});
