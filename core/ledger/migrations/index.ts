// Owns the order of the ledger's migrations. Never reads or writes rows.

import { initial } from './001-initial.ts';
import { placesAndQueries } from './002-places-and-queries.ts';
import { compaction } from './004-compaction.ts';

/** Migration n brings `PRAGMA user_version` from n to n + 1. */
export const MIGRATIONS: readonly string[] = [initial, placesAndQueries, compaction];
