// Owns setting a file of data/ aside into failed/, with why, and what was set aside there.
// Never deletes one.

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamPaths } from '../knowledgebase/paths.ts';
import { moveAside, WHY_SUFFIX } from '../lake/move-aside.ts';
import { findFile } from '../lake/swap/places.ts';
import type { Alert } from '../ledger/alerts.ts';

/** Moves a file out of where views read; the reason is written beside it. */
export const setAside = (stream: StreamPaths, file: string, reason: string): void => {
  const from = findFile(stream, file);
  if (from === undefined) return;
  moveAside(stream, from, file, reason);
};

/** The files of failed/ that were set aside there, with why and when. */
export const listSetAside = ({ failed }: StreamPaths): Omit<Alert, 'kind'>[] => {
  const names = new Set(readdirSync(failed));
  return [...names]
    .filter((name) => name.endsWith('.parquet'))
    .map((file) => ({
      file,
      // A crash may have come between the two.
      reason: names.has(`${file}${WHY_SUFFIX}`)
        ? readFileSync(join(failed, `${file}${WHY_SUFFIX}`), 'utf8').trim()
        : 'It was set aside.',
      at: lstatSync(join(failed, file)).ctime.toISOString(),
    }));
};
