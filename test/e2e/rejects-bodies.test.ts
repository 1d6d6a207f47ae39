// Owns the proof that any body can be looked at: what cannot be seen is named, markup is text, and size does not freeze
// the window; and that axe finds nothing on the way. Never asserts a time: frames are measured and printed.

import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { violations } from '../helpers/axe.ts';
import { openBrowser, openFace, whyNoBrowser } from '../helpers/browser.ts';
import { type Face, goTo, see } from '../helpers/face.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { open, parts, reject } from './rejects-steps.ts';

const why = whyNoBrowser();
const LONG = 1_000_000;
/** More than the body is ever shown in one element: a piece is some rows of text. */
const MOST_IN_ONE = 20_000;

describe.skipIf(why !== undefined)('a body', () => {
  let server: Server;
  let admin: AdminClient;
  let browser: Browser;
  let face: Face;
  beforeAll(async () => {
    server = await startServer({ words: ['--welcome'] });
    admin = adminOf(server);
    browser = await openBrowser();
    face = await openFace(browser, server, { reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    removeTempFolders();
  });
  const clean = async (): Promise<void> => {
    expect(await violations(face.page)).toEqual([]);
  };

  /** Starts measuring frames; what it answers stops and says the longest, in ms. */
  const frames = async (): Promise<() => Promise<number>> => {
    await face.page.evaluate(() => {
      const seen = window as unknown as { longest: number; isMeasured: boolean };
      seen.longest = 0;
      seen.isMeasured = true;
      let last = performance.now();
      const look = (now: number): void => {
        seen.longest = Math.max(seen.longest, now - last);
        last = now;
        if (seen.isMeasured) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    return () =>
      face.page.evaluate(() => {
        const seen = window as unknown as { longest: number; isMeasured: boolean };
        seen.isMeasured = false;
        return Math.round(seen.longest);
      });
  };

  /** The most text that one element without children has, in the body and in the diff. */
  const mostInOne = (): Promise<number> =>
    face.page.evaluate(() =>
      [...document.querySelectorAll('.body .body-line, .diff .diff-text')].reduce(
        (most, { textContent }) => Math.max(most, textContent?.length ?? 0),
        0,
      ),
    );

  test('that is markup and turns its direction is shown as text, with marks', async () => {
    const { page } = face;
    let isDone = false;
    page.on('dialog', () => {
      isDone = true;
    });
    const evil = '\u202e<img src=x onerror=alert(1)><script>alert(2)</script>\u0007';
    const sent = await reject(server, 'evil', `{"${evil}":1\n{"b":"${evil}"}\n`);
    await open(face, sent);
    const { body, fix } = parts(face);
    await see(body).toContainText('<img src=x onerror=alert(1)><script>alert(2)</script>');
    await see(body.locator('.cell-mark', { hasText: 'U+202E' }).first()).toBeVisible();
    await see(body.locator('.cell-mark', { hasText: 'U+0007' }).first()).toBeVisible();
    await see(fix.locator('.diff')).toContainText('<script>alert(2)</script>');
    await see(page.locator('main img, main script')).toHaveCount(0);
    expect(isDone).toBe(false);
    // Nowhere on the page is the character itself, but in the text of the editor.
    const raw = await page.evaluate(() => document.body.textContent?.includes('\u202e'));
    expect(raw).toBe(false);
    await clean();
    await page.getByRole('button', { name: 'Edit' }).click();
    await see(parts(face).editor).toBeVisible();
    await see(page.locator('.body-editor .cell-mark').first()).toHaveText('U+202E');
    await clean();
  });

  test('of a megabyte on one line is shown in pieces, its fault in view', async () => {
    const { page } = face;
    const { body } = parts(face);
    const sent = await reject(server, 'mega', `{"a":"${'é→😀 word '.repeat(LONG / 15)}" "b":1}\n`);
    await goTo(face, 'streams');
    const longest = await frames();
    await open(face, sent);
    await see(body.locator('.seg-solid')).toBeInViewport();
    await see(body).toContainText('is expected.');
    await body.hover();
    await see
      .poll(async () => {
        await page.mouse.wheel(0, -20_000);
        return body.locator('.body-number').first().textContent();
      })
      .toBe('1');
    const ms = await longest();
    process.stdout.write(`1 MB on one line: the longest frame took ${ms} ms\n`);
    expect(await mostInOne()).toBeLessThan(MOST_IN_ONE);
    await page.getByText('Hex', { exact: true }).click();
    await see(body.locator('.hex-row .seg-solid').first()).toBeInViewport();
    await clean();
  });

  test('nested to the limit, and far beyond it, is shown and marked', async () => {
    const { body, fix } = parts(face);
    for (const depth of [65, LONG / 2 - 20]) {
      const value = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      const sent = await reject(server, 'deep', `{"deep":${value}}\n`);
      await goTo(face, 'streams');
      const longest = await frames();
      await open(face, sent);
      await see(body.locator('.seg-solid')).toBeInViewport();
      await see(body).toContainText('The value is nested deeper than 64 levels.');
      await see(fix).toBeVisible();
      process.stdout.write(`${depth} levels: the longest frame took ${await longest()} ms\n`);
      expect(await mostInOne()).toBeLessThan(MOST_IN_ONE);
    }
  });

  test('of many lines goes to the last of them', async () => {
    const { page } = face;
    const { body } = parts(face);
    const sent = await reject(server, 'long', `${'{"a":1}\n'.repeat(100_000)}x\n`);
    await goTo(face, 'streams');
    const longest = await frames();
    await open(face, sent);
    await see(body.locator('[data-line="100001"][data-bad]')).toBeInViewport();
    await see(body).toContainText('100,000 of 100,001 lines are good');
    const drawn = await page.locator('.body-row').count();
    process.stdout.write(
      `100,001 lines: ${drawn} drawn, the longest frame took ${await longest()} ms\n`,
    );
    expect(drawn).toBeLessThan(120);
    await clean();
  });

  test('is one of many: the inbox goes to the last of them', async () => {
    const { page } = face;
    const { inbox } = parts(face);
    const MANY = 460;
    for (let at = 0; at < MANY; at += 20) {
      const some = Array.from({ length: 20 }, (_, one) => `{"n":${at + one}\n`);
      await Promise.all(some.map((text) => reject(server, 'many', text)));
    }
    await goTo(face, 'streams/many/rejects');
    await inbox.getByText(`${MANY - 7} more`).click();
    await inbox.focus();
    const longest = await frames();
    await press(page, 'End');
    await see(inbox.locator('[data-active]')).toBeInViewport();
    process.stdout.write(
      `${MANY} rejects of a cause: the longest frame took ${await longest()} ms\n`,
    );
    expect(await inbox.getByRole('treeitem').count()).toBeLessThan(120);
    await clean();
  });

  test('is looked at where the window is narrow, without a fault for axe', async () => {
    const { page } = face;
    await page.setViewportSize({ width: 760, height: 700 });
    await goTo(face, 'streams');
    await goTo(face, 'rejects');
    await see(page.getByRole('complementary', { name: 'Fix' })).toBeHidden();
    await page.getByRole('button', { name: 'Fix', exact: true }).click();
    await see(page.getByRole('complementary', { name: 'Fix' })).toBeVisible();
    await clean();
    await page.keyboard.press('Escape');
    await see(page.getByRole('complementary', { name: 'Fix' })).toBeHidden();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('is asked about, kept, put aside, without a fault for axe', async () => {
    const { page } = face;
    const { fix } = parts(face);
    await fix.getByRole('button', { name: 'Discard' }).click();
    await see(page.getByRole('button', { name: 'Keep' })).toBeFocused();
    await clean();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Retention' }).click();
    await see(page.getByRole('dialog')).toContainText('Nothing would go now.');
    await clean();
    await page.keyboard.press('Escape');
  });

  for (const tab of ['Replayed', 'Discarded', 'Recipes']) {
    test(`under ${tab} is none yet, without a fault for axe`, async () => {
      const { page } = face;
      await page.getByRole('tab', { name: tab }).click();
      await see(page.getByRole('heading', { level: 2 })).toBeVisible();
      await clean();
    });
  }

  test("has its stream's settings, without a fault for axe", async () => {
    await goTo(face, 'streams/evil/settings');
    const setting = face.page.getByRole('switch', { name: 'Land the good lines of a batch' });
    await see(setting).toBeVisible();
    await clean();
  });

  test('stays in view while the engine is away', async () => {
    const { page } = face;
    const { fix, inbox } = parts(face);
    const sent = await reject(server, 'away', '{"a":1}{"a":2}\n');
    await open(face, sent);
    await see(fix.getByRole('button', { name: 'Replay 1' })).toBeEnabled();
    const proof = await admin.knowledgebases.verify({ knowledgebase: 'main' });
    expect([proof.holds, proof.streams.flatMap(({ differences }) => differences)]).toEqual([
      true,
      [],
    ]);
    await server.kill();
    await see(page.getByRole('alert').first()).toBeVisible();
    await see(fix.getByRole('button', { name: 'Replay 1' })).toBeDisabled();
    await see(inbox.getByRole('treeitem', { name: 'Two objects on one line' })).toBeVisible();
    await see(parts(face).body).toContainText('{"a":1}{"a":2}');
    await clean();
  });
});

/** Presses a key in the inbox until the line it leads to stays the same: more may be fetched on the way. */
const press = async (page: Face['page'], key: string): Promise<void> => {
  let before: string | null = null;
  await see
    .poll(async () => {
      await page.keyboard.press(key);
      const now = await page.evaluate(
        () => document.querySelector('.inbox-list [data-active]')?.textContent ?? null,
      );
      const isSame = now !== null && now === before && !now.includes('Reading');
      before = now;
      return isSame;
    })
    .toBe(true);
};
