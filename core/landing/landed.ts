// Owns what a landing thread says of a file in data/, and whose lines its rows name.
// Never reads or writes one.

import type { FileFacts } from '../lake/land.ts';
import type { ParsedBatch } from '../model.ts';
import type { LandedFile, Repairs } from './protocol.ts';

/** A file as its own metadata describes it, without its name. */
export const landedFileOf = (
  facts: FileFacts,
  { sizeBytes, landedAt }: { readonly sizeBytes: number; readonly landedAt: string },
): Omit<LandedFile, 'file'> => {
  const { rows, bodyBytes, receivedAt, sender, sha256, repairs, part } = facts;
  return {
    ...{ rows, bodyBytes, receivedAt, sender, sizeBytes, landedAt, sha256 },
    rejectId: repairs?.rejectId ?? null,
    rejectSha256: repairs?.sha256 ?? null,
    partRejectId: part?.rejectId ?? null,
    linesRejected: part?.lines ?? 0,
  };
};

/** The batch with its rows' lines as they were in the POST, where its body is a mended one. */
export const tracedBatch = (batch: ParsedBatch, repairs: Repairs | null): ParsedBatch => {
  const sources = repairs?.sources ?? null;
  return sources === null
    ? batch
    : { ...batch, lines: batch.lines.map((line) => sources[line - 1] as number) };
};
