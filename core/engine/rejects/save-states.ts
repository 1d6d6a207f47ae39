// Owns writing what became of a reject beside its body, as the ledger has it.
// Never changes the ledger but for noting that it was written.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { rejectFiles, type StreamPaths } from '../../knowledgebase/paths.ts';
import type { Ledger } from '../../ledger/open.ts';
import { writeState } from '../../rejects/state-file.ts';

/** Writes every state that the ledger has and the folder does not: a crash came between the two. */
export const saveStates = (
  ledger: Ledger,
  pathsOf: (stream: string) => StreamPaths | undefined,
): void => {
  for (const { stream, rejectId } of ledger.rejects.unsaved()) {
    const paths = pathsOf(stream);
    if (paths) saveState(ledger, paths, stream, rejectId);
  }
};

/** Writes the state of one reject beside its body, as the ledger has it. */
export const saveState = (
  ledger: Ledger,
  { failed }: StreamPaths,
  stream: string,
  rejectId: string,
): void => {
  const reject = ledger.rejects.get(stream, rejectId);
  if (!reject) return;
  const attempts = ledger.attempts.list(stream, rejectId);
  writeState(failed, reject, ledger.rejects.operationOf(stream, rejectId), attempts);
  const { mtimeMs } = statSync(join(failed, rejectFiles(rejectId).state));
  ledger.rejects.saved(stream, rejectId, mtimeMs);
};
