// Owns setting files of data/ aside that cannot stay, where queries can read them: only while nobody does.
// Never waits; whoever wants it tries again.

import { claimDuckdb, claimFolder } from '../knowledgebase/folder-lock.ts';
import type { KnowledgebasePaths, StreamPaths } from '../knowledgebase/paths.ts';
import type { Ledger } from '../ledger/open.ts';
import { compareFiles } from './data-files.ts';
import { recordFiles } from './recover-files.ts';
import { listSetAside, setAside } from './set-aside.ts';

/** Does it at once, alone among Strata's processes; undefined where one reads. */
export const whileNobodyReads = <T>(paths: KnowledgebasePaths, work: () => T): T | undefined => {
  const files = claimFolder(paths);
  try {
    const duckdb = files && claimDuckdb(paths);
    if (!duckdb) return undefined;
    try {
      return work();
    } finally {
      duckdb.release();
    }
  } finally {
    files?.release();
  }
};

/** Sets the copies of streams aside; returns them with their streams. */
export const copiesOf = (
  paths: KnowledgebasePaths,
  ledger: Ledger,
  streams: readonly string[],
): string[] =>
  streams.flatMap((id) =>
    setCopiesAside(ledger, id, paths.stream(id)).map((file) => `${id}/${file}`),
  );

/** Sets aside every file of a stream that cannot stay; returns them. The caller has seen to it that nobody reads. */
export const setCopiesAside = (ledger: Ledger, id: string, stream: StreamPaths): string[] => {
  const { unknown, broken } = compareFiles(ledger, id, stream);
  // A copy is one of a batch that the ledger has; it may be on its way there.
  recordFiles(ledger, id, stream, unknown);
  for (const one of broken) putAside(ledger, id, stream, one);
  ledger.alerts.settle(id, 'set-aside', listSetAside(stream));
  return broken.map(({ file }) => file);
};

/** Sets one file aside, and says so. */
export const putAside = (
  ledger: Ledger,
  id: string,
  stream: StreamPaths,
  { file, reason }: { readonly file: string; readonly reason: string },
): void => {
  setAside(stream, file, reason);
  alert(ledger, id, 'file-set-aside', `${file} was set aside in failed/: ${reason}`);
};

/** Notes something that a person is to see. */
export const alert = (ledger: Ledger, stream: string, kind: string, message: string): void =>
  ledger.events.add({ at: new Date().toISOString(), level: 'error', kind, stream, message });
