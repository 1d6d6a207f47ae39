// Owns asking axe about a page, in light and in dark. Never leaves a rule out.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds: the scheme, the rule, and where. */
export const violations = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page
      .locator(`html[data-mantine-color-scheme="${colorScheme}"]`)
      .waitFor({ state: 'attached' });
    // The page has no frames, so it can be asked without a second one.
    const { violations: broken } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    for (const { id, nodes } of broken) {
      for (const { target, failureSummary } of nodes) {
        found.push(`${colorScheme}: ${id} at ${target.join(' ')}: ${failureSummary}`);
      }
    }
  }
  return found;
};
