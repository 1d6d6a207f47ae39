// Owns mends and selections as the contract takes them: our types are readonly, its inputs are not. Never changes one.

import type { Mend, RejectSelection } from '../../core/model.ts';

/** A mend as the contract takes it. */
export const givenMend = ({ body, edits, fixes }: Mend) => ({
  ...(body ? { body } : {}),
  ...(edits ? { edits: [...edits] } : {}),
  ...(fixes ? { fixes: [...fixes] } : {}),
});

/** A selection as the contract takes it. */
export const givenSelection = (selection: RejectSelection) =>
  'rejects' in selection ? { rejects: [...selection.rejects] } : selection;
