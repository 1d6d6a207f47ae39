// Owns what a landed file says of rejects: which one it is the repair of, and which one holds its body's bad lines.
// Never reads a file; it travels in the file's key-value metadata, and in the manifest of a compacted one.

/** The reject that a batch is the repair of. */
export interface RepairOf {
  readonly rejectId: string;
  /** SHA-256 of the reject's body as it came, hex. */
  readonly sha256: string;
  /** How it was mended, as JSON. */
  readonly attempt: string;
}

/** The bad lines of a batch that landed without them. */
export interface PartOf {
  /** The reject that holds them. */
  readonly rejectId: string;
  readonly lines: number;
}

export interface FileLinks {
  /** Null where the body landed as it came. */
  readonly repairs: RepairOf | null;
  /** Null where it landed whole. */
  readonly part: PartOf | null;
}

/** The metadata of a batch's links with rejects, none where it has none. `rows` are those that landed. */
export const metadataOfLinks = (
  { repairs, part }: FileLinks,
  rows: number,
): Record<string, string> => ({
  ...(repairs === null
    ? {}
    : {
        'strata.reject_id': repairs.rejectId,
        'strata.reject_sha256': repairs.sha256,
        'strata.attempt': repairs.attempt,
      }),
  ...(part === null
    ? {}
    : {
        'strata.part_reject_id': part.rejectId,
        'strata.lines_rejected': String(part.lines),
        'strata.body_records': String(rows + part.lines),
      }),
});

/** What the metadata says of them; `get` takes a key without `strata.`. */
export const readLinks = (get: (key: string) => string | undefined): FileLinks => {
  const rejectId = get('reject_id');
  const sha256 = get('reject_sha256');
  const partId = get('part_reject_id');
  return {
    repairs:
      rejectId === undefined || sha256 === undefined
        ? null
        : { rejectId, sha256, attempt: get('attempt') ?? '' },
    part:
      partId === undefined ? null : { rejectId: partId, lines: Number(get('lines_rejected') ?? 0) },
  };
};
