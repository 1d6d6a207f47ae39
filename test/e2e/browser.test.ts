// Owns the proof that the window does its work in a browser, against the server that people start.
// Never reaches past the page, but to send batches and to end the server.

import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openBrowser, openFace, whyNoBrowser } from '../helpers/browser.ts';
import { type Face, see } from '../helpers/face.ts';
import { engineBack, engineGone, keptStream } from '../helpers/journeys/engine-away.ts';
import { keysAlone } from '../helpers/journeys/keyboard.ts';
import { firstRow, liveCounts } from '../helpers/journeys/landing.ts';
import {
  cancelledQuery,
  completedQuery,
  exportedCsv,
  landPrices,
  markedError,
} from '../helpers/journeys/querying.ts';
import { copiedCell, filteredRows, landLarge, lastRow } from '../helpers/journeys/rows.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';

const why = whyNoBrowser();
if (why) process.stderr.write(`Journeys in a browser are skipped: ${why}.\n`);

describe.skipIf(why !== undefined)('the window in a browser', () => {
  let server: Server;
  let browser: Browser;
  let face: Face;
  beforeAll(async () => {
    server = await startServer({ words: ['--welcome'] });
    browser = await openBrowser();
    face = await openFace(browser, server);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    removeTempFolders();
  });

  test('goes from an empty knowledgebase to the first landed row', () => firstRow(face));
  test('counts while a producer runs', () => liveCounts(face));

  describe('with streams', () => {
    beforeAll(async () => {
      await landPrices(face);
      await landLarge(face);
    });
    test('completes a query and shows its rows', () => completedQuery(face));
    test('marks an error at its place', () => markedError(face));
    test('cancels a long query', () => cancelledQuery(face));
    test('exports an answer to CSV', () => exportedCsv(face));
    test('reaches the last row in both orders', () => lastRow(face));
    test('copies a cell as it is', () => copiedCell(face));
    test('filters and finds rows', () => filteredRows(face));
    test('works by keys alone', () => keysAlone(face));
  });

  test('says that the server was killed, and goes on with the next one', async () => {
    await keptStream(face);
    const { home, ingestUrl, adminUrl } = server;
    await engineGone(face, () => server.kill());
    const portOf = (url: string): string => new URL(url).port;
    const ports = ['--port', portOf(ingestUrl), '--admin-port', portOf(adminUrl)];
    server = await startServer({ home, words: ports });
    // The new server has a token of its own; its address is opened over the page as it stands.
    await see(face.page.getByRole('alert')).toContainText('The token is missing or wrong.');
    await face.page.goto(`${server.adminUrl}/#token=${server.adminToken}`);
    await engineBack(face);
    see(face.page.url()).not.toContain(server.adminToken);
  });
});
