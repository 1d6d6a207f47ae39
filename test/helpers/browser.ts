// Owns a Chromium for tests and the window's page in it, against a running server.
// Never fetches a browser: it takes the one of the system.

import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test';
import type { Face } from './face.ts';
import type { Server } from './server.ts';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const program = (): string | undefined =>
  PATHS.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Why the page cannot be opened here; undefined where it can. */
export const whyNoBrowser = (): string | undefined =>
  program() ? undefined : `there is no Chromium (looked for ${PATHS.join(', ')})`;

/** Starts the browser, without a display. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: program() as string,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
    ],
  });

/** The window's page as the address that serve prints opens it. */
export const openFace = async (
  browser: Browser,
  server: Server,
  options: BrowserContextOptions = {},
): Promise<Face> => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(`${server.adminUrl}/#token=${server.adminToken}`);
  return {
    page,
    ingestUrl: server.ingestUrl,
    home: server.home,
    clipboard: () => page.evaluate(() => navigator.clipboard.readText()),
    exported: async (start) => {
      const [download] = await Promise.all([page.waitForEvent('download'), start()]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    },
    openFolder: async (label, path) => {
      await page.getByRole('textbox', { name: label, exact: true }).fill(path);
      await page.keyboard.press('Enter');
    },
  };
};
