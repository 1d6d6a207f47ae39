// Owns the journey to the last of ten million rows. They land through the listener, in bodies of 16 MB.
// Never takes part in how they are counted: each row says its own number.

import { type Face, goTo, rowsOf, see, seeRow } from '../face.ts';

const ROWS = 10_000_000;
const IN_ONE = 1_000_000;
const LINE = '{"n":1.0000000}\n';
const DIGITS = 7;
const LAST_DIGIT = LINE.length - 3;

/** Ten million rows as `ten`, each with its number in its decimals: `1.0000000`, `1.0000001` and so on. */
export const landTenMillion = async (face: Face): Promise<void> => {
  await allowLargeBodies(face);
  const body = Buffer.alloc(LINE.length * IN_ONE, LINE);
  for (let first = 0; first < ROWS; first += IN_ONE) {
    for (let line = 0; line < IN_ONE; line += 1) {
      let rest = first + line;
      for (let digit = 0; digit < DIGITS; digit += 1) {
        body[line * LINE.length + LAST_DIGIT - digit] = 48 + (rest % 10);
        rest = Math.floor(rest / 10);
      }
    }
    const answer = await fetch(`${face.ingestUrl}/knowledgebase/main/strata/ingest/ten`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', 'x-batch-id': `ten-${first}` },
      body,
    });
    see(answer.status).toBe(200);
    see(await answer.json()).toMatchObject({ rows: IN_ONE, replayed: false });
  }
  await goTo(face, 'streams');
  const rows = face.page.getByRole('row').filter({ hasText: 'ten' }).locator('.of-rows').first();
  await see(rows).toHaveText('10,000,000');
};

/** As a person does it: in the settings. */
const allowLargeBodies = async (face: Face): Promise<void> => {
  const { page } = face;
  await goTo(face, 'settings');
  const field = page.getByRole('textbox', { name: 'Largest body in bytes' });
  await field.fill('16000000');
  await page.keyboard.press('Enter');
  await see(page.getByText('now 16.0 MB')).toBeVisible();
};

/** The last row, the first one, and one in the middle by the scrollbar. */
export const lastOfTenMillion = async (face: Face): Promise<void> => {
  const { page } = face;
  await goTo(face, 'streams/ten/rows');
  const grid = rowsOf(face, 'ten');
  await see(grid).toHaveAttribute('aria-rowcount', '10000001');
  await seeRow(grid, 0, ['9,999,999', '1.9999999']);
  await page.getByText('Oldest first').click();
  await seeRow(grid, 0, ['0', '1.0000000']);
  await grid.focus();
  await page.keyboard.press('ControlOrMeta+End');
  await seeRow(grid, ROWS - 1, ['9,999,999', '1.9999999']);
  await page.keyboard.press('ControlOrMeta+Home');
  await seeRow(grid, 0, ['0', '1.0000000']);
  await halfWay(face);
  await page.keyboard.press('ControlOrMeta+Home');
  await seeRow(grid, 0, ['0', '1.0000000']);
};

/** The scrollbar names the file under the pointer, and a press brings its rows. */
const halfWay = async ({ page }: Face): Promise<void> => {
  const scrollbar = page.locator('.strata-scroll');
  const box = await scrollbar.boundingBox();
  if (!box) throw new Error('There is no scrollbar.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.55);
  await see(page.locator('.strata-words')).toContainText('data/ten-5000000.parquet');
  await page.mouse.down();
  await page.mouse.up();
  const row = page.locator('.grid-row').first();
  await see(row.locator('.grid-number')).toHaveText(/^5,[45]\d\d,\d\d\d$/);
  // The row's own number and the value that landed with it are one.
  const isOne = (): Promise<boolean> =>
    row.evaluate((shown) => {
      const textOf = (part: string) => shown.querySelector(part)?.textContent ?? '';
      const number = textOf('.grid-number').replaceAll(',', '');
      return textOf('.grid-cell') === `1.${number.padStart(7, '0')}`;
    });
  await see.poll(isOne).toBe(true);
};
