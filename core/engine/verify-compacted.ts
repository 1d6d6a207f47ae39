// Owns proving that compacted files hold what the ledger says: each batch with its rows, in its place, from its body.
// Never mends anything.

import { counted } from '../counted.ts';
import { globLiteral, openDuckdb, readRows } from '../lake/duckdb.ts';
import { type DescribedFile, describeFile } from '../lake/land.ts';
import { NotParquetError } from '../lake/parquet/not-parquet-error.ts';
import type { CompactedFile } from '../ledger/compacted-files.ts';
import type { Batch } from '../model.ts';

/** What the ledger says of a compacted file. */
export interface RecordedIn {
  readonly recorded: CompactedFile | undefined;
  /** The batches that it has in it. */
  readonly own: readonly Batch[];
  /** By id, those that it may have on the other side of a swap that it follows. */
  readonly moving: ReadonlyMap<string, Batch> | undefined;
}

export interface CompactedProof {
  /** What differs, each a sentence. */
  readonly found: readonly string[];
  /** The batches that its manifest names. */
  readonly ids: readonly string[];
}

/** What differs between a compacted file and what the ledger says of it. */
export const compactedDifferences = async (
  path: string,
  file: string,
  { recorded, own, moving }: RecordedIn,
): Promise<CompactedProof> => {
  let described: DescribedFile;
  try {
    described = describeFile(path);
  } catch (error) {
    if (!(error instanceof NotParquetError)) throw error;
    return { found: [`${file}: it is not whole: ${error.message}`], ids: [] };
  }
  const { compacted, rows, sizeBytes } = described;
  if (!compacted) {
    const batches = counted(own.length, 'batch', 'batches');
    return { found: [`${file}: it has no manifest, the ledger has ${batches} in it.`], ids: [] };
  }
  const found: string[] = [];
  if (recorded && (recorded.sizeBytes !== sizeBytes || recorded.rows !== rows)) {
    found.push(
      `${file}: it has ${counted(rows, 'row')} and ${counted(sizeBytes, 'byte')}, the ledger says ${recorded.rows} and ${recorded.sizeBytes}.`,
    );
  }
  const mine = new Map(own.map((batch) => [batch.batchId, batch]));
  const places = await placesIn(path);
  let rowInFile = 0;
  for (const { batchId, rows: listed, sha256 } of compacted.batches) {
    const batch = mine.get(batchId);
    mine.delete(batchId);
    const place = places.get(batchId);
    const elsewhere = batch ? undefined : moving?.get(batchId);
    // Where it begins on the other side says nothing of this one.
    const said = batch ?? (elsewhere && { ...elsewhere, rowInFile });
    const wrong = wrongWith(said, { listed, sha256, rowInFile, place });
    if (wrong) found.push(`${file}: the batch ${batchId} ${wrong}`);
    places.delete(batchId);
    rowInFile += listed;
  }
  for (const { batchId } of mine.values())
    found.push(`${file}: the batch ${batchId} is recorded in it, but not there.`);
  for (const batchId of places.keys())
    found.push(`${file}: it has rows of ${batchId}, which its manifest does not name.`);
  return { found, ids: compacted.batches.map(({ batchId }) => batchId) };
};

/** Where a batch's rows lie. */
interface Place {
  readonly rows: number;
  readonly first: number;
  readonly last: number;
}

const wrongWith = (
  batch: Batch | undefined,
  there: {
    readonly listed: number;
    readonly sha256: string;
    readonly rowInFile: number;
    readonly place: Place | undefined;
  },
): string | undefined => {
  const { listed, sha256, rowInFile, place } = there;
  if (!batch) return 'is in it, but the ledger has it elsewhere or not at all.';
  if (batch.sha256 !== sha256) return 'was made from another body than the ledger says.';
  if (batch.rows !== listed) return `has ${counted(listed, 'row')}, the ledger says ${batch.rows}.`;
  if (batch.rowInFile !== rowInFile)
    return `begins at row ${rowInFile}, the ledger says ${batch.rowInFile}.`;
  if (place?.rows !== listed)
    return `has ${counted(place?.rows ?? 0, 'row')} in the file, its manifest says ${listed}.`;
  if (place.first !== rowInFile || place.last !== rowInFile + listed - 1)
    return `lies at rows ${place.first} to ${place.last}, its manifest says from ${rowInFile} on.`;
  return undefined;
};

/** The place of each batch, from the rows themselves. */
const placesIn = async (path: string): Promise<Map<string, Place>> => {
  const duckdb = await openDuckdb(':memory:', { threads: '1' });
  try {
    const rows = await readRows(
      duckdb.connection,
      `SELECT _batch_id, count(*), min(place), max(place)
       FROM (SELECT _batch_id, row_number() OVER () - 1 AS place
             FROM read_parquet(${globLiteral(path, '')}, hive_partitioning = false))
       GROUP BY _batch_id`,
    );
    return new Map(
      rows.map(([batchId, count, first, last]) => [
        String(batchId),
        { rows: Number(count), first: Number(first), last: Number(last) },
      ]),
    );
  } finally {
    duckdb.close();
  }
};
