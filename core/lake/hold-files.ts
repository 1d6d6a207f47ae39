// Owns holding a knowledgebase's files where they are while somebody reads them past kb.duckdb: no swap of this process
// or another goes on meanwhile. Never opens a file itself.

import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { type FolderLock, shareFolder } from '../knowledgebase/folder-lock.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import type { Gate } from './gate.ts';

/** How long a reader waits for a swap of another process; one takes about a second. */
const PATIENCE_MS = 15_000;
const RETRY_MS = 10;

/** Runs `work` while files stay where they are. Throws `writer_lock_held` where a swap does not end. */
export const holdFiles = <T>(
  { paths, gate }: { readonly paths: KnowledgebasePaths; readonly gate: Gate },
  work: () => Promise<T>,
): Promise<T> =>
  gate.read(async () => {
    const share = await shareSoon(paths);
    try {
      return await work();
    } finally {
      share.release();
    }
  });

/** A share of the folder, once no swap has it. The caller is inside the gate. */
const shareSoon = async (paths: KnowledgebasePaths): Promise<FolderLock> => {
  for (const giveUpAt = Date.now() + PATIENCE_MS; ; ) {
    const share = shareFolder(paths);
    if (share) return share;
    if (Date.now() > giveUpAt) {
      throw new AppError('writer_lock_held', 'Files are being moved by a compaction.');
    }
    await wait(RETRY_MS);
  }
};
