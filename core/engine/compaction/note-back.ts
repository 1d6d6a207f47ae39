// Owns what the ledger says where a swap went back. Never moves a file.

import { type StreamPaths, transitPaths } from '../../knowledgebase/paths.ts';
import type { SwapJournal } from '../../lake/swap/journal.ts';
import { parquetFiles } from '../../lake/swap/places.ts';
import type { Ledger } from '../../ledger/open.ts';
import { compareFiles } from '../data-files.ts';
import { stillNeeded } from '../recover-files.ts';
import { alert, setCopiesAside } from '../set-copies-aside.ts';
import { recordedRun } from './history.ts';

/**
 * A swap that broke off went back: the ledger is in line with the files again, and `why` the side that was to come could
 * not is said. The caller has seen to it that nobody reads.
 */
export const noteBack = (
  ledger: Ledger,
  id: string,
  stream: StreamPaths,
  { kind, record }: SwapJournal,
  why: string | null,
): void => {
  setCopiesAside(ledger, id, stream);
  const at = new Date().toISOString();
  const gone = stillNeeded(ledger, id, compareFiles(ledger, id, stream).missing);
  const reason = 'It is not in data/.';
  ledger.alerts.settle(
    id,
    'missing',
    gone.map((file) => ({ file, reason, at })),
  );
  const run = ledger.compactions.get(id, record.run);
  const wasDone = run?.state === 'done';
  if (kind === 'compact' && (why !== null || wasDone)) {
    ledger.compactions.put(id, {
      ...(run ?? recordedRun(record)),
      ...(wasDone ? { state: 'undone', undoneAt: at } : { state: 'failed', endedAt: at }),
      fault: wasDone ? null : `${why} The originals are back.`,
    });
  }
  if (why === null) return;
  const what = kind === 'compact' ? 'compaction' : 'undo of the compaction';
  const left = parquetFiles(transitPaths(stream, record.run).kept).length;
  const now = kind === 'compact' ? 'its originals are back' : 'its merged files are back';
  const rest = left > 0 ? ` ${left} originals are left in processed/.` : '';
  alert(
    ledger,
    id,
    'compaction-back',
    `The ${what} ${record.run} was taken back, and ${now}: ${why}${rest}`,
  );
};
