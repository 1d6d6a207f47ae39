// Owns the journeys of a query: completion, an answer, an error at its place, cancel, export.
// Needs a stream `prices` of two columns; `landPrices` makes it.

import { cellAt, type Face, goTo, land, see, seeRow, writeSql } from '../face.ts';

/** The rows that the journeys ask for. */
export const landPrices = (face: Face): Promise<void> =>
  land(
    face,
    'prices',
    [
      '{"item":"apple","price":1.10}',
      '{"item":"two\\nlines","price":2.0}',
      '{"item":"a,\\"b\\"","price":null}',
      '{"item":"","price":1e3}',
      '',
    ].join('\n'),
  );

const ANSWER = { name: 'Answer' } as const;

/** A query that completion helps to write, and its rows. */
export const completedQuery = async (face: Face): Promise<void> => {
  const { page } = face;
  await goTo(face, 'query');
  await writeSql(face, 'SELECT * FROM ');
  await page.keyboard.type('pric');
  const offers = page.getByRole('listbox');
  await offers
    .getByRole('option', { name: /prices/ })
    .first()
    .click();
  const editor = page.getByRole('textbox', { name: 'SQL' });
  await see(editor).toHaveText('SELECT * FROM raw_extracted."stream_prices"');
  // A column of the stream is offered once the stream is named.
  await page.keyboard.type(' ORDER BY pri');
  await see(offers.getByRole('option', { name: /^price/ }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.type('ce');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+Enter');
  const grid = page.getByRole('grid', ANSWER);
  await see(grid).toHaveAttribute('aria-rowcount', '5');
  await see(page.locator('.result-bar')).toContainText('4 rows');
  await seeRow(grid, 0, ['1', 'apple', '1.10']);
  await see(cellAt(grid, 3, 1)).toHaveText('null');
};

/** Keywords in capitals and clauses on lines; a part of the text runs alone, and its error stands at its place. */
export const formattedQuery = async (face: Face): Promise<void> => {
  const { page } = face;
  await goTo(face, 'query');
  await writeSql(
    face,
    'select item, \'from  where\' as "As" from raw_extracted.stream_prices where price is not null -- two\norder by 1',
  );
  await page.getByRole('button', { name: 'Format' }).click();
  const lines = page.locator('.cm-line');
  await see(lines).toHaveText([
    'SELECT item,',
    '       \'from  where\' AS "As"',
    'FROM raw_extracted.stream_prices',
    'WHERE price IS NOT NULL -- two',
    'ORDER BY 1',
  ]);
  await page.keyboard.press('ControlOrMeta+Enter');
  await seeRow(page.getByRole('grid', ANSWER), 0, ['1', 'empty', 'from  where']);

  await writeSql(face, 'SELECT 1 AS first;\nSELECT prise FROM raw_extracted.stream_prices');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await see(page.getByRole('button', { name: /^Run selection/ })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await see(page.locator('.cm-lintRange-error').first()).toHaveText('prise');
  await page.getByRole('button', { name: 'Go to line 2, column 8' }).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('ControlOrMeta+Enter');
  await see(page.locator('.result-bar')).toContainText('of the selection');
  await seeRow(page.getByRole('grid', ANSWER), 0, ['1', '1']);
};

/** A row with its batch and line leads to the same row in the stream, past the lines that were blank. */
export const queriedRow = async (face: Face): Promise<void> => {
  const { page } = face;
  await land(face, 'blanks', '\n{"a":"one"}\n\n\n{"a":"two"}\n{"a":"three"}\n\n{"a":"four"}\n');
  await goTo(face, 'query');
  await writeSql(
    face,
    'SELECT a, _batch_id, _line FROM raw_extracted.stream_blanks ORDER BY _line',
  );
  await page.keyboard.press('ControlOrMeta+Enter');
  const answer = page.getByRole('grid', ANSWER);
  await seeRow(answer, 2, ['3', 'three']);
  await cellAt(answer, 2, 0).click();
  await see(page.getByRole('link', { name: 'Show it in blanks' })).toBeVisible();
  await see(page.getByRole('complementary', { name: 'Value' })).toContainText('line 6');
  await page.keyboard.press('p');
  const panel = page.getByRole('complementary', { name: 'The chosen cell' });
  await see(panel).toContainText('Line 6');
  await see(panel).toContainText('row 2');
  await see(panel.getByRole('region', { name: 'Value of a' })).toHaveText('three');
};

/** An error is marked where it is, and a link leads there. */
export const markedError = async (face: Face): Promise<void> => {
  const { page } = face;
  await goTo(face, 'query');
  await writeSql(face, 'SELECT item,\n  prise FROM raw_extracted.stream_prices');
  await page.keyboard.press('ControlOrMeta+Enter');
  await see(page.locator('.results-failed')).toContainText('prise');
  await see(page.locator('.result-bar')).toContainText('The query failed');
  await see(page.locator('.cm-lintRange-error').first()).toHaveText('prise');
  await page.getByRole('button', { name: 'Go to line 2, column 3' }).click();
  await page.keyboard.insertText('price AS ');
  await see(page.getByRole('textbox', { name: 'SQL' })).toContainText('price AS prise FROM');
  await page.keyboard.press('ControlOrMeta+Enter');
  await see(page.getByRole('grid', ANSWER)).toHaveAttribute('aria-rowcount', '5');
  await see(page.locator('.cm-lintRange-error')).toHaveCount(0);
};

/** A query that would run for hours ends when it is told to, and the next one runs. */
export const cancelledQuery = async (face: Face): Promise<void> => {
  const { page } = face;
  await goTo(face, 'query');
  await writeSql(face, 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b');
  await page.getByRole('button', { name: /^Run/ }).click();
  await see(page.locator('.result-bar')).toContainText('Running');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await see(page.locator('.result-bar')).toContainText('Cancelled');
  await writeSql(face, 'SELECT 42 AS answer');
  await page.keyboard.press('ControlOrMeta+Enter');
  await seeRow(page.getByRole('grid', ANSWER), 0, ['1', '42']);
};

/** The answer as a CSV file, to the byte. */
export const exportedCsv = async (face: Face): Promise<void> => {
  const { page } = face;
  await goTo(face, 'query');
  await writeSql(face, 'SELECT item, price FROM raw_extracted.stream_prices');
  await page.keyboard.press('ControlOrMeta+Enter');
  await see(page.getByRole('grid', ANSWER)).toHaveAttribute('aria-rowcount', '5');
  const { name, bytes } = await face.exported(async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
  });
  see(name).toMatch(/\.csv$/);
  see(bytes.toString('utf8')).toBe(
    'item,price\r\napple,1.10\r\n"two\nlines",2.0\r\n"a,""b""",\r\n"",1e3\r\n',
  );
  await see(page.getByText('4 rows to CSV')).toBeVisible();
};
