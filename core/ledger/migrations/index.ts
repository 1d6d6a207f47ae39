// Owns the order of the ledger's migrations. Never reads or writes rows.

import { initial } from './001-initial.ts';
import { placesAndQueries } from './002-places-and-queries.ts';
import { alerts } from './003-alerts.ts';
import { rejects } from './004-rejects.ts';
import { compaction } from './005-compaction.ts';
import { ontology } from './006-ontology.ts';

/** Migration n brings `PRAGMA user_version` from n to n + 1. */
export const MIGRATIONS: readonly string[] = [
  initial,
  placesAndQueries,
  alerts,
  rejects,
  compaction,
  ontology,
];
