// Owns the journey along edges that can be moved: a panel's width, the editor's height, by keys and by the pointer.
// Needs the stream `prices`.

import type { Locator } from '@playwright/test';
import { cellAt, type Face, goTo, rowsOf, see } from '../face.ts';

/** Keys, dragging, a pointer that is taken away, and the sizes kept when the page is loaded again. */
export const movedEdges = async (face: Face): Promise<void> => {
  const { page } = face;
  const panelEdge = page.getByRole('separator', { name: 'Width of the panel' });
  const openPanel = async (): Promise<void> => {
    await goTo(face, 'streams/prices/rows');
    await cellAt(rowsOf(face, 'prices'), 0, 0).click();
  };
  await openPanel();
  await seeSize(panelEdge, 348);
  await seePressed(panelEdge, { ArrowLeft: 368, ArrowRight: 348, End: 640, Home: 300 });
  await seePressed(panelEdge, { ArrowRight: 300, ArrowLeft: 320, ArrowDown: 320 });
  await seeDragged(panelEdge, { x: -45, y: 30 }, 365);
  const panel = page.getByRole('complementary', { name: 'The chosen cell' });
  see((await panel.boundingBox())?.width).toBe(365);

  const editorEdge = page.getByRole('separator', { name: 'Height of the editor' });
  await goTo(face, 'query');
  await seeSize(editorEdge, 196);
  await seePressed(editorEdge, { ArrowDown: 216, ArrowUp: 196, End: 560, Home: 72 });
  await seePressed(editorEdge, { ArrowUp: 72, ArrowDown: 92, ArrowLeft: 92 });
  await seeDragged(editorEdge, { x: 30, y: 45 }, 137);
  see((await page.locator('.query-editor').boundingBox())?.height).toBe(137);

  await page.reload();
  await seeSize(editorEdge, 137);
  await openPanel();
  await seeSize(panelEdge, 365);
};

const seeSize = (edge: Locator, size: number): Promise<void> =>
  see(edge).toHaveAttribute('aria-valuenow', String(size));

/** Presses each key in turn and sees the size that it leaves. */
const seePressed = async (edge: Locator, sizes: Readonly<Record<string, number>>) => {
  await edge.focus();
  for (const [key, size] of Object.entries(sizes)) {
    await edge.press(key);
    await seeSize(edge, size);
  }
};

/** Drags it by so much, then sees that it stays where a pointer that was taken away left it. */
const seeDragged = async (edge: Locator, by: { x: number; y: number }, size: number) => {
  const { mouse } = edge.page();
  const { x, y, width, height } = (await edge.boundingBox()) as {
    [name in 'x' | 'y' | 'width' | 'height']: number;
  };
  const at = { x: x + width / 2, y: y + height / 2 };
  await mouse.move(at.x, at.y);
  await mouse.down();
  await mouse.move(at.x + by.x, at.y + by.y);
  await seeSize(edge, size);
  await edge.dispatchEvent('pointercancel');
  await mouse.move(at.x, at.y);
  await mouse.move(at.x + by.x * 2, at.y + by.y * 2);
  await seeSize(edge, size);
  await mouse.up();
};
