// Owns the proof that the window does its work in a browser, against the server that people start.
// Never reaches past the page, but to send batches and to end the server.

import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openBrowser, openFace, whyNoBrowser } from '../helpers/browser.ts';
import { type Face, see } from '../helpers/face.ts';
import { freePort } from '../helpers/free-port.ts';
import { JOURNEYS } from '../helpers/journeys/all.ts';
import { engineBack, engineGone, keptStream } from '../helpers/journeys/engine-away.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';

const why = whyNoBrowser();
if (why) process.stderr.write(`Journeys in a browser are skipped: ${why}.\n`);

describe.skipIf(why !== undefined)('the window in a browser', () => {
  let server: Server;
  let browser: Browser;
  let face: Face;
  /** Where it is, and the next one too. */
  let ports: readonly string[];
  beforeAll(async () => {
    const [port, adminPort] = [await freePort(), await freePort()].map(String);
    ports = ['--port', port as string, '--admin-port', adminPort as string];
    server = await startServer({ words: ['--welcome', ...ports] });
    browser = await openBrowser();
    face = await openFace(browser, server);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    removeTempFolders();
  });

  for (const [name, take] of JOURNEYS) test(name, () => take(face));

  /** Starts the server again where it was. */
  const again = async (...words: string[]): Promise<void> => {
    server = await startServer({ home: server.home, words: [...ports, ...words] });
  };

  test('says that the server was killed, and goes on with the next one', async () => {
    await keptStream(face);
    await engineGone(face, () => server.kill());
    await again();
    await engineBack(face);
  });

  test('says that the server has another token, and takes it from its address', async () => {
    await server.kill();
    await again('--new-admin-token');
    await see(face.page.getByRole('alert')).toContainText('The token is missing or wrong.');
    // The address is opened over the page as it stands.
    await face.page.goto(`${server.adminUrl}/#token=${server.adminToken}`);
    await see(face.page.getByRole('alert')).toHaveCount(0);
    await see(face.page.locator('.balance')).toContainText('Ledger balanced');
    see(face.page.url()).not.toContain(server.adminToken);
  });
});
