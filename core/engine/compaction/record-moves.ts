// Owns bringing the ledger in line with a swap's files, one short transaction after the other: between any two of them
// each batch is in a file that readers find, on the one side or the other. Never moves a file, never ends a journal.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fold } from '../../ids.ts';
import { type StreamPaths, transitPaths } from '../../knowledgebase/paths.ts';
import type { CompactedFacts } from '../../lake/compact/manifest.ts';
import { describeFileInTurns } from '../../lake/land.ts';
import type { SwapJournal } from '../../lake/swap/journal.ts';
import { parquetFiles } from '../../lake/swap/places.ts';
import type { Ledger } from '../../ledger/open.ts';
import { openPace } from '../../pace.ts';
import { placeBatches } from '../place-batch.ts';
import { CHUNK, recordCompacted } from './record-file.ts';

/** Notes where a swap has put each batch; a step is a transaction. Doing it again changes nothing. */
export async function* recordMoves(
  ledger: () => Ledger,
  id: string,
  stream: StreamPaths,
  { kind, record }: SwapJournal,
): AsyncGenerator<void, void, void> {
  if (kind === 'compact') {
    for (const file of record.made) yield* recordFile(ledger(), id, stream, file);
    return;
  }
  // Batches of an older compacted file are in that again, and never in their own: those are among an older run's
  // originals, where no reader looks.
  const merged = new Set<string>();
  for (const file of record.replacedCompacted) {
    const { batches } = yield* recordFile(ledger(), id, stream, file);
    for (const { batchId } of batches) merged.add(fold(batchId));
  }
  const taken = join(transitPaths(stream, record.run).inStaging, 'out');
  for (const file of existsSync(taken) ? parquetFiles(taken) : []) {
    const batches = (await manifestOf(join(taken, file)))?.batches ?? [];
    const loose = batches.filter(({ batchId }) => !merged.has(fold(batchId)));
    yield* recordLoose(ledger(), id, loose);
  }
  // Of a file that is not there any more the ledger itself says what was in it.
  const gone = record.made.filter((file) => !existsSync(join(taken, file)));
  yield* recordLoose(ledger(), id, inFiles(ledger(), id, gone));
}

/** Batches that the ledger has in some files. */
const inFiles = (ledger: Ledger, id: string, files: readonly string[]): Loose[] => {
  if (files.length === 0) return [];
  const wanted = new Set(files);
  return [...ledger.batches.each(id)].flatMap(({ batchId, file, landedFile }) =>
    wanted.has(file) ? [{ batchId, landedFile: landedFile ?? file }] : [],
  );
};

async function* recordFile(
  ledger: Ledger,
  id: string,
  stream: StreamPaths,
  file: string,
): AsyncGenerator<void, CompactedFacts, void> {
  const path = join(stream.data, file);
  const compacted = await manifestOf(path);
  if (!compacted) throw new Error(`${path} has no manifest.`);
  for (const _ of recordCompacted(ledger, id, file, statSync(path).size, compacted)) yield;
  return compacted;
}

/** A batch that is in its own file again. */
type Loose = Pick<CompactedFacts['batches'][number], 'batchId' | 'landedFile'>;

function* recordLoose(
  ledger: Ledger,
  id: string,
  batches: readonly Loose[],
): Generator<void, void, void> {
  for (let from = 0; from < batches.length; from += CHUNK) {
    const some = batches.slice(from, from + CHUNK);
    ledger.transaction(() =>
      placeBatches(ledger, id, (put) => {
        for (const { batchId, landedFile } of some) {
          put(batchId, { file: landedFile, landedFile: null, rowInFile: 0 });
        }
      }),
    );
    yield;
  }
}

const manifestOf = async (path: string): Promise<CompactedFacts | null> =>
  (await describeFileInTurns(path, openPace())).compacted;
