// Owns the second schema: where each batch's rows begin in its stream, and a person's queries.

export const placesAndQueries = `
ALTER TABLE batches ADD COLUMN first_row INTEGER NOT NULL DEFAULT 0;
WITH places AS (
  SELECT seq, sum(rows) OVER (PARTITION BY stream_key ORDER BY seq) - rows AS first_row FROM batches)
UPDATE batches SET first_row = places.first_row FROM places WHERE places.seq = batches.seq;
CREATE INDEX batches_by_first_row ON batches (stream_key, first_row);

CREATE TABLE queries (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  kind             TEXT NOT NULL,
  name             TEXT,
  sql              TEXT NOT NULL,
  at               TEXT NOT NULL,
  elapsed_ms       INTEGER,
  fault            TEXT
) STRICT;
CREATE INDEX queries_by_kind ON queries (kind, id);
`;
