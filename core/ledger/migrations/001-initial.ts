// Owns the first schema of the ledger. A migration that has shipped is never edited; the next one changes what it made.

export const initial = `
CREATE TABLE streams (
  stream_key       TEXT PRIMARY KEY,
  stream           TEXT NOT NULL,
  created_at       TEXT NOT NULL,
  received         INTEGER NOT NULL DEFAULT 0,
  rows             INTEGER NOT NULL DEFAULT 0,
  files            INTEGER NOT NULL DEFAULT 0,
  size_bytes       INTEGER NOT NULL DEFAULT 0,
  last_landed_at   TEXT
) STRICT;

CREATE TABLE batches (
  seq              INTEGER PRIMARY KEY,
  stream_key       TEXT NOT NULL,
  batch_key        TEXT NOT NULL,
  batch_id         TEXT NOT NULL,
  file             TEXT NOT NULL,
  rows             INTEGER NOT NULL,
  size_bytes       INTEGER NOT NULL,
  body_bytes       INTEGER NOT NULL,
  sha256           TEXT NOT NULL,
  sender           TEXT,
  received_at      TEXT NOT NULL,
  landed_at        TEXT NOT NULL,
  replays          INTEGER NOT NULL DEFAULT 0,
  last_replayed_at TEXT,
  recovered        INTEGER NOT NULL DEFAULT 0,
  UNIQUE (stream_key, batch_key)
) STRICT;
CREATE INDEX batches_by_stream ON batches (stream_key, seq);

CREATE TABLE columns (
  stream_key       TEXT NOT NULL,
  column_key       TEXT NOT NULL,
  position         INTEGER NOT NULL,
  source           TEXT NOT NULL,
  landed           TEXT NOT NULL,
  landed_key       TEXT NOT NULL,
  first_seen_at    TEXT NOT NULL,
  first_batch_id   TEXT,
  PRIMARY KEY (stream_key, column_key),
  UNIQUE (stream_key, landed_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE rejects (
  seq              INTEGER PRIMARY KEY AUTOINCREMENT,
  stream_key       TEXT NOT NULL,
  reject_id        TEXT NOT NULL,
  batch_id         TEXT NOT NULL,
  state            TEXT NOT NULL DEFAULT 'open',
  code             TEXT NOT NULL,
  message          TEXT NOT NULL,
  line             INTEGER,
  "column"         INTEGER,
  fault_count      INTEGER NOT NULL,
  sender           TEXT,
  received_at      TEXT NOT NULL,
  last_received_at TEXT NOT NULL,
  times            INTEGER NOT NULL DEFAULT 1,
  body_bytes       INTEGER NOT NULL,
  sha256           TEXT NOT NULL,
  UNIQUE (stream_key, reject_id)
) STRICT;
CREATE INDEX rejects_by_batch ON rejects (stream_key, batch_id);

CREATE TABLE refusals (
  stream_key       TEXT NOT NULL,
  code             TEXT NOT NULL,
  times            INTEGER NOT NULL,
  last_at          TEXT NOT NULL,
  PRIMARY KEY (stream_key, code)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  seq              INTEGER PRIMARY KEY AUTOINCREMENT,
  at               TEXT NOT NULL,
  level            TEXT NOT NULL,
  kind             TEXT NOT NULL,
  stream           TEXT,
  message          TEXT NOT NULL
) STRICT;
`;
