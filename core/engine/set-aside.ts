// Owns setting a file of data/ aside into failed/, with why, and what was set aside there.
// Never deletes one.

import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renameRetrying, syncFolder } from '../durable.ts';
import type { StreamPaths } from '../knowledgebase/paths.ts';
import { findFile } from '../lake/swap/places.ts';
import type { Alert } from '../ledger/alerts.ts';

/** Moves a file out of where views read; the reason is written beside it. */
export const setAside = (stream: StreamPaths, file: string, reason: string): void => {
  const from = findFile(stream, file);
  if (from === undefined) return;
  const name = file.replaceAll('/', '__');
  let target = join(stream.failed, name);
  for (let copy = 2; existsSync(target); copy += 1) target = join(stream.failed, `${copy}~${name}`);
  renameRetrying(from, target);
  writeFileSync(`${target}${WHY_SUFFIX}`, `${reason}\n`);
  syncFolder(stream.failed);
  syncFolder(dirname(from));
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

/** The end of the name of why a file was set aside, after the file's own. */
const WHY_SUFFIX = '.txt';
