// Owns the proof that rejects are worked on in the window: by keys alone, several at once, with what is kept, taken
// back, refused and let in. Never mends past the window.

import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { openBrowser, openFace, whyNoBrowser } from '../helpers/browser.ts';
import { type Face, goTo, land, see } from '../helpers/face.ts';
import { post, removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { open, parts, reject, rowsOfBatch, write } from './rejects-steps.ts';

const why = whyNoBrowser();

describe.skipIf(why !== undefined)('work on rejects', () => {
  let server: Server;
  let admin: AdminClient;
  let browser: Browser;
  let face: Face;
  beforeAll(async () => {
    server = await startServer({ words: ['--welcome'] });
    admin = adminOf(server);
    browser = await openBrowser();
    face = await openFace(browser, server, { reducedMotion: 'reduce' });
    await land(face, 'orders', '{"id":1,"qty":2}\n');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    removeTempFolders();
  });
  const stateOf = async (stream: string, rejectId: string): Promise<string> =>
    (await admin.rejects.get({ knowledgebase: 'main', stream, rejectId })).state;
  const press = (key: string): Promise<void> => face.page.keyboard.press(key);

  test('says the next step while there is none', async () => {
    await goTo(face, 'rejects');
    await see(face.page.getByRole('heading', { name: 'No open rejects' })).toBeVisible();
    await see(face.page.getByText('No batch was rejected yet.')).toBeVisible();
  });

  test('shows the first that comes, counts it in the side, and holds still for later ones', async () => {
    const { page } = face;
    const { inbox } = parts(face);
    await reject(server, 'orders', '{"id":1}{"id":2}\n{"id":3}\n{"id":4,}\n');
    const group = inbox.getByRole('treeitem', { name: 'Two objects on one line' });
    await see(group).toBeVisible();
    await see(page.locator('.side-open')).toHaveText('1');
    await reject(server, 'orders', '{"id":1');
    const added = page.getByRole('button', { name: '1 new' });
    await see(added).toBeVisible();
    await see(inbox.getByRole('treeitem', { level: 1 })).toHaveCount(1);
    await see(page.locator('.side-open')).toHaveText('2');
    await added.click();
    await see(inbox.getByRole('treeitem', { level: 1 })).toHaveCount(2);
    await see(added).toHaveCount(0);
  });

  test('goes by keys alone from the inbox to the landed batch', async () => {
    const { page } = face;
    const { inbox, fix, body, checked } = parts(face);
    await goTo(face, 'streams');
    await see(page.getByRole('heading', { level: 1 })).toHaveText('Streams');
    await press('g');
    await press('r');
    await see(page.getByRole('heading', { level: 1 })).toHaveText('Rejects');
    await see(inbox).toBeVisible();
    await press('Escape');
    await see(inbox).toBeFocused();
    await press('Home');
    await press('ArrowLeft');
    const group = inbox.getByRole('treeitem', { name: 'Two objects on one line' });
    for (let steps = 0; steps < 3; steps += 1) {
      if ((await group.getAttribute('data-active')) !== null) break;
      await press('ArrowDown');
    }
    await see(group).toHaveAttribute('data-active', 'true');
    if ((await group.getAttribute('aria-expanded')) === 'false') await press('Enter');
    await press('ArrowRight');
    const row = inbox.getByRole('treeitem', { level: 2 });
    await see(row).toHaveAttribute('aria-selected', 'true');
    await press('Enter');
    await see(body).toBeFocused();
    await see(body.locator('[data-line="1"][data-active]')).toBeVisible();
    await press('F8');
    await see(body.locator('[data-line="3"][data-active]')).toBeVisible();
    await see(page.locator('.reject-faults')).toContainText('2 of 2');
    await press('Shift+F8');
    await see(page.locator('.reject-faults')).toContainText('1 of 2');
    // The second choice drops what the first cannot mend.
    await press('2');
    await see(fix.getByRole('radio').nth(1)).toBeChecked();
    await press('ControlOrMeta+Shift+Enter');
    await see(checked).toContainText('no fault');
    await press('ControlOrMeta+Enter');
    await see(page.locator('.toast').last()).toContainText('Landed as batch');
    await see(page.locator('.side-open')).toHaveText('1');
    await see(inbox.getByRole('treeitem', { level: 1 })).toHaveCount(1);
  });

  test('discards several after asking, and takes it back by Ctrl Z', async () => {
    const { page } = face;
    const { inbox, fix } = parts(face);
    const sent = [];
    for (let at = 0; at < 3; at += 1) sent.push(await reject(server, 'pumps', `{"a":${at}\n`));
    await goTo(face, 'streams/pumps/rejects');
    const rows = inbox.getByRole('treeitem', { level: 2 });
    await see(rows).toHaveCount(3);
    await rows.nth(0).click();
    await rows.nth(2).click({ modifiers: ['ControlOrMeta'] });
    await see(fix.getByText('2 chosen')).toBeVisible();
    await rows.nth(2).click();
    await rows.nth(0).click({ modifiers: ['Shift'] });
    await see(fix.getByText('3 chosen')).toBeVisible();
    await fix.getByRole('button', { name: 'Discard' }).click();
    const asked = page.getByRole('dialog', { name: 'Discard 3 rejects?' });
    await see(asked.getByRole('button', { name: 'Keep' })).toBeFocused();
    await press('Escape');
    await see(asked).toHaveCount(0);
    await see(rows).toHaveCount(3);
    await fix.getByRole('button', { name: 'Discard' }).click();
    await asked.getByRole('button', { name: 'Discard 3' }).click();
    await see(page.locator('.toast').last()).toContainText('3 rejects discarded');
    await see(page.getByRole('heading', { name: 'No open rejects of pumps' })).toBeVisible();
    for (const { rejectId } of sent) expect(await stateOf('pumps', rejectId)).toBe('discarded');
    await press('ControlOrMeta+z');
    await see(rows).toHaveCount(3);
    for (const { rejectId } of sent) expect(await stateOf('pumps', rejectId)).toBe('open');
  });

  test('reopens one that was discarded', async () => {
    const sent = await reject(server, 'valves', '{"a":\n');
    await admin.rejects.discard({
      knowledgebase: 'main',
      stream: 'valves',
      rejectId: sent.rejectId,
    });
    await open(face, sent);
    const { fix } = parts(face);
    await see(fix).toContainText('It was put aside');
    await fix.getByRole('button', { name: 'Reopen' }).click();
    await see(fix.getByRole('heading', { name: 'Fix' })).toBeVisible();
    expect(await stateOf('valves', sent.rejectId)).toBe('open');
  });

  test('keeps an edit while another is looked at, asks before it is dropped, and says of a conflict', async () => {
    const { page } = face;
    const { editor, fix, body } = parts(face);
    const [first, second] = [
      await reject(server, 'edits', '{"a":1\n'),
      await reject(server, 'edits', '{"b":2\n'),
    ];
    await open(face, first);
    await see(body).toContainText('{"a":1');
    await press('e');
    await see(editor).toBeFocused();
    await write(face, '{"a":10}\n{"a":"é😀"}');
    await see(fix.getByRole('radio', { name: /^Your edit/ })).toBeChecked();
    await see(parts(face).checked).toContainText('2 lines, 2 records, no fault');
    await open(face, second);
    await see(body).toContainText('{"b":2');
    await see(page.getByRole('img', { name: 'edited, not sent' })).toBeVisible();
    await open(face, first);
    await see(editor).toContainText('é😀');
    await page.getByRole('button', { name: 'Drop the edit' }).click();
    await see(page.getByRole('button', { name: 'Keep it' })).toBeFocused();
    await press('Escape');
    await see(editor).toContainText('é😀');
    // Another window is quicker.
    const name = { knowledgebase: 'main', stream: 'edits', rejectId: first.rejectId };
    await admin.rejects.replay({ ...name, body: { text: '{"a":7}' } });
    await see(page.getByText('It was replayed meanwhile.')).toBeVisible();
    await see(fix).toContainText('Your edit was not sent.');
    await fix.getByRole('button', { name: 'Copy my edit' }).click();
    await see.poll(() => face.clipboard()).toBe('{"a":10}\n{"a":"é😀"}');
    expect(await rowsOfBatch(admin, 'edits', first.batchId)).toEqual([[1, { a: '7' }]]);
    await fix.getByRole('button', { name: 'Drop my edit' }).click();
    await see(page.getByText('It was replayed meanwhile.')).toHaveCount(0);
  });

  test('says why one still fails, and leaves it open', async () => {
    const { page } = face;
    const sent = await reject(server, 'stubborn', '{"a":1\n{"b":2}\n');
    await open(face, sent);
    await see(parts(face).body).toContainText('{"a":1');
    await press('e');
    await write(face, '{"a":1]\n{"b":2}\n');
    await see(parts(face).checked).toContainText('still 1 fault');
    await press('ControlOrMeta+Enter');
    await see(page.getByText('It did not land and stays open.')).toBeVisible();
    await see(page.locator('.reject-history')).toContainText('Tried once');
    expect(await stateOf('stubborn', sent.rejectId)).toBe('open');
  });

  test('finds in bodies', async () => {
    const { page } = face;
    const { inbox } = parts(face);
    await reject(server, 'search', '{"note":"needle in hay"\n');
    await goTo(face, 'rejects');
    await see(inbox).toBeVisible();
    await press('/');
    await see(page.getByRole('textbox', { name: 'Find in bodies' })).toBeFocused();
    await page.keyboard.type('NEEDLE in');
    await see(page.locator('.inbox-found-words')).toHaveText(/^1 found in \d+ bodies$/);
    await see(inbox.getByRole('treeitem')).toHaveCount(1);
    await see(parts(face).body).toContainText('needle in hay');
    await page.getByRole('textbox', { name: 'Find in bodies' }).fill('nowhere to be found');
    await see(page.getByText('No body, id or message has this.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Find in bodies' }).press('Escape');
    await see(inbox.getByRole('treeitem', { level: 1 }).first()).toBeVisible();
    await page.getByRole('textbox', { name: 'Find in bodies' }).fill('nor this');
    await page.getByRole('button', { name: 'Show all' }).click();
    await see(page.getByRole('textbox', { name: 'Find in bodies' })).toHaveValue('');
    await see(inbox.getByRole('treeitem', { level: 1 }).first()).toBeVisible();
  });

  test('lands a whole cause, saves what it did as a recipe, and lets it work by itself', async () => {
    const { page } = face;
    const { fix, inbox } = parts(face);
    for (let at = 0; at < 12; at += 1) await reject(server, 'shop', `{"n":${at}}{"n":0.${at}0}\n`);
    await goTo(face, 'streams/shop/rejects');
    await see(inbox.getByText('5 more')).toBeVisible();
    await fix.getByText('All 12').click();
    await see(fix.getByText('12 of 12 pass. Every record is kept.')).toBeVisible();
    await fix.getByRole('checkbox', { name: 'Save as a recipe of shop' }).check();
    await fix.getByRole('textbox', { name: 'Name of the recipe' }).fill('Part them');
    await fix.getByRole('button', { name: 'Replay 12' }).click();
    await see(page.locator('.toast').last()).toContainText('12 landed, 24 rows');
    await see(page.getByRole('heading', { name: 'No open rejects of shop' })).toBeVisible();
    await page.getByRole('tab', { name: 'Recipes' }).click();
    const recipe = page.getByRole('listitem').filter({ hasText: 'Part them' });
    await see(recipe).toContainText('12 of 12 landed, 24 rows');
    await recipe.getByRole('switch', { name: 'By itself' }).click({ force: true });
    await see(recipe).toContainText('tried as they come');
    const later = await reject(server, 'shop', '{"n":98}{"n":99}\n');
    await see.poll(() => stateOf('shop', later.rejectId)).toBe('replayed');
    await see(recipe).toContainText('13 of 13 landed, 26 rows');
    await recipe.getByRole('button', { name: 'More of Part them' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Split');
    await press('Enter');
    await see(page.getByRole('listitem').filter({ hasText: 'Split' })).toBeVisible();
    await page.getByRole('button', { name: 'More of Split' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await see(page.getByRole('heading', { name: 'shop has no recipe yet' })).toBeVisible();
  });

  test('offers to replay what a registered column lets in', async () => {
    const { page } = face;
    await admin.streams.create({ knowledgebase: 'main', stream: 'lines', columns: ['id'] });
    for (const id of [1, 2]) await reject(server, 'lines', `{"id":${id},"discount":"5%"}\n`);
    await goTo(face, 'streams/lines/settings');
    await page.getByRole('button', { name: 'Register columns' }).click();
    await page.getByRole('textbox', { name: 'Fields, one a line' }).fill('id\ndiscount');
    await page.getByRole('button', { name: 'Register 2' }).click();
    await see(page.getByText('2 rejects would land now, 2 rows.')).toBeVisible();
    await page.getByRole('button', { name: 'Replay 2' }).click();
    await see(page.locator('.toast').last()).toContainText('2 landed, 2 rows');
    await see(page.getByText('would land now')).toHaveCount(0);
  });

  test('lands good lines where a person says so, and links both ways', async () => {
    const { page } = face;
    await land(face, 'partly', '{"a":0}\n');
    await goTo(face, 'streams/partly/settings');
    const setting = page.getByRole('switch', { name: 'Land the good lines of a batch' });
    await setting.focus();
    await press('Space');
    await see(setting).toBeChecked();
    await see(setting).toBeFocused();
    await see(page.getByText('The answer is 200 with rows, rejected and reject_id.')).toBeVisible();
    const answer = await post(server.stream('main', 'partly'), '{"a":1}\n{"a":\n{"a":3}\n', {
      'x-batch-id': 'half',
    });
    const document = await answer.json();
    expect([answer.status, document.rows, document.rejected]).toEqual([200, 2, 1]);
    await goTo(face, `streams/partly/rejects?at=${encodeURIComponent(document.reject_id)}`);
    await see(parts(face).body.locator('[data-bad]')).toHaveCount(1);
    const facts = page.getByRole('region', { name: 'Facts' });
    await facts.getByRole('link', { name: 'half', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'The chosen batch' });
    await see(panel.getByText('1 in reject')).toBeVisible();
    await panel.getByRole('link', { name: document.reject_id, exact: true }).click();
    await see(page.getByRole('region', { name: `Reject ${document.reject_id}` })).toBeVisible();
  });

  test('hands out a body as it came, a cause with its reasons, a report without data', async () => {
    const { page } = face;
    const raw = Buffer.concat([Buffer.from('{"secret":"x'), Buffer.of(0xff), Buffer.from('"}\n')]);
    const sent = await reject(server, 'out', raw);
    await goTo(face, `streams/out/rejects?at=${sent.rejectId}`);
    await see(parts(face).body).toContainText('secret');
    const menu = page.getByRole('button', { name: 'Download, export, report' });
    const body = await face.exported(async () => {
      await menu.click();
      await page.getByRole('menuitem', { name: 'Download this body as it came' }).click();
    });
    expect([body.name, body.bytes]).toEqual([`out-${sent.rejectId}.ndjson`, raw]);
    const tar = await face.exported(async () => {
      await menu.click();
      await page.getByRole('menuitem', { name: 'Export the 1 reject of this cause' }).click();
    });
    expect(tar.name).toMatch(/\.tar$/);
    expect(tar.bytes.includes(raw) && tar.bytes.includes('invalid_utf8')).toBe(true);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Report on the 1 reject of this cause' }).click();
    const report = page.getByRole('dialog', { name: /^Report on/ });
    await see(report.locator('pre')).toContainText('invalid_utf8');
    await report.getByRole('button', { name: 'Copy the report' }).click();
    await see.poll(() => face.clipboard()).toContain('invalid_utf8');
    expect(await face.clipboard()).not.toContain('secret');
    await report.getByRole('switch', { name: 'With data' }).click({ force: true });
    await see(report.locator('pre')).toContainText('secret');
    await press('Escape');
    await see(report).toHaveCount(0);
  });

  test('shows what a retention would remove, and removes it', async () => {
    const { page } = face;
    await goTo(face, 'rejects');
    await page.getByRole('button', { name: 'Retention' }).click();
    const dialog = page.getByRole('dialog', { name: 'How long failed bodies are kept' });
    await see(dialog).toContainText('Nothing would go now.');
    await dialog.getByRole('switch', { name: 'By size, the oldest first' }).click({ force: true });
    await dialog.getByRole('textbox', { name: 'Megabytes' }).fill('0');
    await see(dialog).toContainText(/\d+ of \d+ bod(y|ies) would go/);
    await see(dialog).toContainText('still open');
    await dialog.getByRole('button', { name: /^Save and remove/ }).click();
    await see(dialog).toHaveCount(0);
    await see(page.getByRole('heading', { name: 'The body was removed' })).toBeVisible();
    await see(page.locator('.inbox-foot')).toContainText('0 now');
  });

  test('leaves the ledger balanced, and verify holds', async () => {
    await see(face.page.locator('.balance')).toContainText('Ledger balanced');
    const proof = await admin.knowledgebases.verify({ knowledgebase: 'main' });
    expect(proof.streams.flatMap(({ differences }) => differences)).toEqual([]);
    expect([proof.holds, proof.differences]).toEqual([true, []]);
  });
});
