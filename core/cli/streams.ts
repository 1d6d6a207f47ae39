// Owns `strata streams`: every stream of a knowledgebase at a glance.

import { grouped } from '../counted.ts';
import type { StreamSummary } from '../model.ts';
import { ageOf, bytesOf, printJson, printLine, tableOf } from './output.ts';
import { homeOf, readWords } from './usage.ts';
import { withCore } from './with-core.ts';

/** `streams KB`. It reads the ledger alone; kb.duckdb is not opened. */
export const streams = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB'], {});
  await withCore({ home: homeOf(values.home), writing: false }, (core) => {
    const found = core.listStreams(positionals[0]);
    if (values.json) printJson({ streams: found.map(shownStream) });
    else if (found.length === 0)
      printLine('No stream yet. The first batch that is sent makes one.');
    else {
      printLine(tableOf(HEADS, found.map(rowOf), NUMBERS));
      for (const { stream, trouble } of found) if (trouble) printLine(`${stream}: ${trouble}`);
    }
  });
};

const HEADS = ['Stream', 'Status', 'Rows', 'Files', 'Bytes', 'Lag', 'Last landed', 'Rejects'];
const NUMBERS = new Set([2, 3, 4, 5, 7]);

const rowOf = (stream: StreamSummary): string[] => [
  stream.stream,
  `${stream.status[0]?.toUpperCase()}${stream.status.slice(1)}`,
  grouped(stream.rows),
  grouped(stream.files),
  bytesOf(stream.sizeBytes),
  stream.lagMs === null ? '–' : `${grouped(stream.lagMs)} ms`,
  ageOf(stream.lastLandedAt),
  grouped(stream.openRejects),
];

/** A stream as --json prints it. */
const shownStream = (stream: StreamSummary) => ({
  name: stream.stream,
  status: stream.status,
  trouble: stream.trouble,
  rows: stream.rows,
  files: stream.files,
  bytes: stream.sizeBytes,
  lag_ms: stream.lagMs,
  last_landed_at: stream.lastLandedAt,
  rejects: stream.openRejects,
  received: stream.received,
  landed: stream.landed,
  rejected: stream.rejected,
  replayed: stream.replayed,
  refused: stream.refused,
  columns: stream.registered,
  date_folders: stream.dateFolders,
  created_at: stream.createdAt,
});
