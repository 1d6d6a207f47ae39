// Owns clearing up what compactions left that nobody runs any more. The caller holds the lock of compactions.
// Never touches a swap that broke off; settle.ts does.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { claimFolder, isFolderClaimedHere } from '../../knowledgebase/folder-lock.ts';
import {
  type KnowledgebasePaths,
  runOfTransit,
  type StreamPaths,
} from '../../knowledgebase/paths.ts';
import type { Ledger } from '../../ledger/open.ts';

/** The end of names of folders of originals that are being removed. */
export const RETIRED = '.gone';

/** Ends runs of the history that nobody runs; `besides` is one whose swap broke off. */
export const endBrokenRuns = (ledger: Ledger, stream: string, besides: string | undefined): void =>
  ledger.compactions.endBroken(
    stream,
    new Date().toISOString(),
    'It broke off; every file is as it was.',
    besides,
  );

/** Removes folders of originals in whose removal a process died. */
export const sweepRetired = ({ processed }: StreamPaths): void => {
  if (!existsSync(processed)) return;
  const names = new Set(readdirSync(processed));
  for (const name of names) {
    const isOrphan = name.endsWith('.json') && !names.has(name.slice(0, -'.json'.length));
    if (name.endsWith(RETIRED) || isOrphan)
      rmSync(join(processed, name), { recursive: true, force: true });
  }
};

/** Removes what runs left in staging; returns how many went. `besides` is one whose swap broke off. */
export const sweepStaged = (
  paths: KnowledgebasePaths,
  { staging }: StreamPaths,
  besides?: string,
): number =>
  readdirSync(staging).filter((name) => {
    const run = runOfTransit(name);
    return run !== undefined && run !== besides && removeStaged(paths, join(staging, name));
  }).length;

/**
 * Removes a run's folder in staging. Where an undo put files into it, a reader whose ledger was behind may be in them:
 * it goes only while nobody reads. False where somebody does; who sweeps next removes it.
 */
export const removeStaged = (paths: KnowledgebasePaths, folder: string): boolean => {
  const isRead = existsSync(join(folder, 'out')) && !isFolderClaimedHere(paths);
  const claim = isRead ? claimFolder(paths) : undefined;
  if (isRead && !claim) return false;
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } finally {
    claim?.release();
  }
};
