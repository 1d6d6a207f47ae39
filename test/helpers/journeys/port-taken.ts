// Owns the journey of an app whose port is taken: it names who has it, takes another, and a row lands there.
// Never holds the port itself.

import type { Page } from '@playwright/test';
import { see } from '../face.ts';

/** The strip with the holder's name leads to an engine that listens on `free`. */
export const otherPort = async (page: Page, taken: number, free: number): Promise<void> => {
  const strip = page.getByRole('alert');
  await see(strip).toContainText(String(taken));
  // Who has a port can be told on Linux alone.
  const holder = process.platform === 'linux' ? `by node (process ${process.pid})` : 'is taken';
  await see(strip).toContainText(holder);
  await strip.getByRole('textbox', { name: 'Port' }).fill(String(free));
  await strip.getByRole('button', { name: 'Use this port' }).click();
  await see(page.locator('.listener .mono')).toHaveText(`127.0.0.1:${free}`);
  await see(strip).toHaveCount(0);
  const answer = await fetch(`http://127.0.0.1:${free}/knowledgebase/main/strata/ingest/hello`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: '{"price":1.10}\n',
  });
  see(answer.status).toBe(200);
  await see(page.getByText(/The first batch of hello has landed: 1 row/)).toBeVisible();
};
