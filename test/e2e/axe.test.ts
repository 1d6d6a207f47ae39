// Owns the proof that axe finds nothing on any screen, in light and in dark.
// Never clicks through a journey: it goes to each screen by its address.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { knowledgebasePaths } from '../../core/knowledgebase/paths.ts';
import { violations } from '../helpers/axe.ts';
import { openBrowser, openFace, whyNoBrowser } from '../helpers/browser.ts';
import { cellAt, type Face, goTo, rowsOf, see, writeSql } from '../helpers/face.ts';
import { freePort } from '../helpers/free-port.ts';
import { landPrices } from '../helpers/journeys/querying.ts';
import { post, removeTempFolders, type Server, startServer } from '../helpers/server.ts';

const why = whyNoBrowser();
if (why) process.stderr.write(`axe is not asked: ${why}.\n`);

describe.skipIf(why !== undefined)('axe finds nothing on', () => {
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
    // What moves would be asked about on its way.
    face = await openFace(browser, server, { reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    removeTempFolders();
  });

  const clean = async (): Promise<void> => {
    expect(await violations(face.page)).toEqual([]);
  };
  const press = (key: string): Promise<void> => face.page.keyboard.press(key);

  test('the first run', async () => {
    await see(face.page.getByText('Waiting for the first batch of hello')).toBeVisible();
    await clean();
  });

  test('the first run with its first batch', async () => {
    await landPrices(face);
    const bad = await post(server.stream('main', 'prices'), '{"item":"pear"}\n{broken\n');
    expect(bad.status).toBe(400);
    await see(face.page.getByText('The first batch of prices has landed')).toBeVisible();
    await clean();
    await face.page.getByRole('button', { name: 'All streams' }).click();
  });

  test('the streams with a panel', async () => {
    await face.page.getByRole('gridcell', { name: 'prices' }).click();
    await see(face.page.getByRole('complementary').first()).toBeVisible();
    await clean();
    await face.page.getByRole('button', { name: 'Knowledgebase main' }).click();
    await see(face.page.getByRole('menuitem').first()).toBeVisible();
    await clean();
    await press('Escape');
  });

  test('the dialog of a new stream', async () => {
    await press('n');
    await see(face.page.getByRole('dialog', { name: 'New stream' })).toBeVisible();
    await clean();
    await press('Escape');
    await see(face.page.getByRole('dialog')).toHaveCount(0);
  });

  test('the token of a new stream', async () => {
    await press('n');
    const dialog = face.page.getByRole('dialog', { name: 'New stream' });
    await dialog.getByRole('textbox', { name: 'Id' }).fill('guarded');
    await dialog.getByRole('switch', { name: /Make a token/ }).press('Space');
    await press('ControlOrMeta+Enter');
    const secret = dialog.locator('code');
    await see(secret).toHaveText(/^strata_/);
    await see(dialog).toContainText('Copied.');
    expect(await face.clipboard()).toBe(await secret.textContent());
    await clean();
    await dialog.getByRole('button', { name: 'Open guarded' }).click();
    await see(face.page.getByRole('heading', { level: 1 })).toContainText('guarded');
    await clean();
  });

  test('the rows of a stream, a cell and a menu', async () => {
    await goTo(face, 'streams/prices/rows');
    const grid = rowsOf(face, 'prices');
    await cellAt(grid, 0, 1).click();
    await see(face.page.getByText('Where it came from')).toBeVisible();
    await clean();
    await face.page.getByText('Bytes', { exact: true }).click();
    await see(face.page.getByText('bytes of UTF-8')).toBeVisible();
    await clean();
    await face.page.getByText('Text', { exact: true }).click();
    await grid.getByRole('columnheader', { name: 'price' }).getByRole('button').click();
    await see(face.page.getByRole('menuitem').first()).toBeVisible();
    await clean();
    await press('Escape');
  });

  for (const tab of ['batches', 'schema', 'files', 'settings']) {
    test(`a stream's ${tab}`, async () => {
      await goTo(face, `streams/prices/${tab}`);
      const shown = face.page.locator('#tab-content');
      await see(shown).toHaveAttribute('aria-labelledby', `tab-${tab}`);
      await see(shown).not.toBeEmpty();
      await see(face.page.locator('.loading')).toHaveCount(0);
      await clean();
    });
  }

  test('a query with its answer, plot and Export menu', async () => {
    await goTo(face, 'query');
    await clean();
    await writeSql(face, 'SELECT item, price FROM raw_extracted.stream_prices');
    await press('ControlOrMeta+Enter');
    await see(face.page.getByRole('grid', { name: 'Answer' })).toBeVisible();
    await clean();
    await face.page.getByRole('button', { name: 'Save' }).click();
    await see(face.page.getByRole('textbox', { name: 'Name' })).toBeVisible();
    await clean();
    await press('Escape');
    await face.page.getByRole('button', { name: 'Plot' }).click();
    await see(face.page.getByRole('complementary', { name: 'Plot' })).toBeVisible();
    await clean();
    await face.page.getByRole('button', { name: 'Export' }).click();
    await see(face.page.getByRole('menuitem', { name: 'CSV' })).toBeVisible();
    await clean();
    await press('Escape');
  });

  test('a query that failed', async () => {
    await writeSql(face, 'SELECT nothing FROM raw_extracted.stream_prices');
    await press('ControlOrMeta+Enter');
    await see(face.page.locator('.results-failed')).toBeVisible();
    await clean();
  });

  for (const tab of ['Jobs', 'Events', 'Proof', 'Log']) {
    test(`the activity's ${tab.toLowerCase()}`, async () => {
      await goTo(face, 'activity');
      await face.page.getByRole('tab', { name: tab }).click();
      if (tab === 'Proof') {
        await face.page.getByRole('button', { name: 'Verify' }).first().click();
        await see(face.page.getByRole('button', { name: 'Verify' }).first()).toBeEnabled();
      }
      await see(face.page.locator('.loading')).toHaveCount(0);
      await clean();
    });
  }

  test('the settings, with a folder that cannot be opened', async () => {
    await goTo(face, 'settings');
    await see(face.page.getByRole('heading', { name: 'About' })).toBeVisible();
    await face.openFolder('Open a folder', '/');
    await see(face.page.getByText('There is no /knowledgebase.json')).toBeVisible();
    await clean();
  });

  test('the palette', async () => {
    await press('ControlOrMeta+k');
    await face.page.keyboard.type('pri');
    await see(face.page.getByText('Query prices')).toBeVisible();
    await clean();
    await press('Escape');
    await see(face.page.getByRole('dialog')).toHaveCount(0);
  });

  test('the list of shortcuts', async () => {
    await goTo(face, 'activity');
    await press('?');
    await see(face.page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
    await clean();
  });

  test('a stream that needs a person, until they have seen it', async () => {
    await press('Escape');
    const { home } = server;
    await server.stop();
    const data = knowledgebasePaths(join(home, 'main')).stream('prices').data;
    writeFileSync(join(data, 'broken.parquet'), 'not Parquet');
    server = await startServer({ home, words: ports });
    await goTo(face, 'streams');
    const row = face.page.getByRole('row').filter({ hasText: 'prices' });
    await see(row).toContainText('1 broken file set aside');
    await see(row.getByRole('img', { name: 'Error' })).toBeVisible();
    await clean();
    await goTo(face, 'streams/prices/rows');
    const strip = face.page.locator('.strip');
    await see(strip).toContainText('1 broken file set aside. What is not whole Parquet was moved');
    await clean();
    await strip.getByRole('button', { name: 'Acknowledge' }).click();
    await see(strip).toHaveCount(0);
    await see(face.page.getByText('Acknowledged; the events keep it')).toBeVisible();
    await goTo(face, 'streams');
    await see(row).not.toContainText('broken');
  });

  test('the streams while the engine is away', async () => {
    await goTo(face, 'streams');
    await server.kill();
    await see(face.page.getByRole('alert')).toBeVisible();
    await clean();
  });
});
