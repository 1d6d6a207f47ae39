// Owns the proof that a person promotes, reviews, applies, compares and restores in the window, against the real server.
// Never reaches past the page, but to send batches and to end the server.

import type { Browser, Locator } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from '../helpers/axe.ts';
import { openBrowser, openFace, whyNoBrowser } from '../helpers/browser.ts';
import { type Face, goTo, land, see, seeRow, writeSql } from '../helpers/face.ts';
import { EXPECTED, PAY, QUESTION } from '../helpers/promotion.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';

const why = whyNoBrowser();
if (why) process.stderr.write(`Journeys of the model are skipped: ${why}.\n`);

/** Shifts of people whom the pay records know. */
const ROSTER = Array.from({ length: 90 }, (_, index) => {
  const person = index % 24;
  return JSON.stringify({
    shift_id: `SH${1_000 + index}`,
    employee_id: `E${1_001 + person}`,
    role: ['trainee', 'engineer', 'lead'][person % 3],
    hours: [6, 8, 10][(index * 5) % 3],
  });
}).join('\n');

/** Pay records of a later month, with a field that was not there before. */
const LATER = PAY.trim()
  .split('\n')
  .slice(0, 12)
  .map((line, index) =>
    JSON.stringify({
      ...JSON.parse(line),
      pay_id: `P1${String(index).padStart(4, '0')}`,
      review_score: `${3 + (index % 7)}.${index}`,
    }),
  )
  .join('\n');

