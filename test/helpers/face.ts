// Owns what a journey needs of the window, in a browser or in Electron, and finding things on its page.
// Never knows which of the two it is.

import { expect, type Locator, type Page } from '@playwright/test';

export interface Face {
  readonly page: Page;
  readonly ingestUrl: string;
  /** The folder whose folders are knowledgebases. */
  readonly home: string;
  /** The text that was copied last. */
  clipboard(): Promise<string>;
  /** Starts an export and waits for the file that it leaves with the person. */
  exported(start: () => Promise<void>): Promise<{ name: string; bytes: Buffer }>;
  /** Opens a knowledgebase's folder by what is called so: a button and a dialog, or a field for its path. */
  openFolder(label: string, path: string): Promise<void>;
}

/** Expectations that wait as long as a busy machine needs. */
export const see = expect.configure({ timeout: 15_000 });

/** A text in an element that a selector finds, and in that one another, and so on. */
type Shown = readonly [selector: string, text: string, ...within: string[]];

/**
 * Looks from now on, at every change of the page, for what it may show for a moment only. What it answers waits until
 * all of it has been seen.
 */
export const watchFor = async (
  { page }: Pick<Face, 'page'>,
  ...wanted: readonly Shown[]
): Promise<() => Promise<void>> => {
  await page.evaluate((all) => {
    const isIn = (root: ParentNode, [selector, text, ...within]: readonly string[]): boolean =>
      [...root.querySelectorAll(selector ?? '')].some(
        (element) =>
          (element.textContent ?? '').includes(text ?? '') &&
          (within.length === 0 || isIn(element, within)),
      );
    const missing = new Set(all);
    const look = (): void => {
      for (const one of missing) if (isIn(document, one)) missing.delete(one);
    };
    new MutationObserver(look).observe(document, {
      ...{ subtree: true, childList: true, characterData: true, attributes: true },
    });
    look();
    (window as unknown as { missing: typeof missing }).missing = missing;
  }, wanted);
  const missing = () =>
    page.evaluate(() => [...(window as unknown as { missing: Set<Shown> }).missing]);
  return () => see.poll(missing).toEqual([]);
};

/** Lands a body in a stream of `main`, as a producer does. */
export const land = async (face: Face, stream: string, body: string): Promise<void> => {
  const answer = await fetch(`${face.ingestUrl}/knowledgebase/main/strata/ingest/${stream}`, {
    method: 'POST',
    // Each body is a batch of its own, however often a test sends it.
    headers: { 'content-type': 'application/x-ndjson', 'x-batch-id': crypto.randomUUID() },
    body,
    signal: AbortSignal.timeout(20_000),
  });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
};

/** Goes to a place of the window by its address. */
export const goTo = async ({ page }: Face, place: string): Promise<void> => {
  await page.evaluate(async (hash) => {
    const before = location.href;
    const changed = new Promise((resolve) =>
      window.addEventListener('hashchange', resolve, { once: true }),
    );
    location.hash = hash;
    if (location.href === before) return;
    await changed;
    // The window heard of it first, and has drawn the place when what it put off is done.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setTimeout(resolve));
  }, `#/${place}`);
};

/** The grid of a stream's rows. */
export const rowsOf = ({ page }: Face, stream: string): Locator =>
  page.getByRole('grid', { name: `Rows of ${stream}` });

/** A cell by its place: rows and columns from 0, the row's number at -1. */
export const cellAt = (grid: Locator, row: number, column: number): Locator =>
  grid.locator(`[aria-rowindex="${row + 2}"] > [aria-colindex="${column + 2}"]`);

/** The texts of a row's first cells, its number first. */
export const seeRow = async (
  grid: Locator,
  row: number,
  texts: readonly string[],
): Promise<void> => {
  for (const [at, text] of texts.entries()) {
    await see(cellAt(grid, row, at - 1)).toHaveText(text);
  }
};

/** Puts a text in the SQL editor in place of what is there. */
export const writeSql = async ({ page }: Face, sql: string): Promise<void> => {
  const editor = page.getByRole('textbox', { name: 'SQL' });
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(sql);
  await see(editor).toHaveText(sql.replaceAll('\n', ''), { useInnerText: false });
};
