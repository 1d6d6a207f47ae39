// What a pulse makes stale: figures of streams, rejects, whatever else another process did.

import { expect, test } from 'vitest';
import type { StreamPulse } from '../../core/model.ts';
import { addPulses, NOTHING_STALE } from '../../renderer/app/stale.ts';

const pulse = (more: Partial<StreamPulse>): StreamPulse => ({
  ...{ knowledgebase: 'lab', stream: 's', at: '2026-01-01T00:00:00.000Z', batches: 0, rows: 0 },
  ...{ replayed: 0, rejected: 0, refused: 0, rejectsChanged: 0, ...more },
});

test.each([
  ['a landing', pulse({ batches: 1, rows: 2 }), ['streams']],
  ['a reject', pulse({ rejected: 1 }), ['streams', 'rejects']],
  ['a reject that changed', pulse({ rejectsChanged: 1 }), ['streams', 'rejects', 'rejectStates']],
  ['another process, in a knowledgebase', pulse({ stream: null }), ['others']],
  ['another process, in the list', pulse({ stream: null, knowledgebase: null }), ['list']],
])('%s', (_, one, names) => {
  const stale = addPulses(NOTHING_STALE, [one]);
  expect(Object.entries(stale).flatMap(([name, is]) => (is ? [name] : []))).toEqual(names);
  // What is stale stays so until it is read again.
  expect(addPulses(stale, [])).toEqual(stale);
});
