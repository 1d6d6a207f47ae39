// Owns the journeys of how the window looks: into the dark and back, kept when the page is loaded again; its figures.
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

/** Figures are equally wide, and where faces do that themselves, the hyphens of names and dates are not widened to them. */
export const figures = async ({ page }: Face): Promise<void> => {
  await see(page.locator('html')).toHaveAttribute('data-figures', /^(own|asked)$/);
  const widths = await page.evaluate(() => {
    const place = document.body.appendChild(document.createElement('span'));
    place.style.cssText = 'position: absolute; white-space: pre';
    const of = (sign: string): number => {
      place.textContent = sign.repeat(100);
      return place.getBoundingClientRect().width;
    };
    const figures = [...'0123456789'].map(of);
    const found = { figures, hyphen: of('-'), by: document.documentElement.dataset.figures };
    place.remove();
    return found;
  });
  const [zero = 0] = widths.figures;
  see(widths.figures).toEqual(widths.figures.map(() => zero));
  if (widths.by === 'own') see(widths.hyphen).toBeLessThan(zero * 0.8);
};
