// Owns the journey into the dark and back: chosen in the settings, kept when the page is loaded again.
// Never looks at a colour that is not of the theme.

import { type Face, goTo, see } from '../face.ts';

/** Dark, still dark after loading again, and as the system has it in the end. */
export const darkMode = async (face: Face): Promise<void> => {
  const { page } = face;
  const root = page.locator('html');
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await goTo(face, 'settings');
  await page.getByText('Light', { exact: true }).click();
  await see(root).toHaveAttribute('data-mantine-color-scheme', 'light');
  await see.poll(paper).toBe('rgb(255, 255, 255)');
  await page.getByText('Dark', { exact: true }).click();
  await see(root).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await see.poll(paper).toBe('rgb(21, 24, 27)');
  await page.reload();
  await see(root).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await see(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await see.poll(paper).toBe('rgb(21, 24, 27)');
  await page.getByText('System', { exact: true }).click();
};
