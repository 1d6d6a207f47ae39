// Owns the journeys in the grid: both orders, the last row of a large stream, copying, filter and find.
// `landLarge` makes the stream they go through.

import { cellAt, type Face, goTo, land, rowsOf, see, seeRow, watchFor } from '../face.ts';

const LARGE = 60_000;
const BATCH_BYTES = 1_000_000;
/** A text with all that a grid cannot show as it is. */
const ODD = ' tab\there\nnext line ';

const lineOf = (row: number): string =>
  `{"n":${row}.10,"word":"w${row % 7}","text":${JSON.stringify(row === LARGE - 1 ? ODD : `row ${row} of many`)}}\n`;

/** Lands 60,000 rows in batches of 1 MB. */
export const landLarge = async (face: Face): Promise<void> => {
  let body = '';
  for (let row = 0; row < LARGE; row += 1) {
    body += lineOf(row);
    if (body.length < BATCH_BYTES && row < LARGE - 1) continue;
    await land(face, 'large', body);
    body = '';
  }
};

/** The last row in both orders, by one key. */
export const lastRow = async (face: Face): Promise<void> => {
  const { page } = face;
  await goTo(face, 'streams/large/rows');
  const grid = rowsOf(face, 'large');
  await see(grid).toHaveAttribute('aria-rowcount', String(LARGE + 1));
  await seeRow(grid, 0, ['59,999', '59999.10', 'w2']);
  await grid.focus();
  await page.keyboard.press('ControlOrMeta+End');
  await seeRow(grid, LARGE - 1, ['0', '0.10', 'w0', 'row 0 of many']);
  await see(cellAt(grid, LARGE - 1, 2)).toBeInViewport({ ratio: 1 });
  await page.getByText('Oldest first').click();
  await seeRow(grid, 0, ['0', '0.10', 'w0', 'row 0 of many']);
  await grid.focus();
  await page.keyboard.press('ControlOrMeta+End');
  await seeRow(grid, LARGE - 1, ['59,999', '59999.10', 'w2']);
  await see(cellAt(grid, LARGE - 1, 2)).toBeInViewport({ ratio: 1 });
};

/** A cell's text as it is, and the row as JSON. */
export const copiedCell = async (face: Face): Promise<void> => {
  const { page } = face;
  await goTo(face, 'streams/large/rows');
  const grid = rowsOf(face, 'large');
  await page.getByText('Newest first').click();
  await seeRow(grid, 0, ['59,999', '59999.10', 'w2']);
  await cellAt(grid, 0, 2).click();
  await grid.focus();
  const cellCopied = await watchFor(face, ['.grid-copied', 'Copied']);
  await page.keyboard.press('ControlOrMeta+c');
  await cellCopied();
  see(await face.clipboard()).toBe(ODD);
  const rowCopied = await watchFor(face, ['.grid-copied', 'Row copied as JSON']);
  await page.keyboard.press('ControlOrMeta+Shift+c');
  await rowCopied();
  see(await face.clipboard()).toBe(`{"n":"59999.10","word":"w2","text":${JSON.stringify(ODD)}}`);
  // The panel says where the row came from: its batch and line.
  const panel = page.getByRole('complementary', { name: 'The chosen cell' });
  await see(panel).toContainText(`text, ${ODD.length} characters`);
  await page.keyboard.press('Escape');
  await see(panel).toHaveCount(0);
};

/** Rows by a column's condition, then by a search in all columns. */
export const filteredRows = async (face: Face): Promise<void> => {
  const { page } = face;
  await goTo(face, 'streams/large/rows');
  const grid = rowsOf(face, 'large');
  await grid.getByRole('columnheader', { name: 'word' }).getByRole('button').click();
  await page.getByRole('menuitem', { name: 'is…' }).click();
  await page.getByRole('textbox', { name: /Value that word is/ }).fill('w3');
  await page.keyboard.press('Enter');
  const matches = Array.from({ length: LARGE }, (_, row) => row % 7).filter((of) => of === 3);
  const words = `${matches.length.toLocaleString('en-US')} of 60,000 rows`;
  await see(page.locator('.rows-total')).toHaveText(words);
  await see(cellAt(grid, 0, 1)).toHaveText('w3');
  // Newest first, each with its own number: 59,999 is of the word w2, and 59,993 the last of w3.
  await seeRow(grid, 0, ['59,993', '59993.10', 'w3']);
  await seeRow(grid, 1, ['59,986', '59986.10', 'w3']);
  await page.getByRole('button', { name: /^Remove word is/ }).click();
  await see(page.locator('.rows-total')).toContainText('60,000 rows');
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('row 4321 of');
  await page.keyboard.press('Enter');
  await see(page.locator('.rows-total')).toHaveText('1 of 60,000 rows');
  await seeRow(grid, 0, ['4,321', '4321.10', 'w2', 'row 4321 of many']);
  await page.keyboard.press('Escape');
  await see(page.locator('.rows-total')).toContainText('60,000 rows');
};
