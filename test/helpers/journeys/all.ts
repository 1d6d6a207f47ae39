// Owns the one list of journeys that the window is taken through, in whichever face. They build on each other, in order.
// Never knows the face; what only one of them can do is in its own test.

import type { Face } from '../face.ts';
import { darkMode, figures } from './appearance.ts';
import { firstStartByKeys, movedFolder } from './carried.ts';
import { movedEdges } from './edges.ts';
import { keysAlone } from './keyboard.ts';
import { firstRow, liveCounts } from './landing.ts';
import {
  cancelledQuery,
  completedQuery,
  exportedCsv,
  formattedQuery,
  landPrices,
  markedError,
  queriedRow,
} from './querying.ts';
import { copiedCell, filteredRows, landLarge, lastRow } from './rows.ts';
import { landTenMillion, lastOfTenMillion } from './ten-million.ts';

/** A journey: what it proves, and taking it. */
export type Journey = readonly [name: string, take: (face: Face) => Promise<void>];

/** All of them. */
export const JOURNEYS: readonly Journey[] = [
  ['goes from an empty knowledgebase to the first landed row', firstRow],
  ['counts while a producer runs', liveCounts],
  [
    'takes in streams',
    async (face) => {
      await landPrices(face);
      await landLarge(face);
    },
  ],
  ['completes a query and shows its rows', completedQuery],
  ['formats a query, and runs what is selected of it', formattedQuery],
  ['leads from a row of an answer to its line in the stream', queriedRow],
  ['marks an error at its place', markedError],
  ['cancels a long query', cancelledQuery],
  ['exports an answer to CSV', exportedCsv],
  ['reaches the last row in both orders', lastRow],
  ['copies a cell as it is', copiedCell],
  ['filters and finds rows', filteredRows],
  ['moves the edges of panels and of the editor', movedEdges],
  ['works by keys alone', keysAlone],
  ['begins by keys alone', firstStartByKeys],
  ['opens a knowledgebase where it was moved to', movedFolder],
  ['stays dark', darkMode],
  ['has figures of one width', figures],
  ['takes in ten million rows', landTenMillion],
  ['scrolls to the last of ten million rows', lastOfTenMillion],
];
