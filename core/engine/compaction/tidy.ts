// Owns clearing up what compactions left that nobody runs any more. The caller holds the lock of compactions.
// Never touches a swap that broke off; settle.ts does.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runOfTransit, type StreamPaths } from '../../knowledgebase/paths.ts';
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

/** Removes what runs left in staging; returns how many there were. `besides` is one whose swap broke off. */
export const sweepStaged = ({ staging }: StreamPaths, besides?: string): number => {
  let swept = 0;
  for (const name of readdirSync(staging)) {
    const run = runOfTransit(name);
    if (run === undefined || run === besides) continue;
    rmSync(join(staging, name), { recursive: true, force: true });
    swept += 1;
  }
  return swept;
};
