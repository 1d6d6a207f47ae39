// Owns holding back answers of the engine from a page, so that a test says when they come.
// Never changes one.

import type { Page } from '@playwright/test';

/** What is held back. */
export interface HeldAnswers {
  /** Resolves when the page has asked. */
  readonly asked: Promise<void>;
  /** Lets what was asked be answered, and what is asked from now on. */
  release(): void;
}

/** Holds back every answer of a procedure, by its place in the contract: `streams/list`. */
export const holdAnswers = async (page: Page, procedure: string): Promise<HeldAnswers> => {
  let hear = (): void => {};
  let release = (): void => {};
  const asked = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/rpc/${procedure}`, async (route) => {
    hear();
    await released;
    await route.continue();
  });
  return { asked, release: () => release() };
};
