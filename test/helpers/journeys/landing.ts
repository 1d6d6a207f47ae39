// Owns the journeys of rows that arrive: the first one of an empty knowledgebase, and many while the window is open.
// Never reloads the page.

import { cellAt, type Face, goTo, land, rowsOf, see, seeRow } from '../face.ts';

/** From an empty knowledgebase to a row that is in the grid as it was sent. */
export const firstRow = async (face: Face): Promise<void> => {
  const { page } = face;
  await see(page.getByRole('heading', { name: 'Nothing has landed yet' })).toBeVisible();
  await see(page.locator('.shippers-code:visible')).toContainText(face.ingestUrl);
  await see(page.getByText('Waiting for the first batch of hello')).toBeVisible();
  await land(face, 'hello', '{"price":1.10,"who":"  Ada ","big":12345678901234567890.50}\n');
  await see(page.getByRole('heading', { name: 'The first batch has landed' })).toBeVisible();
  await see(page.getByText(/The first batch of hello has landed: 1 row/)).toBeVisible();
  await page.getByRole('button', { name: 'Open hello' }).click();
  const grid = rowsOf(face, 'hello');
  await see(grid).toHaveAttribute('aria-rowcount', '2');
  await seeRow(grid, 0, ['0', '1.10']);
  await see(cellAt(grid, 0, 2)).toHaveText('12345678901234567890.50');
  await see(page.locator('.balance')).toContainText('1 received = 1 landed');
};

/** While a producer sends, figures rise and the ledger stays balanced. */
export const liveCounts = async (face: Face): Promise<void> => {
  const { page } = face;
  await goTo(face, 'streams');
  await page.evaluate(() => {
    (window as unknown as { isSame: boolean }).isSame = true;
  });
  const producer = produce(face, 'meter');
  try {
    const list = page.getByRole('grid', { name: 'Streams' });
    const row = list.getByRole('row').filter({ hasText: 'meter' });
    const rows = async (): Promise<number> =>
      Number((await row.locator('.of-rows').textContent())?.replaceAll(',', '')) || 0;
    await see(row).toHaveCount(1);
    const first = await rows();
    await see.poll(rows).toBeGreaterThan(first);
    const second = await rows();
    await see.poll(rows).toBeGreaterThan(second);
    // On a busy machine batches may take longer than a second, and the stream says so.
    await see(row.getByRole('img', { name: /^(Landing|Lagging)$/ })).toBeVisible();
    await see(page.locator('.balance')).toContainText('Ledger balanced');
  } finally {
    await producer.stop();
  }
  const sent = producer.rows();
  const shown = page.getByRole('row').filter({ hasText: 'meter' }).locator('.of-rows');
  await see(shown).toHaveText(sent.toLocaleString('en-US'));
  await see(page.locator('.balance')).toContainText('Ledger balanced');
  await see(page.locator('.balance')).toContainText('0 refused');
  const isSame = await page.evaluate(() => (window as unknown as { isSame?: boolean }).isSame);
  see(isSame).toBe(true);
};

/** Sends one small batch after another until it is stopped. */
const produce = (face: Face, stream: string) => {
  let isOn = true;
  let rows = 0;
  const done = (async () => {
    while (isOn) {
      await land(face, stream, '{"kwh":0.10}\n{"kwh":0.20}\n{"kwh":0.30}\n');
      rows += 3;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    rows: () => rows,
    stop: async () => {
      isOn = false;
      await done;
    },
  };
};
