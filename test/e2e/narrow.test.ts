// Owns the proof of what a window of 900 px still shows: the listener's word, the rail in line, the chosen cell.
// Never reaches past the page, but to send batches.

import type { Browser, Locator } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, openFace, whyNoBrowser } from '../helpers/browser.ts';
import { cellAt, type Face, goTo, land, rowsOf, see, writeSql } from '../helpers/face.ts';
import { post, removeTempFolders, type Server, startServer } from '../helpers/server.ts';

const why = whyNoBrowser();
if (why) process.stderr.write(`The narrow window is skipped: ${why}.\n`);

/** Wide enough that the last column begins beyond the panel's edge. */
const WIDE = Object.fromEntries(
  ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, `${name} has a text of some length`]),
);

describe.skipIf(why !== undefined)('the window at 900 px', () => {
  let server: Server;
  let browser: Browser;
  let face: Face;
  beforeAll(async () => {
    server = await startServer({ words: ['--welcome'] });
    browser = await openBrowser();
    face = await openFace(browser, server, {
      ...{ viewport: { width: 900, height: 700 }, reducedMotion: 'reduce' },
    });
    await land(face, 'wide', `${JSON.stringify(WIDE)}\n`);
    expect((await post(server.stream('main', 'wide'), '{broken\n')).status).toBe(400);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    removeTempFolders();
  });

  /** Chooses the last cell of a row, and sees that all of it can be seen beside the panel that explains it. */
  const seeChosen = async (grid: Locator, panel: string): Promise<void> => {
    const cell = cellAt(grid, 0, 6);
    await cell.click();
    await see(face.page.getByRole('complementary', { name: panel })).toContainText(
      WIDE.g as string,
    );
    await see
      .poll(async () => {
        const [inner, outer] = [await cell.boundingBox(), await grid.boundingBox()];
        const right = face.page.getByRole('complementary', { name: panel });
        const beside = await right.boundingBox();
        if (!inner || !outer || !beside) return null;
        return [
          inner.x >= outer.x,
          inner.x + inner.width <= outer.x + outer.width + 1,
          outer.x + outer.width <= beside.x + 1,
        ];
      })
      .toEqual([true, true, true]);
  };

  test('says in words that it listens', async () => {
    await goTo(face, 'streams');
    await see(face.page.locator('.listener').getByText('Listening', { exact: true })).toBeVisible();
  });

  test('has the icons of the rail in line, also beside what is open', async () => {
    await see(face.page.locator('.side-open')).toBeVisible();
    const middles = await face.page.locator('.side > .side-item > svg').evaluateAll((icons) =>
      icons.map((icon) => {
        const { left, width } = icon.getBoundingClientRect();
        return left + width / 2;
      }),
    );
    expect(middles.length).toBe(7);
    expect(new Set(middles).size).toBe(1);
  });

  test('shows the chosen cell of a stream beside its panel', async () => {
    await goTo(face, 'streams/wide/rows');
    const grid = rowsOf(face, 'wide');
    await see(cellAt(grid, 0, 0)).toHaveText(WIDE.a as string);
    await grid.focus();
    await face.page.keyboard.press('End');
    await seeChosen(grid, 'The chosen cell');
  });

  test('shows the chosen cell of an answer beside its panel', async () => {
    await goTo(face, 'query');
    await writeSql(face, 'SELECT a, b, c, d, e, f, g FROM raw_extracted.stream_wide');
    await face.page.keyboard.press('ControlOrMeta+Enter');
    const grid = face.page.getByRole('grid', { name: 'Answer' });
    await see(cellAt(grid, 0, 0)).toHaveText(WIDE.a as string);
    await grid.evaluate((element) => {
      element.scrollLeft = element.scrollWidth;
    });
    await seeChosen(grid, 'Value');
  });
});
