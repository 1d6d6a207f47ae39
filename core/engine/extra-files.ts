// Owns taking files out of data/ whose rows another file has: what two processes landed in the same moment, and copies
// that somebody made. Only while nobody reads, for a query opens its files when it gets to them.
// Never takes the file of a batch that the ledger has, and never holds up a landing of another batch.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeQuietly, syncFolder } from '../durable.ts';
import { claimFolder } from '../knowledgebase/folder-lock.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import { describeFile } from '../lake/land.ts';
import { readElsewhere } from '../lake/open-kb.ts';
import { readJournal } from '../lake/swap/journal.ts';
import { openViews } from '../lake/views.ts';
import type { Ledger } from '../ledger/open.ts';
import type { Batch } from '../model.ts';
import { keptFor } from './kept-instead.ts';
import { setCopiesAside } from './set-copies-aside.ts';

export interface ExtraFiles {
  /** A stream has copies that were left where they are, since somebody read. */
  note(stream: string): void;
  /**
   * Removes the file that a batch landed as here, where the ledger has the batch in another. Resolves when that is done,
   * however long somebody reads: true, or false where there is no such file.
   */
  remove(batch: Batch): Promise<boolean>;
  /**
   * Does what is asked; called under the writer lock and behind the gate, when no swap is open. Throws `duckdb_locked`
   * or `writer_lock_held` while somebody reads: it is done the next time.
   */
  settle(): Promise<void>;
}

export interface ExtraFilesOptions {
  readonly paths: KnowledgebasePaths;
  readonly ledger: () => Ledger;
  /** Asks for `settle` to be called soon, and again where it throws. */
  readonly request: () => void;
}

interface Extra {
  readonly batch: Batch;
  readonly done: (isRemoved: boolean) => void;
}

/** Nothing is asked yet. */
export const openExtraFiles = ({ paths, ledger, request }: ExtraFilesOptions): ExtraFiles => {
  const streams = new Set<string>();
  let extras: Extra[] = [];

  const takeOut = (): void => {
    const mine = extras;
    for (const { batch, done } of mine) {
      done(removeExtra(paths, ledger(), batch));
    }
    extras = extras.filter((one) => !mine.includes(one));
    for (const stream of [...streams]) {
      // One that could not be settled has its files in two places.
      if (readJournal(paths.stream(stream))?.moved === false) continue;
      setCopiesAside(ledger(), stream, paths.stream(stream));
      streams.delete(stream);
    }
  };

  return {
    note: (stream) => {
      streams.add(stream);
    },
    remove: (batch) =>
      new Promise((done) => {
        extras.push({ batch, done });
        request();
      }),
    settle: async () => {
      if (streams.size === 0 && extras.length === 0) return;
      const claim = claimFolder(paths);
      if (!claim) throw readElsewhere();
      try {
        // Open for writing, which DuckDB grants only where no other program reads.
        const { duckdb } = await openViews(paths);
        try {
          takeOut();
        } finally {
          duckdb.close();
        }
      } finally {
        claim.release();
      }
    },
  };
};

const removeExtra = (paths: KnowledgebasePaths, ledger: Ledger, batch: Batch): boolean => {
  const { data } = paths.stream(batch.stream);
  const path = join(data, batch.file);
  const kept = keptFor(ledger, batch);
  if (!kept || kept.file === batch.file || !existsSync(path)) return false;
  // An undo has put another file there, which is the batch's own; or the one that has its rows is gone.
  const { facts } = describeFile(path);
  if (facts?.sha256 !== batch.sha256 || facts.receivedAt !== batch.receivedAt) return false;
  if (!existsSync(join(data, kept.file))) return false;
  removeQuietly(path);
  syncFolder(dirname(path));
  return true;
};
