// Owns the manifest of a compacted file: which batches it holds, with all that a landed file says of its one.
// Never touches the disk; it travels as text in the file's key-value metadata.

import { deflateRaw, inflateRawSync } from 'node:zlib';
import { batchFile } from '../../knowledgebase/paths.ts';
import type { StreamColumn } from '../../model.ts';
import type { FileLinks } from '../links.ts';

/** A batch in a compacted file. Its rows follow those of the batch before it. */
export interface ManifestBatch extends FileLinks {
  readonly batchId: string;
  readonly sha256: string;
  readonly bodyBytes: number;
  readonly rows: number;
  readonly receivedAt: string;
  readonly landedAt: string;
  readonly sender: string | null;
  /** The file that it landed as, and its size. */
  readonly landedFile: string;
  readonly sizeBytes: number;
  /** Records of its body, those that were rejected too; null where its file did not say (it landed whole). */
  readonly records: number | null;
}

/** What a compacted file says of itself. */
export interface CompactedFacts {
  readonly knowledgebase: string;
  readonly stream: string;
  /** The run that made it. */
  readonly run: string;
  /** The fields of its columns, in order of first sight. */
  readonly columns: readonly StreamColumn[];
  /** In the order of their rows. */
  readonly batches: readonly ManifestBatch[];
}

/**
 * Batches of a block. A block is packed and read at once (about 2 ms), so whoever shares a thread with landings gives
 * them their turn after each; a manifest may have 50,000 batches.
 */
const BLOCK = 500;

/** Between blocks; their text is base64, which has none. A manifest of one block is what all were before. */
const BETWEEN = '.';

/** A block, column by column, so that what is alike stands together and packs well. */
interface Packed {
  readonly id: string[];
  readonly sha256: string[];
  readonly body: number[];
  readonly rows: number[];
  readonly received: string[];
  readonly landed: string[];
  readonly sender: (string | null)[];
  /** Null where the file has the batch's own name. */
  readonly file: (string | null)[];
  readonly size: number[];
  /** Of the few that have it: the number of the batch in its block, and what its file said. */
  readonly repairs?: (readonly [batch: number, said: NonNullable<ManifestBatch['repairs']>])[];
  readonly parts?: (readonly [
    batch: number,
    said: NonNullable<ManifestBatch['part']>,
    records: number | null,
  ])[];
}

/** The key-value metadata of a compacted file. 70 to 90 bytes a batch; packed off the main thread. */
export const metadataOfCompacted = async (
  facts: CompactedFacts,
): Promise<Record<string, string>> => ({
  'strata.format': '1',
  'strata.kind': 'compacted',
  'strata.knowledgebase': facts.knowledgebase,
  'strata.stream': facts.stream,
  'strata.run': facts.run,
  'strata.batches': String(facts.batches.length),
  'strata.columns': JSON.stringify(facts.columns),
  'strata.manifest': await packed(facts.batches),
});

/** How many bytes a manifest of these batches takes in a file. */
export const manifestBytes = async (batches: readonly ManifestBatch[]): Promise<number> =>
  (await packed(batches)).length;

const packed = async (batches: readonly ManifestBatch[]): Promise<string> => {
  const blocks: string[] = [];
  let from = 0;
  do {
    blocks.push(await packedBlock(batches.slice(from, from + BLOCK)));
    from += BLOCK;
  } while (from < batches.length);
  return blocks.join(BETWEEN);
};

const packedBlock = (batches: readonly ManifestBatch[]): Promise<string> => {
  const columns: Packed = {
    id: batches.map(({ batchId }) => batchId),
    sha256: batches.map(({ sha256 }) => sha256),
    body: batches.map(({ bodyBytes }) => bodyBytes),
    rows: batches.map(({ rows }) => rows),
    received: batches.map(({ receivedAt }) => receivedAt),
    landed: batches.map(({ landedAt }) => landedAt),
    sender: batches.map(({ sender }) => sender),
    file: batches.map(({ batchId, landedFile }) =>
      landedFile === batchFile(batchId) ? null : landedFile,
    ),
    size: batches.map(({ sizeBytes }) => sizeBytes),
    repairs: batches.flatMap(({ repairs }, at) => (repairs ? [[at, repairs] as const] : [])),
    parts: batches.flatMap(({ part, records }, at) => (part ? [[at, part, records] as const] : [])),
  };
  return new Promise((resolve, reject) => {
    deflateRaw(JSON.stringify(columns), (error, bytes) =>
      error ? reject(error) : resolve(bytes.toString('base64')),
    );
  });
};

/**
 * What the metadata of a file says, where it is a compacted one; null where it is not. Steps between blocks. Throws
 * where it is damaged.
 */
export function* readCompactedFacts(
  metadata: ReadonlyMap<string, string>,
): Generator<void, CompactedFacts | null, void> {
  if (metadata.get('strata.kind') !== 'compacted') return null;
  const batches: ManifestBatch[] = [];
  for (const block of (metadata.get('strata.manifest') ?? '').split(BETWEEN)) {
    if (batches.length > 0) yield;
    for (const batch of batchesOfBlock(block)) batches.push(batch);
  }
  const said = metadata.get('strata.batches');
  if (said !== String(batches.length)) {
    throw new Error(`It says ${said} batches and names ${batches.length}`);
  }
  return {
    knowledgebase: metadata.get('strata.knowledgebase') ?? '',
    stream: metadata.get('strata.stream') ?? '',
    run: metadata.get('strata.run') ?? '',
    columns: JSON.parse(metadata.get('strata.columns') ?? '[]') as StreamColumn[],
    batches,
  };
}

const batchesOfBlock = (block: string): ManifestBatch[] => {
  const columns = JSON.parse(inflateRawSync(Buffer.from(block, 'base64')).toString()) as Packed;
  const repairs = new Map(columns.repairs);
  const parts = new Map(columns.parts?.map(([at, part, records]) => [at, { part, records }]));
  return columns.id.map((batchId, at) => ({
    batchId,
    sha256: columns.sha256[at] as string,
    bodyBytes: columns.body[at] as number,
    rows: columns.rows[at] as number,
    receivedAt: columns.received[at] as string,
    landedAt: columns.landed[at] as string,
    sender: columns.sender[at] ?? null,
    landedFile: columns.file[at] ?? batchFile(batchId),
    sizeBytes: columns.size[at] as number,
    repairs: repairs.get(at) ?? null,
    part: parts.get(at)?.part ?? null,
    records: parts.get(at)?.records ?? null,
  }));
};
