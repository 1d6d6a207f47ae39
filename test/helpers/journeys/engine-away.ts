// Owns the journey of a window whose engine is killed: it says so, keeps its figures, and goes on.
// Never kills anything itself.

import { type Face, goTo, land, see, watchFor } from '../face.ts';

/** Opens the streams with three landed rows of `kept`. */
export const keptStream = async (face: Face): Promise<void> => {
  await land(face, 'kept', '{"a":1}\n{"a":2}\n{"a":3}\n');
  await goTo(face, 'streams');
  await face.page.getByRole('textbox', { name: 'Filter streams by name' }).fill('');
  await see(rowsShown(face)).toHaveText('3');
};

const rowsShown = ({ page }: Face) =>
  page
    .getByRole('grid', { name: 'Streams' })
    .getByRole('row')
    .filter({ hasText: 'kept' })
    .locator('.of-rows');

/** The strip says what happened, and what was on the page stays. */
export const engineGone = async (face: Face, kill: () => Promise<void>): Promise<void> => {
  // The app takes the strip away again when it starts the next engine, half a second later.
  const said = await watchFor(
    face,
    ['[role="alert"]', 'The engine stopped at'],
    ['.status-bar', 'Engine stopped'],
    ['.streams-head', 'as of'],
    ['.streams-row.away', 'kept', '.of-rows', '3'],
  );
  await kill();
  await said();
};

/** The window is well again, and what lands now is counted. */
export const engineBack = async (face: Face): Promise<void> => {
  const { page } = face;
  await see(page.getByRole('alert')).toHaveCount(0);
  await see(page.locator('.balance')).toContainText('Ledger balanced');
  await see(rowsShown(face)).toHaveText('3');
  await land(face, 'kept', '{"a":4}\n');
  await see(rowsShown(face)).toHaveText('4');
};
