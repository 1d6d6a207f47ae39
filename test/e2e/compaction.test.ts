// Owns the proof that the window compacts a stream and takes it back, against the server that people start: figures,
// progress, waiting for another program, every row at its place, undo, originals, policy.
// Never reaches past the page, but to send batches, to have kb.duckdb open as another program has, and to take a file away.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from '../helpers/axe.ts';
import { openBrowser, openFace, whyNoBrowser } from '../helpers/browser.ts';
import { cellAt, type Face, goTo, rowsOf, see, seeRow } from '../helpers/face.ts';
import { startHolding } from '../helpers/foreign-client.ts';
import { post, removeTempFolders, type Server, startServer } from '../helpers/server.ts';

const why = whyNoBrowser();
if (why) process.stderr.write(`The window's compaction is skipped: ${why}.\n`);

const BATCHES = 300;
const ROWS = 20;
const idOf = (batch: number): string => `r-${String(batch).padStart(4, '0')}`;

describe.skipIf(why !== undefined)('compaction in the window', () => {
  let server: Server;
  let browser: Browser;
  let face: Face;
  const landed: number[] = [];

  /** Lands a batch of 20 rows, numbered through all batches. */
  const land = async (batch: number): Promise<void> => {
    const lines = Array.from(
      { length: ROWS },
      (_, line) => `{"n":${batch * ROWS + line}.10,"site":"s${line % 4}"}\n`,
    );
    const answer = await post(server.stream('main', 'readings'), lines.join(''), {
      'x-batch-id': idOf(batch),
    });
    expect(answer.status).toBe(200);
    landed.push(batch);
  };

  beforeAll(async () => {
    server = await startServer({ words: ['--welcome'] });
    for (let batch = 0; batch < BATCHES; batch += 1) await land(batch);
    browser = await openBrowser();
    face = await openFace(browser, server, { reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    removeTempFolders();
  });

  const panel = (): Locator => face.page.getByRole('complementary', { name: 'Compaction' });
  const figure = (name: string): Locator =>
    panel()
      .getByRole('row')
      .filter({ has: face.page.getByRole('rowheader', { name }) })
      .getByRole('cell');
  const runs = (): Locator => face.page.getByRole('region', { name: 'Runs' }).getByRole('row');
  const clean = async (): Promise<void> => {
    expect(await violations(face.page)).toEqual([]);
  };
  const toFiles = (): Promise<void> => goTo(face, 'streams/readings/files');

  /** Every row is there, once, and leads to its batch and line: looked at at both ends and in the middle. */
  const everyRow = async (): Promise<void> => {
    const { page } = face;
    const rows = landed.length * ROWS;
    // The grid holds still while batches land; opened anew it has all that the window knows of.
    await goTo(face, 'streams');
    const counted = page.getByRole('row').filter({ hasText: 'readings' }).locator('.of-rows');
    await see(counted).toHaveText(rows.toLocaleString('en-US'));
    await goTo(face, 'streams/readings/rows');
    const grid = rowsOf(face, 'readings');
    await see(grid).toHaveAttribute('aria-rowcount', String(rows + 1));
    await page.getByText('Oldest first').click();
    await seeRow(grid, 0, ['0', '0.10', 's0']);
    const middle = Math.floor(landed.length / 2) * ROWS + 7;
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+End');
    await seeRow(grid, rows - 1, [(rows - 1).toLocaleString('en-US'), `${rows - 1}.10`, 's3']);
    await cellAt(grid, rows - 1, 0).click();
    const cell = page.getByRole('complementary', { name: 'The chosen cell' });
    await see(cell).toContainText(idOf(landed.length - 1));
    await see(cell).toContainText(`Line ${ROWS}`);
    await goTo(face, `streams/readings/rows?at=row:${middle}`);
    await seeRow(grid, middle, [middle.toLocaleString('en-US'), `${middle}.10`, 's3']);
    await cellAt(grid, middle, 0).click();
    await see(cell).toContainText(idOf(Math.floor(middle / ROWS)));
    await see(cell).toContainText('Line 8');
  };

  test('says what it would gain', async () => {
    await toFiles();
    await see(face.page.locator('.files-count')).toHaveText('300 files');
    await see(panel()).toContainText('Measured on 200 of the files, then scaled.');
    await see(figure('Files')).toHaveText(['300', '1']);
    await see(figure('Group-by')).toHaveText([/^[\d.]+ m?s$/, /^[\d.]+ m?s$/]);
    await see(face.page.getByRole('grid', { name: 'Files of readings' })).toHaveAttribute(
      'aria-rowcount',
      '200',
    );
    await see(panel()).toContainText('300 files into 1. It can be undone for 7 days.');
    await clean();
  });

  test('keeps a policy, and refuses what is none', async () => {
    const { page } = face;
    await panel().getByRole('button', { name: 'Edit' }).click();
    await see(panel().getByRole('radio', { name: 'Suggest' })).toBeFocused();
    await see(panel().getByRole('button', { name: 'Save' })).toBeInViewport();
    const files = panel().getByRole('textbox', { name: 'Suggest at, loose files' });
    await files.fill('1');
    await see(panel()).toContainText('A whole number from 2 to 1,000,000 is needed.');
    await see(panel().getByRole('button', { name: 'Save' })).toBeDisabled();
    await clean();
    await files.fill('250');
    await panel().getByRole('textbox', { name: 'Keep originals, days' }).fill('3');
    await panel().getByRole('button', { name: 'Save' }).click();
    await see(panel()).toContainText('when asked, suggested at 250 files');
    await see(panel()).toContainText('3 days');
    await see(panel().getByRole('button', { name: 'Edit' })).toBeFocused();
    // It pays now, and says so where the stream is.
    await see(panel()).toContainText('pays now');
    await goTo(face, 'streams/readings/rows');
    await see(page.getByRole('link', { name: 'Compaction pays' })).toBeVisible();
    await goTo(face, 'streams');
    await see(page.getByRole('row').filter({ hasText: 'readings' })).toContainText(
      'compaction pays',
    );
    await page.reload();
    await toFiles();
    await see(panel()).toContainText('when asked, suggested at 250 files');
  });

  test('names the program that it waits for, then goes through', async () => {
    const { page } = face;
    const holding = await startHolding(join(server.home, 'main'), 'READ_ONLY');
    try {
      await panel().getByRole('button', { name: 'Compact now' }).click();
      await see(panel().getByRole('heading', { name: `(pid ${holding.pid}).` })).toBeVisible();
      await see(panel()).toContainText('Cancelling leaves every file as it is.');
      await see(page.locator('.status-bar')).toContainText(`(pid ${holding.pid})`);
      await clean();
      await land(BATCHES);
    } finally {
      await holding.stop();
    }
    await see(panel().getByRole('heading', { name: /^300 files became 1 in / })).toBeVisible();
    await see(page.locator('.files-count')).toHaveText('2 files');
    await see(runs().nth(1)).toContainText('300 → 1');
    await see(runs().nth(1)).toContainText('6,000');
    await see(page.getByRole('grid', { name: 'Files of readings' })).toHaveAttribute(
      'aria-rowcount',
      '2',
    );
    await clean();
  });

  test('has every row at its place, with its batch and line', everyRow);

  test('leads from a file to its batches', async () => {
    const { page } = face;
    await toFiles();
    await page.getByRole('grid', { name: 'Files of readings' }).getByRole('row').nth(1).click();
    const file = page.getByRole('complementary', { name: 'The chosen file' });
    await see(file).toContainText('compacted from 300 batches');
    await see(file).toContainText('newest 50 of 300');
    await clean();
    await file.getByRole('button', { name: '50 more' }).click();
    await see(file).toContainText('newest 100 of 300');
    await file.getByRole('link', { name: idOf(BATCHES - 60) }).click();
    const batch = page.getByRole('complementary', { name: 'The chosen batch' });
    await see(batch).toContainText(`${idOf(BATCHES - 60)}.parquet`);
    await see(batch).toContainText('4,801 to 4,820');
    await batch.getByRole('link', { name: 'Among files' }).click();
    await see(file).toContainText('compacted from 300 batches');
    await page.keyboard.press('Escape');
    await see(panel()).toBeVisible();
  });

  test('is undone, and done again from the palette', async () => {
    const { page } = face;
    await runs().nth(1).getByRole('button', { name: 'Undo' }).click();
    await see(panel().getByRole('heading', { name: /^300 files are back after / })).toBeVisible();
    await see(page.locator('.files-count')).toHaveText('301 files');
    await see(runs().nth(1)).toContainText('back since');
    await everyRow();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('compact readings');
    await page.keyboard.press('Enter');
    await see(panel().getByRole('heading', { name: /^301 files became 1 in / })).toBeVisible();
    await see(page.locator('.files-count')).toHaveText('1 file');
    await panel().getByRole('button', { name: 'Put away' }).click();
    await see(panel()).toContainText('Nothing to merge: all rows are in one compacted file.');
    await clean();
    // What lands from now on can be merged, and is measured anew.
    await land(BATCHES + 1);
    await land(BATCHES + 2);
    await see(panel()).toContainText('2 files into 1.');
    await see(panel()).toContainText('Measured on all 2 files');
    await see(figure('Files')).toHaveText(['3', '2']);
    await everyRow();
  });

  test('removes originals after asking, and then has no undo', async () => {
    const { page } = face;
    await toFiles();
    await see(runs().nth(1).getByRole('button', { name: 'Undo' })).toBeEnabled();
    await panel().getByRole('button', { name: 'Remove originals…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove the originals of one run?' });
    await see(dialog.getByRole('button', { name: 'Keep' })).toBeFocused();
    await clean();
    await dialog.getByRole('button', { name: 'Remove 301 files' }).click();
    await see(runs().nth(1)).toContainText('removed');
    await see(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    await everyRow();
  });

  test('is cancelled by a key, with every file as it was', async () => {
    const { page } = face;
    for (const id of ['c-1', 'c-2', 'c-3']) {
      await post(server.stream('main', 'calm'), `{"id":"${id}"}\n`, { 'x-batch-id': id });
    }
    await goTo(face, 'streams/calm/files');
    const holding = await startHolding(join(server.home, 'main'), 'READ_ONLY');
    try {
      await panel().getByRole('button', { name: 'Compact now' }).click();
      await see(panel()).toContainText(`(pid ${holding.pid})`);
      await page.keyboard.press('ControlOrMeta+.');
      await see(panel().getByRole('heading', { name: 'Cancelled' })).toBeVisible();
    } finally {
      await holding.stop();
    }
    await see(page.locator('.files-count')).toHaveText('3 files');
    await see(runs().nth(1)).toContainText('every file as it was');
    await see(panel().getByRole('button', { name: 'Compact now' })).toBeEnabled();
  });

  test('says where a run failed', async () => {
    await rm(join(server.home, 'main', 'strata', 'streams', 'calm', 'data', 'c-2.parquet'));
    await panel().getByRole('button', { name: 'Compact now' }).click();
    await see(panel().getByRole('heading', { name: 'It failed' })).toBeVisible();
    await see(panel()).toContainText('c-2.parquet');
    await see(panel()).toContainText('Every file is as it was.');
    await runs().nth(1).getByRole('button', { name: 'Details' }).click();
    await see(runs().nth(2)).toContainText('c-2.parquet');
    await clean();
  });

  test('stays usable where it is narrow', async () => {
    const { page } = face;
    await page.setViewportSize({ width: 760, height: 700 });
    await toFiles();
    await page.reload();
    await see(page.locator('.files-count')).toHaveText('3 files');
    await see(panel()).toHaveCount(0);
    await clean();
    await page.getByRole('button', { name: 'Compaction' }).click();
    await see(panel()).toBeVisible();
    await clean();
  });

  test('keeps its figures while the engine is away', async () => {
    const { page } = face;
    await page.setViewportSize({ width: 1440, height: 900 });
    await server.kill();
    await see(page.getByRole('alert').first()).toBeVisible();
    await see(page.locator('.files-count')).toHaveText('3 files');
    await see(panel().getByRole('button', { name: 'Edit' })).toBeDisabled();
    await clean();
  });
});
