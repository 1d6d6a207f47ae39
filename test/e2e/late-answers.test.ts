// Owns the proof that the window says what is so, however late the engine answers: words follow what is saved, checks
// and previews are of what stands there, a row that just landed is found. Never waits for what it has not held back.

import type { Browser } from '@playwright/test';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { openBrowser, openFace, whyNoBrowser } from '../helpers/browser.ts';
import { cellAt, type Face, goTo, land, rowsOf, see } from '../helpers/face.ts';
import { holdAnswers } from '../helpers/hold-answers.ts';
import { post, removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { open, parts, reject, write } from './rejects-steps.ts';

const why = whyNoBrowser();
if (why) process.stderr.write(`Answers that come late are skipped: ${why}.\n`);

describe.skipIf(why !== undefined)('while an answer is late', () => {
  let server: Server;
  let browser: Browser;
  let face: Face;
  beforeAll(async () => {
    server = await startServer({ words: ['--welcome'] });
    browser = await openBrowser();
    face = await openFace(browser, server, { reducedMotion: 'reduce' });
    await land(face, 'first', '{"a":"one"}\n');
  });
  afterEach(() => face.page.unrouteAll());
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    removeTempFolders();
  });

  test('a model store that is being chosen has the words of the one that is saved', async () => {
    const { page } = face;
    await goTo(face, 'settings');
    const store = page.getByRole('radiogroup', { name: 'Where the model is kept' });
    const here = page.getByText('each version copied to its folder');
    const none = page.getByText('nothing can be promoted');
    await see(here).toBeVisible();
    const { asked, release } = await holdAnswers(page, 'ontology/setStore');
    await store.getByText('None').click();
    await asked;
    await see(store.getByRole('radio', { name: 'None' })).toBeChecked();
    await see(none).toHaveCount(0);
    await see(here).toBeVisible();
    release();
    await see(none).toBeVisible();
    await store.getByText('PostgreSQL').click();
    await see(page.getByText('It is kept with its address.')).toBeVisible();
    await see(none).toBeVisible();
    await store.getByText('Here').click();
    await see(here).toBeVisible();
  });

  test('an edit is not said to be checked before it is', async () => {
    const { page } = face;
    const { body, checked } = parts(face);
    const sent = await reject(server, 'edited', '{"a":1\n');
    await open(face, sent);
    await see(body).toContainText('{"a":1');
    await page.getByRole('button', { name: 'Edit' }).click();
    await write(face, '{"a":1}');
    await see(checked).toHaveText('Checked again: 1 line, 1 record, no fault.');
    const { asked, release } = await holdAnswers(page, 'rejects/check');
    await write(face, '{"a":2');
    await see(checked).toHaveText('Checking the edit');
    await asked;
    await see(checked).toHaveText('Checking the edit');
    release();
    await see(checked).toHaveText('Checked again: 1 line, 0 records, still 1 fault.');
  });

  test('bodies are not removed by a number of another setting', async () => {
    const { page } = face;
    await goTo(face, 'rejects');
    await page.getByRole('button', { name: 'Retention' }).click();
    const dialog = page.getByRole('dialog', { name: 'How long failed bodies are kept' });
    const remove = dialog.getByRole('button', { name: /^Save and remove/ });
    await dialog.getByRole('switch', { name: 'By size, the oldest first' }).focus();
    await page.keyboard.press('Space');
    const megabytes = dialog.getByRole('textbox', { name: 'Megabytes' });
    await megabytes.fill('0');
    await see(remove).toHaveText('Save and remove 1');
    const { asked, release } = await holdAnswers(page, 'rejects/retention/preview');
    await megabytes.fill('7');
    await asked;
    await see(dialog).toContainText('Looking what would go');
    await see(remove).toBeDisabled();
    release();
    await see(dialog).toContainText('Nothing would go now.');
    await see(remove).toHaveCount(0);
    await page.keyboard.press('Escape');
    await see(dialog).toHaveCount(0);
  });

  test('a report with data is not shown where none is asked for, nor the other way round', async () => {
    const { page } = face;
    await open(face, await reject(server, 'reported', '{"a":1\n'));
    await see(parts(face).body).toContainText('{"a":1');
    await page.getByRole('button', { name: 'Download, export, report' }).click();
    await page.getByRole('menuitem', { name: 'Report on the 1 reject of this cause' }).click();
    const report = page.getByRole('dialog', { name: /^Report on/ });
    const text = report.locator('pre');
    await see(text).toContainText('not_json');
    const { asked, release } = await holdAnswers(page, 'rejects/report');
    await report.getByRole('switch', { name: 'With data' }).focus();
    await page.keyboard.press('Space');
    await asked;
    await see(text).toHaveCount(0);
    await see(report.getByRole('button', { name: 'Copy the report' })).toHaveCount(0);
    release();
    await see(text).toContainText('{"a":1');
    await page.keyboard.press('Escape');
    await see(report).toHaveCount(0);
  });

  test('a row is found that landed after the rows were counted', async () => {
    const { page } = face;
    await goTo(face, 'streams/first/rows');
    const grid = rowsOf(face, 'first');
    await see(grid).toHaveAttribute('aria-rowcount', '2');
    const { release } = await holdAnswers(page, 'streams/list');
    const headers = { 'x-batch-id': 'later' };
    const answer = await post(server.stream('main', 'first'), '{"a":"two"}\n', headers);
    see(answer.status).toBe(200);
    await goTo(face, 'streams/first/rows?at=later');
    const panel = page.getByRole('complementary', { name: 'The chosen cell' });
    await see(panel.getByRole('region', { name: 'Value of a' })).toHaveText('two');
    await see(panel).toContainText('later');
    release();
  });

  test('what is said for a moment is not cut short by what was said before', async () => {
    const { page } = face;
    const grid = rowsOf(face, 'first');
    const copied = page.locator('.grid-copied');
    await cellAt(grid, 0, 0).click();
    await grid.focus();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    await page.keyboard.press('ControlOrMeta+c');
    await see(copied).toHaveText('Copied');
    await page.clock.runFor(1_000);
    await page.keyboard.press('ControlOrMeta+Shift+c');
    await see(copied).toHaveText('Row copied as JSON');
    await page.clock.runFor(1_000);
    await see(copied).toHaveText('Row copied as JSON');
    await page.clock.runFor(1_000);
    await see(copied).toHaveText('');
  });
});
