// Owns the journey without a pointer: between screens, through a list, into a stream, the palette, the list of keys.
// Needs the streams `prices` and `large`.

import { type Face, goTo, rowsOf, see, seeRow } from '../face.ts';

/** Every screen and a stream's row, by keys alone. */
export const keysAlone = async (face: Face): Promise<void> => {
  const { page } = face;
  const { keyboard } = page;
  const title = page.getByRole('heading', { level: 1 });
  await goTo(face, 'settings');
  await see(title).toHaveText('Settings');
  await keyboard.press('g');
  await keyboard.press('q');
  await see(title).toHaveText('Query');
  // The editor has the focus: letters are text there, until Escape and Tab lead out of it.
  await see(page.getByRole('textbox', { name: 'SQL' })).toBeFocused();
  await keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('textbox', { name: 'Search or run a command' });
  await see(palette).toBeFocused();
  await keyboard.type('activity');
  await keyboard.press('Enter');
  await see(title).toHaveText('Activity');
  await see(palette).toHaveCount(0);
  await keyboard.press('g');
  await keyboard.press('s');
  await see(title).toHaveText('Streams');
  await keyboard.press('/');
  await see(page.getByRole('textbox', { name: 'Filter streams by name' })).toBeFocused();
  await keyboard.type('pri');
  const list = page.getByRole('grid', { name: 'Streams' });
  await see(list).toHaveAttribute('aria-rowcount', '2');
  await keyboard.press('Enter');
  await see(list).toBeFocused();
  await keyboard.press('ArrowDown');
  await see(list).toHaveAttribute('aria-activedescendant', 'streams-row-0');
  await keyboard.press('Enter');
  const prices = rowsOf(face, 'prices');
  await seeRow(prices, 3, ['0', 'apple', '1.10']);
  await throughRows(face);
  await keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Shortcuts' });
  await see(keys).toContainText('First row');
  await keyboard.press('Escape');
  await see(keys).toHaveCount(0);
  await keyboard.press('ControlOrMeta+k');
  await see(palette).toBeFocused();
  await keyboard.type('large');
  // The stream of this name stands first, and is chosen; the command that queries it comes after.
  await see(page.locator('[data-selected]')).toContainText('60.0 k rows');
  await keyboard.press('ArrowDown');
  await see(page.locator('[data-selected]')).toHaveText('Query large');
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await seeRow(rowsOf(face, 'large'), 0, ['59,999', '59999.10']);
};

const throughRows = async (face: Face): Promise<void> => {
  const { page } = face;
  const grid = rowsOf(face, 'prices');
  const panel = page.getByRole('complementary', { name: 'The chosen cell' });
  for (let stops = 0; stops < 40; stops += 1) {
    if (await grid.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await see(grid).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await see(panel.getByRole('heading', { level: 2 })).toHaveText('price');
  await page.keyboard.press('Enter');
  await see(panel).toBeFocused();
  await page.keyboard.press('Escape');
  await see(panel).toHaveCount(0);
  await see(grid).toBeFocused();
};
