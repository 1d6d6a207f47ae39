// Owns set-up's face: one call that makes this clone, or this installed package, ready to run.
// Never prints anything where there is nothing to do, and then loads nothing more than it takes to see that.

import { announceBinding, hasBinding } from './binding.mjs';
import { hasSources } from './places.mjs';
import { isReady } from './ready.mjs';
import { SetUpError } from './say.mjs';

const OLDEST_NODE = [20, 19];

/** Makes this clone ready to run. Takes a few ms where it already is. Throws SetUpError. */
export async function setUp() {
  requireNode();
  // Whoever sets this has set up, and its children must not see changes that others make meanwhile.
  const isDone = process.env.STRATA_SET_UP === 'done';
  if (!hasSources()) requireBinding();
  else if (!isDone && !isReady()) await (await import('./steps.mjs')).takeSteps();
  announceBinding();
}

/** An installed package builds nothing; on an older Node it needs what a clone built before. */
function requireBinding() {
  if (hasBinding()) return;
  throw new SetUpError(`This package needs Node >= 22.14; this is Node ${process.versions.node}.`);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new SetUpError(
    `Strata needs Node >= ${OLDEST_NODE.join('.')}; this is Node ${process.versions.node}.`,
    { advice: 'Install a newer Node, then run this again.' },
  );
}
