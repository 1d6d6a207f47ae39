// Owns how a merged file is laid out, so that what DuckDB holds of it while it is written stays bounded: how many rows a
// group has, how large the dictionary of a column gets. Never writes one.

/** What a merged file will hold. */
export interface Content {
  readonly rows: number;
  readonly bodyBytes: number;
  /** The producer's. */
  readonly columns: number;
}

/** Bytes of rows that a row group may have: a whole one is in memory while it is written, and when it is read. */
const GROUP_BYTES = 64 * 1024 * 1024;
/** Rows of a row group, see docs/compaction.md for what was measured. DuckDB counts in vectors of 2,048. */
const MOST_GROUP_ROWS = 122_880;
const LEAST_GROUP_ROWS = 2_048;

/** What a value takes in DuckDB's memory beside its text, also a null. */
const VALUE_BYTES = 17;

/**
 * The dictionaries of all columns together. DuckDB sets the room for each aside as soon as a value of it comes again,
 * 1 MiB unless told otherwise: 300 columns of few values would take 300.
 */
const DICTIONARY_BYTES = 64 * 1024 * 1024;
const MOST_DICTIONARY_BYTES = 1024 * 1024;
const LEAST_DICTIONARY_BYTES = 64 * 1024;

/** What all the rows take in DuckDB's memory. */
export const bytesInMemory = ({ rows, bodyBytes, columns }: Content): number =>
  bodyBytes + rows * (columns + 2) * VALUE_BYTES;

const groupRowsOf = (content: Content): number => {
  const rowBytes = bytesInMemory(content) / Math.max(1, content.rows);
  const fitting = Math.floor(GROUP_BYTES / Math.max(1, rowBytes));
  const vectors = Math.floor(Math.min(MOST_GROUP_ROWS, fitting) / LEAST_GROUP_ROWS);
  return Math.max(1, vectors) * LEAST_GROUP_ROWS;
};

const dictionaryBytesOf = ({ columns }: Content): number => {
  const share = Math.floor(DICTIONARY_BYTES / (columns + 2));
  return Math.max(LEAST_DICTIONARY_BYTES, Math.min(MOST_DICTIONARY_BYTES, share));
};

/** The options of a COPY that writes a merged file. */
export const layoutOf = (content: Content): string =>
  `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${groupRowsOf(content)}, ` +
  `STRING_DICTIONARY_PAGE_SIZE_LIMIT ${dictionaryBytesOf(content)}`;
