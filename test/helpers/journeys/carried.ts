// Owns the journeys of a knowledgebase as a folder: made by keys alone, carried elsewhere, opened where it is now.
// Moves the folder on disk itself, as a person with a stick does.

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Face, goTo, rowsOf, see, seeRow } from '../face.ts';
import { tempFolder } from '../server.ts';

/** From nothing to a row, without a pointer: a knowledgebase, a stream, the command, the row. */
export const firstStartByKeys = async (face: Face): Promise<void> => {
  const { page } = face;
  const { keyboard } = page;
  await goTo(face, 'settings');
  await page.getByRole('textbox', { name: 'New knowledgebase' }).focus();
  await keyboard.type('carried');
  await keyboard.press('Enter');
  await see(page.getByRole('button', { name: 'Show carried' })).toBeEnabled();
  await runCommand(face, '>open carried');
  await keyboard.press('Escape');
  await runCommand(face, 'streams');
  await see(page.getByRole('heading', { name: 'Nothing has landed yet' })).toBeVisible();
  await keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New stream' });
  await see(dialog.getByRole('textbox', { name: 'Id' })).toBeFocused();
  await keyboard.type('tank levels');
  await see(dialog).toContainText('letters, digits, _ and - only');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('tank-levels');
  await keyboard.press('ControlOrMeta+Enter');
  await see(dialog).toHaveCount(0);
  await see(page.getByText('Waiting for the first batch of tank-levels')).toBeVisible();
  await keyboard.press('c');
  await see.poll(() => face.clipboard()).toContain('/strata/ingest/tank-levels');
  const [address] = /http:\/\/\S+\/strata\/ingest\/tank-levels/.exec(await face.clipboard()) ?? [];
  const answer = await fetch(address as string, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', 'x-batch-id': 'first' },
    body: '{"litres":1.10}\n\n{"litres":2.20}\n',
  });
  see(answer.status).toBe(200);
  await seeRow(rowsOf(face, 'tank-levels'), 0, ['1', '2.20']);
};

/** Types into the palette and takes what stands first. */
const runCommand = async ({ page }: Face, words: string): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+k');
  const field = page.getByRole('textbox', { name: 'Search or run a command' });
  await see(field).toBeFocused();
  await page.keyboard.type(words);
  await see(page.locator('[data-selected]')).toBeVisible();
  await page.keyboard.press('Enter');
  await see(field).toHaveCount(0);
};

/** Taken off the list, moved, opened where it is; moved again while it is in the list, and found again. */
export const movedFolder = async (face: Face): Promise<void> => {
  const { page, home } = face;
  const elsewhere = tempFolder();
  const list = page.getByRole('list', { name: 'Knowledgebases' });
  const row = list.getByRole('listitem').filter({ hasText: 'carried' });
  await goTo(face, 'settings');
  await page.getByRole('button', { name: 'Show main' }).click();
  await goTo(face, 'settings');
  await page.getByRole('button', { name: 'Remove from list: carried' }).click();
  await see(page.getByText('carried is off the list; nothing on disk was touched')).toBeVisible();
  await see(row).toHaveCount(0);

  const once = join(elsewhere, 'once');
  renameSync(join(home, 'carried'), once);
  await face.openFolder('Open a folder', once);
  await see(page.getByRole('button', { name: 'Knowledgebase carried' })).toBeVisible();
  await goTo(face, 'streams/tank-levels/rows');
  await seeRow(rowsOf(face, 'tank-levels'), 0, ['1', '2.20']);

  await goTo(face, 'settings');
  await page.getByRole('button', { name: 'Show main' }).click();
  await see(page.getByRole('button', { name: 'Knowledgebase main' })).toBeVisible();
  await goTo(face, 'streams');
  const again = join(elsewhere, 'again');
  renameSync(once, again);
  await goTo(face, 'settings');
  await see(row).toContainText('The folder is gone');
  await face.openFolder('Open it where it is now', again);
  await see(page.getByRole('button', { name: 'Knowledgebase carried' })).toBeVisible();
  await goTo(face, 'streams/tank-levels/rows');
  await seeRow(rowsOf(face, 'tank-levels'), 0, ['1', '2.20']);
  await goTo(face, 'settings');
  await page.getByRole('button', { name: 'Show main' }).click();
};