describe.skipIf(why !== undefined)('the model in the window', () => {
  let server: Server;
  let browser: Browser;
  let face: Face;
  beforeAll(async () => {
    server = await startServer({ words: ['--welcome'] });
    browser = await openBrowser();
    // What moves would be asked about by axe on its way.
    face = await openFace(browser, server, { reducedMotion: 'reduce' });
    await land(face, 'pay', PAY);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    removeTempFolders();
  });

  const clean = async (): Promise<void> => expect(await violations(face.page)).toEqual([]);
  const button = (name: string | RegExp, within?: Locator): Locator =>
    (within ?? face.page).getByRole('button', { name });
  const panel = (name: string): Locator => face.page.getByRole('complementary', { name });
  const graph = (): Locator => face.page.getByRole('listbox', { name: 'Graph of types' });
  const nodes = (): Promise<string[]> => graph().locator('.model-node-name').allTextContents();
  const promote = async (stream: string): Promise<void> => {
    await button('Promote a stream…').first().click();
    const dialog = face.page.getByRole('dialog', { name: 'Promote a stream' });
    await dialog.getByRole('combobox', { name: 'Stream' }).click();
    await face.page.getByRole('option', { name: new RegExp(`^${stream},`) }).click();
    await button('Promote', dialog).click();
    await see(dialog).toHaveCount(0);
  };
  const item = (title: string): Locator => button(new RegExp(title), panel('Plan for pay'));

  test('says what promotion is where nothing is modelled', async () => {
    await goTo(face, 'streams');
    await face.page.keyboard.press('g');
    await face.page.keyboard.press('m');
    await see(face.page.getByText('Nothing is modelled yet')).toBeVisible();
    // The window hears of what landed a moment later.
    await see(face.page.getByText('promote main pay')).toBeVisible();
    await button('Copy the command').click();
    await see.poll(() => face.clipboard()).toBe('node bin/strata.mjs promote main pay');
    await clean();
  });

  test('says why a knowledgebase without a store refuses', async () => {
    await goTo(face, 'settings');
    const store = face.page.getByRole('radiogroup', { name: 'Where the model is kept' });
    await store.getByText('None').click();
    await see(face.page.getByText('nothing can be promoted')).toBeVisible();
    await clean();
    await goTo(face, 'model/graph');
    await see(face.page.getByText('This knowledgebase keeps no model')).toBeVisible();
    await promote('pay');
    await see(face.page.getByRole('alert')).toContainText('model store');
    await see(face.page.getByRole('alert')).toContainText(
      'The model and every row are as they were.',
    );
    await clean();
    await button('Close', face.page.getByRole('alert')).click();
    await goTo(face, 'settings');
    await store.getByText('Here').click();
    await see(face.page.getByText('each version copied to its folder')).toBeVisible();
  });

  test('promotes a stream to a plan with its numbers', async () => {
    await goTo(face, 'model/graph');
    await promote('pay');
    await see(panel('Plan for pay')).toContainText('v1, from 60 rows in 1 batch');
    await see(panel('Plan for pay')).toContainText('0 of 6 decided');
    await see(panel('Plan for pay')).toContainText('7 cast, 0 values fail');
    await see(button('Apply as v1')).toBeDisabled();
    await see(panel('Plan for pay')).toContainText('6 decisions left');
    await see(face.page.getByRole('region', { name: 'Sample rows of PayFact' })).toContainText(
      'P00001',
    );
    await see(graph().getByRole('option')).toHaveCount(6);
    await clean();
  });

  test('renames a type by its key, and decides by key', async () => {
    await item('EmploymentType by employment_type').click();
    await face.page.keyboard.press('r');
    const name = face.page.getByRole('textbox', { name: 'New name' });
    await see(name).toBeFocused();
    await name.fill('Contract');
    await face.page.keyboard.press('Enter');
    await see(item('Contract by employment_type')).toBeVisible();
    await see.poll(nodes).toContain('Contract');
    await item('Employee by employee_id').click();
    await face.page.keyboard.press('a');
    await see(panel('Plan for pay')).toContainText('1 of 6 decided');
    await see(item('Employee by employee_id')).toContainText('Accepted');
  });

  test('reads a column another way and shows what fails, and takes it back', async () => {
    const retype = async (column: string, now: string, to: string): Promise<void> => {
      await button(`${column}: ${now}. Change`).click();
      await face.page.getByRole('combobox', { name: 'Read as' }).click();
      await face.page.getByRole('option', { name: to, exact: true }).click();
      await button('Read it so').click();
    };
    await retype('annual_salary', 'BIGINT', 'decimal(18,2)');
    await see(button('annual_salary: DECIMAL(18,2). Change')).toBeVisible();
    await retype('location', 'stays text', 'bigint');
    const failing = face.page.getByRole('list', { name: 'Values that fail' });
    await see(failing.getByRole('listitem').first()).toContainText('Bristol');
    await see(failing.getByRole('link').first()).toHaveAttribute(
      'href',
      /#\/streams\/pay\/rows\?at=/,
    );
    await see(panel('Plan for pay')).toContainText('No longer holds');
    await clean();
    await face.page.keyboard.press('ControlOrMeta+z');
    await see(button('location: stays text. Change')).toBeVisible();
    await see(button('annual_salary: DECIMAL(18,2). Change')).toBeVisible();
  });

  test('says why an edit is not possible, and changes nothing', async () => {
    await item('Department by department').click();
    await face.page.keyboard.press('r');
    const name = face.page.getByRole('textbox', { name: 'New name' });
    await name.fill('Employee');
    await face.page.keyboard.press('Enter');
    await see(face.page.getByRole('alert')).toContainText('There is a type Employee already.');
    await name.press('Escape');
    await see(name).toHaveCount(0);
    await see(item('Department by department')).toBeVisible();
  });

  test('shows the SQL, and applies the plan as the first version', async () => {
    await button('Show SQL').click();
    await see(face.page.getByRole('region', { name: 'SQL of the plan' })).toContainText(
      'CREATE OR REPLACE VIEW ontology."Contract" AS',
    );
    await face.page.keyboard.press('Escape');
    await button(/^Accept the \d left$/).click();
    await see(panel('Plan for pay')).toContainText('6 of 6 decided');
    await face.page.getByRole('textbox', { name: 'Why, for the list of versions' }).fill('Pay');
    await button('Apply as v1').click();
    await see(face.page.getByText('v1 is live.')).toBeVisible();
    await see(face.page.getByRole('link', { name: 'Model v1' })).toBeVisible();
    await see(graph().getByRole('option')).toHaveCount(6);
    const expected = EXPECTED.object_types.map(({ name }) => name);
    expect((await nodes()).sort()).toEqual(
      expected.map((name) => (name === 'EmploymentType' ? 'Contract' : name)).sort(),
    );
    await clean();
  });

  test('goes from node to node by arrows, and opens the type', async () => {
    await graph().focus();
    await face.page.keyboard.press('Home');
    await see(panel('PayFact')).toBeVisible();
    await face.page.keyboard.press('ArrowRight');
    const right = graph().getByRole('option', { selected: true });
    await see(right).not.toHaveAccessibleName(/^PayFact/);
    await face.page.keyboard.press('ArrowLeft');
    await see(right).toHaveAccessibleName(
      /^PayFact.* key pay_id, refers to Employee, Department, /,
    );
    await face.page.keyboard.press('Escape');
    await see(panel('PayFact')).toHaveCount(0);
  });

  test('leads from a row of a type to the batch it came in, and to a query', async () => {
    await goTo(face, 'model/types?type=department');
    const sample = face.page.getByRole('region', { name: 'Sample rows of Department' });
    await see(sample.getByRole('row')).toHaveCount(6);
    await clean();
    await sample.getByRole('link').first().click();
    await see(face.page.getByRole('grid', { name: 'Rows of pay' })).toBeVisible();
    await goTo(face, 'model/types?type=department');
    await button('Query it').click();
    await see(face.page.getByRole('textbox', { name: 'SQL' })).toHaveText(
      'SELECT "department", "cost_center", _batch_id, _lineFROM ontology."Department"LIMIT 100',
      { useInnerText: false },
    );
    await writeSql(face, QUESTION.trim().replaceAll(/\s*\n\s*/g, ' '));
    await face.page.keyboard.press('ControlOrMeta+Enter');
    const answer = face.page.getByRole('grid', { name: 'Answer' });
    await see(answer).toHaveAttribute('aria-rowcount', String(EXPECTED.answer.length + 1));
    for (const [at, [department, average]] of EXPECTED.answer.entries()) {
      // A DOUBLE as DuckDB writes it has a decimal always.
      const text = Number.isInteger(average) ? `${average}.0` : String(average);
      await seeRow(answer, at, [String(at + 1), department, text]);
    }
  });

  test('hands the model over as Markdown and JSON', async () => {
    await goTo(face, 'model/graph');
    const download = async (name: RegExp): Promise<string> => {
      const { name: file, bytes } = await face.exported(async () => {
        await button('Download the model').click();
        await face.page.getByRole('menuitem', { name }).click();
      });
      return `${file}\n${bytes.toString()}`;
    };
    expect(await download(/Markdown/)).toMatch(/^main-model-v1\.md\n.*# /s);
    const json = await download(/JSON/);
    expect(json.split('\n', 1)).toEqual(['main-model-v1.json']);
    expect(JSON.parse(json.slice(json.indexOf('\n'))).model.types).toHaveLength(6);
  });

  test('proposes what changed alone when more has landed', async () => {
    await land(face, 'pay', LATER);
    await promote('pay');
    const plan = panel('Plan for pay');
    await see(plan).toContainText('v1 to v2, from 72 rows in 2 batches');
    await see(plan.locator('.plan-item-title')).toHaveText(['PayFact gains review_score']);
    await see(
      plan.getByRole('region', { name: 'Types of columns' }).getByRole('listitem'),
    ).toHaveCount(1);
    await see(button('17 as before')).toBeVisible();
    await see(graph().locator('.model-node[data-mark="changed"]')).toHaveCount(1);
    await face.page.keyboard.press('a');
    await button('Apply as v2').click();
    await see(face.page.getByText('v2 is live.')).toBeVisible();
  });

  test('compares two versions and restores the first as the third', async () => {
    await goTo(face, 'model/versions');
    const rows = face.page.getByRole('table').getByRole('rowheader');
    await see(rows).toHaveText([/v2live/, /v1/]);
    const diff = panel('Version 2').getByRole('region', { name: 'Difference' });
    await see(diff.getByRole('listitem')).toHaveText([/^\+attribute review_score/]);
    await clean();
    await button('v1').click();
    await button('Restore…').click();
    const dialog = face.page.getByRole('dialog', { name: 'Restore v1?' });
    await see(dialog).toContainText('v1 becomes the newest, as v3');
    await button('Restore as v3', dialog).click();
    await see(rows).toHaveText([/v3live/, /v2/, /v1/]);
    await see(panel('Version 3')).toContainText('v1 restored');
  });

  test('says that a plan is out of date, and promotes again', async () => {
    await goTo(face, 'model/graph');
    await promote('pay');
    await see(panel('Plan for pay')).toContainText('v3 to v4');
    await goTo(face, 'model/versions');
    await button('v2').click();
    await button('Restore…').click();
    await button('Restore as v4').click();
    await see(panel('Version 4')).toBeVisible();
    await goTo(face, 'model/graph');
    await see(face.page.getByRole('alert')).toContainText(
      'The model has changed since this plan was made',
    );
    await see(button('Apply as v5')).toBeDisabled();
    await clean();
    await button('Promote pay again').click();
    await see(
      face.page.getByText('Nothing has changed since v4: 72 rows in 2 batches were looked at.'),
    ).toBeVisible();
  });

  test('finds its types and promotion in the palette', async () => {
    const run = async (words: string, action: RegExp): Promise<void> => {
      await face.page.keyboard.press('ControlOrMeta+k');
      const palette = face.page.getByRole('dialog', { name: 'Search or run a command' });
      const field = palette.getByRole('textbox');
      await see(field).toBeFocused();
      await field.fill(words);
      await see(palette.getByRole('button')).toHaveText([action]);
      await face.page.keyboard.press('Enter');
      await see(palette).toHaveCount(0);
    };
    await run('Contract', /^Contract/);
    await see(panel('Contract')).toBeVisible();
    await run('Promote pay', /^Promote pay…/);
    const dialog = face.page.getByRole('dialog', { name: 'Promote a stream' });
    await see(dialog.getByRole('combobox', { name: 'Stream' })).toHaveValue(/^pay,/);
    await clean();
    await face.page.keyboard.press('Escape');
    await see(dialog).toHaveCount(0);
  });

  test('merges with a type that it knows, keeps apart, refuses, and takes each back', async () => {
    await land(face, 'roster', ROSTER);
    await goTo(face, 'model/graph');
    await promote('roster');
    const plan = panel('Plan for roster');
    const employee = button(
      /employee_id/,
      plan.getByRole('region', { name: 'Types', exact: true }),
    );
    // The first that is undecided is open already.
    await see(employee.first()).toHaveAttribute('aria-expanded', 'true');
    await see(plan.getByText('Match to Employee')).toBeVisible();
    await see(plan.getByText('24 of 24 values known')).toBeVisible();
    const counted = (words: string): Promise<void> =>
      see(plan.locator('.plan-decided')).toHaveText(words);
    const all = await plan.locator('.plan-item').count();
    await face.page.keyboard.press('m');
    await counted(`1 of ${all} decided`);
    await see(plan.getByText('Merged')).toBeVisible();
    await employee.first().click();
    await face.page.keyboard.press('a');
    await see(plan.getByRole('button', { name: /^new .* by employee_id/ })).toContainText(
      'Accepted',
    );
    await see(plan.getByText('Merged')).toHaveCount(0);
    await clean();
    await face.page.keyboard.press('ControlOrMeta+z');
    await see(plan.getByRole('button', { name: /^new .* by employee_id/ })).toHaveCount(0);
    const fact = button(/RosterFact/, plan).first();
    // A press on the one that is open would close it.
    if ((await fact.getAttribute('aria-expanded')) !== 'true') await fact.click();
    await see(fact).toHaveAttribute('aria-expanded', 'true');
    await see(button('Refuse X', plan)).toBeEnabled();
    await face.page.keyboard.press('x');
    await see(plan.getByText('Refused', { exact: true })).toBeVisible();
    await face.page.keyboard.press('ControlOrMeta+z');
    await see(plan.getByText('Refused', { exact: true })).toHaveCount(0);
  });

  test('lies over the graph where it is narrow, and is refused as a whole', async () => {
    await face.page.setViewportSize({ width: 900, height: 700 });
    await clean();
    await button('Close the plan').click();
    await see(panel('Plan for roster')).toHaveCount(0);
    await button('Review the plan').click();
    await button('Refuse plan').click();
    const dialog = face.page.getByRole('dialog', { name: 'Refuse the plan of roster?' });
    await button('Refuse plan', dialog).click();
    await see(panel('Plan for roster')).toHaveCount(0);
    await see(graph().getByRole('option')).toHaveCount(6);
    await face.page.setViewportSize({ width: 1440, height: 900 });
  });

  test('keeps what it showed while the engine is away', async () => {
    await goTo(face, 'model/graph');
    await see(graph().getByRole('option')).toHaveCount(6);
    await server.kill();
    await see(face.page.getByRole('alert').first()).toBeVisible();
    await see(graph().getByRole('option')).toHaveCount(6);
    await see(button('Promote a stream…')).toBeDisabled();
    await clean();
  });
});
