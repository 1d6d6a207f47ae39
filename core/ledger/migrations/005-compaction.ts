// Owns what the ledger has of compaction: where a batch is now, the files that hold many, the runs, what queries cost.

export const compaction = `
ALTER TABLE batches ADD COLUMN landed_file TEXT;
ALTER TABLE batches ADD COLUMN row_in_file INTEGER NOT NULL DEFAULT 0;
CREATE INDEX batches_loose ON batches (stream_key, seq) WHERE landed_file IS NULL;

CREATE TABLE compacted_files (
  stream_key       TEXT NOT NULL,
  file             TEXT NOT NULL,
  run              TEXT NOT NULL,
  rows             INTEGER NOT NULL,
  size_bytes       INTEGER NOT NULL,
  body_bytes       INTEGER NOT NULL,
  batches          INTEGER NOT NULL,
  first_seq        INTEGER NOT NULL,
  last_seq         INTEGER NOT NULL,
  first_landed_at  TEXT NOT NULL,
  last_landed_at   TEXT NOT NULL,
  PRIMARY KEY (stream_key, file)
) STRICT, WITHOUT ROWID;

CREATE TABLE compactions (
  seq              INTEGER PRIMARY KEY AUTOINCREMENT,
  stream_key       TEXT NOT NULL,
  run              TEXT NOT NULL,
  started_by       TEXT NOT NULL,
  state            TEXT NOT NULL,
  started_at       TEXT NOT NULL,
  ended_at         TEXT,
  files_before     INTEGER NOT NULL,
  files_after      INTEGER,
  batches          INTEGER NOT NULL,
  rows             INTEGER NOT NULL,
  bytes_before     INTEGER NOT NULL,
  bytes_after      INTEGER,
  held_ms          INTEGER,
  fault            TEXT,
  undone_at        TEXT,
  UNIQUE (stream_key, run)
) STRICT;

CREATE TABLE query_costs (
  seq              INTEGER PRIMARY KEY AUTOINCREMENT,
  stream_key       TEXT NOT NULL,
  at               TEXT NOT NULL,
  files            INTEGER NOT NULL,
  rows             INTEGER NOT NULL,
  group_by_ms      REAL NOT NULL,
  count_ms         REAL NOT NULL,
  batch_ms         REAL NOT NULL
) STRICT;
CREATE INDEX query_costs_by_stream ON query_costs (stream_key, at);
`;
