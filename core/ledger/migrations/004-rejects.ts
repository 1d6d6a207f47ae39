// Owns the third schema: what became of rejects, tries to land them, batches that landed in part or from a reject.

export const rejects = `
ALTER TABLE batches ADD COLUMN reject_id TEXT;
ALTER TABLE batches ADD COLUMN reject_sha256 TEXT;
ALTER TABLE batches ADD COLUMN part_reject_id TEXT;
ALTER TABLE batches ADD COLUMN lines_rejected INTEGER NOT NULL DEFAULT 0;
CREATE INDEX batches_by_reject ON batches (stream_key, reject_id) WHERE reject_id IS NOT NULL;
CREATE INDEX batches_in_part ON batches (stream_key, lines_rejected) WHERE part_reject_id IS NOT NULL;

ALTER TABLE rejects ADD COLUMN field TEXT;
ALTER TABLE rejects ADD COLUMN shape TEXT;
ALTER TABLE rejects ADD COLUMN changed_at TEXT;
ALTER TABLE rejects ADD COLUMN changed_by TEXT;
ALTER TABLE rejects ADD COLUMN operation TEXT;
ALTER TABLE rejects ADD COLUMN landed_as TEXT;
ALTER TABLE rejects ADD COLUMN part_of TEXT;
ALTER TABLE rejects ADD COLUMN body_removed_at TEXT;
ALTER TABLE rejects ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
-- The state file beside the body is still to be written; when it was written last, in ms.
ALTER TABLE rejects ADD COLUMN unsaved INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rejects ADD COLUMN saved_ms REAL;
CREATE INDEX rejects_by_state ON rejects (state, seq);
CREATE INDEX rejects_of_stream ON rejects (stream_key, state, seq);
CREATE INDEX rejects_by_cause ON rejects (stream_key, code, field, shape, state, received_at, sender);
CREATE INDEX rejects_counted ON rejects (stream_key, state, part_of, times);
CREATE INDEX rejects_by_operation ON rejects (operation) WHERE operation IS NOT NULL;
CREATE INDEX rejects_by_landing ON rejects (stream_key, landed_as) WHERE landed_as IS NOT NULL;
CREATE INDEX rejects_landed ON rejects (stream_key, batch_id COLLATE NOCASE) WHERE state = 'replayed';
CREATE INDEX rejects_unsaved ON rejects (seq) WHERE unsaved = 1;
CREATE INDEX rejects_without_cause ON rejects (seq) WHERE shape IS NULL;

CREATE TABLE attempts (
  stream_key       TEXT NOT NULL,
  reject_id        TEXT NOT NULL,
  number           INTEGER NOT NULL,
  at               TEXT NOT NULL,
  by               TEXT NOT NULL,
  recipe_id        TEXT,
  fixes            TEXT NOT NULL,
  edited           INTEGER NOT NULL,
  has_body         INTEGER NOT NULL,
  body_bytes       INTEGER NOT NULL,
  sha256           TEXT NOT NULL,
  outcome          TEXT NOT NULL,
  batch_id         TEXT,
  rows             INTEGER,
  fault            TEXT,
  fault_count      INTEGER NOT NULL,
  PRIMARY KEY (stream_key, reject_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_by_recipe ON attempts (stream_key, recipe_id) WHERE recipe_id IS NOT NULL;

-- The files that SQL reads rejects from hold 256 places of the ledger each; these are the ones that changed.
CREATE TABLE reject_chunks (
  stream_key       TEXT NOT NULL,
  chunk            INTEGER NOT NULL,
  version          INTEGER NOT NULL,
  written          INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (stream_key, chunk)
) STRICT, WITHOUT ROWID;
INSERT INTO reject_chunks SELECT stream_key, seq >> 8, 1, 0 FROM rejects GROUP BY 1, 2;
CREATE TRIGGER reject_added AFTER INSERT ON rejects BEGIN
  INSERT INTO reject_chunks VALUES (new.stream_key, new.seq >> 8, 1, 0)
  ON CONFLICT DO UPDATE SET version = version + 1;
END;
CREATE TRIGGER reject_changed AFTER UPDATE OF state, body_removed_at ON rejects BEGIN
  UPDATE reject_chunks SET version = version + 1
  WHERE stream_key = new.stream_key AND chunk = new.seq >> 8;
END;
`;
