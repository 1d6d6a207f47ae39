// Owns the proof that what is typed before the window is ready for it is not lost: completion before the streams are
// known, letters before the palette has the focus, a key to run what was typed just before. Never waits for what it has not held back or asked for itself.

import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openBrowser, openFace, whyNoBrowser } from '../helpers/browser.ts';
import { type Face, goTo, see, seeRow, writeSql } from '../helpers/face.ts';
import { holdAnswers } from '../helpers/hold-answers.ts';
import { landPrices } from '../helpers/journeys/querying.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';

const why = whyNoBrowser();
if (why) process.stderr.write(`Keys that come early are skipped: ${why}.\n`);

describe.skipIf(why !== undefined)('what is typed early', () => {
  let server: Server;
  let browser: Browser;
  let face: Face;
  beforeAll(async () => {
    server = await startServer({ words: ['--welcome'] });
    browser = await openBrowser();
    face = await openFace(browser, server);
    await landPrices(face);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    removeTempFolders();
  });

  test('streams are offered when their list arrives, at the cursor that waits for them', async () => {
    const { page } = face;
    const editor = page.getByRole('textbox', { name: 'SQL' });
    const offers = page.getByRole('listbox', { name: 'Completions' });
    const { asked, release } = await holdAnswers(page, 'streams/list');
    await goTo(face, 'query');
    await page.reload();
    await asked;
    await see(editor).toBeFocused();
    // Words of the language do not wait.
    await page.keyboard.type('SELECT * FRO');
    await see(offers.getByRole('option', { name: 'FROM' })).toBeVisible();
    await page.keyboard.type('M raw_extracted.st');
    await see(editor).toHaveText('SELECT * FROM raw_extracted.st');
    await see(offers).toHaveCount(0);
    release();
    await see(offers.getByRole('option')).toHaveText(['stream_prices4 rows']);
    await page.keyboard.type('re');
    await see(offers.getByRole('option')).toHaveText(['stream_prices4 rows']);
    await offers.getByRole('option').click();
    await see(editor).toHaveText('SELECT * FROM raw_extracted."stream_prices"');
    await page.unrouteAll();
  });

  test("letters that come with the shortcut are the palette's, and the focus goes back to where it was", async () => {
    const { page } = face;
    const editor = page.getByRole('textbox', { name: 'SQL' });
    const palette = page.getByRole('textbox', { name: 'Search or run a command' });
    await goTo(face, 'query');
    await see(editor).toBeFocused();
    await writeSql(face, 'SELECT 1');
    // The shortcut and the letters in one task: nothing that waits for a frame or a timer runs between them.
    await page.evaluate(() => {
      const options = { key: 'k', ctrlKey: true, bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', options));
      document.execCommand('insertText', false, 'activ');
    });
    await see(palette).toHaveValue('activ');
    await see(editor).toHaveText('SELECT 1');
    await page.keyboard.press('Escape');
    await see(palette).toHaveCount(0);
    await see(editor).toBeFocused();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('activity');
    await page.keyboard.press('Enter');
    await see(page.getByRole('heading', { level: 1 })).toHaveText('Activity');
    await see(palette).toHaveCount(0);
  });

  test('a query that is run right after its last letter is run as it stands', async () => {
    const { page } = face;
    await goTo(face, 'query');
    await see(page.getByRole('textbox', { name: 'SQL' })).toBeFocused();
    await writeSql(face, 'SELECT 1');
    await page.evaluate(() => {
      const editor = document.activeElement;
      document.execCommand('insertText', false, '23');
      const options = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
      editor?.dispatchEvent(new KeyboardEvent('keydown', options));
    });
    await seeRow(page.getByRole('grid', { name: 'Answer' }), 0, ['1', '123']);
  });
});
