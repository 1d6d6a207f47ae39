// Owns the copies of the model's versions in the folder: what a lost ledger gets them back from.
// Never the truth while the store has them.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFile, makeFolder, replaceFile } from '../durable.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import type { Ledger } from '../ledger/open.ts';
import type { ModelVersion, StoreStatus } from '../model.ts';

/** Copies a version, durably. Of a shared model only the newest is copied, for when its store cannot be reached. */
export const writeCopy = (
  paths: KnowledgebasePaths,
  kind: StoreStatus['kind'],
  version: ModelVersion,
): void => {
  makeFolder(paths.models);
  const text = `${JSON.stringify(version, null, 1)}\n`;
  if (kind === 'postgres') replaceFile(paths.sharedModel, text);
  else createFile(paths.modelVersion(version.version), text);
};

/** The newest version of a shared model, as this folder last saw it. */
export const readSharedCopy = ({ sharedModel }: KnowledgebasePaths): ModelVersion | undefined =>
  existsSync(sharedModel) ? readCopy(sharedModel) : undefined;

/**
 * Brings ledger and copies in line: a ledger that was made anew gets the versions that the folder has, and a version
 * whose copy a crash kept from the folder is copied. Returns how many versions the ledger got.
 */
export const recoverCopies = (paths: KnowledgebasePaths, ledger: Ledger): number => {
  const copies = existsSync(paths.models) ? readdirSync(paths.models) : [];
  const found = copies
    .flatMap((name) => /^v(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
  let recovered = 0;
  const newest = ledger.modelVersions.newest() ?? 0;
  for (const number of found.filter((one) => one > newest)) {
    // Without gaps: what stands after one that is missing was never the newest of this model.
    if (number !== newest + recovered + 1) break;
    const version = readCopy(join(paths.models, `v${number}.json`));
    if (!version || !ledger.modelVersions.add(version)) break;
    recovered += 1;
  }
  for (const { version } of ledger.modelVersions.list()) {
    if (found.includes(version)) continue;
    const whole = ledger.modelVersions.get(version);
    if (whole) writeCopy(paths, 'sqlite', whole);
  }
  return recovered;
};

const readCopy = (path: string): ModelVersion | undefined => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ModelVersion;
  } catch {
    // A copy is written whole or not at all; whoever changed it since has made it worthless.
    return undefined;
  }
};
