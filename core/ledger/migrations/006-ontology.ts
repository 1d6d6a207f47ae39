// Owns the schema of the ontology: versions of the model, which nothing changes, and the record of promotions.

export const ontology = `
CREATE TABLE model_versions (
  version          INTEGER PRIMARY KEY,
  at               TEXT NOT NULL,
  summary          TEXT NOT NULL,
  model            TEXT NOT NULL
) STRICT;
CREATE TRIGGER model_versions_stay BEFORE UPDATE ON model_versions
BEGIN SELECT RAISE(ABORT, 'a version of the model is never changed'); END;
CREATE TRIGGER model_versions_are_kept BEFORE DELETE ON model_versions
BEGIN SELECT RAISE(ABORT, 'a version of the model is never removed'); END;

CREATE TABLE promotions (
  seq              INTEGER PRIMARY KEY AUTOINCREMENT,
  id               TEXT NOT NULL UNIQUE,
  stream           TEXT NOT NULL,
  state            TEXT NOT NULL,
  by               TEXT NOT NULL,
  pid              INTEGER NOT NULL,
  host             TEXT NOT NULL,
  started_at       TEXT NOT NULL,
  ended_at         TEXT,
  base             INTEGER,
  version          INTEGER,
  words            TEXT NOT NULL,
  items            INTEGER NOT NULL DEFAULT 0,
  decided          INTEGER NOT NULL DEFAULT 0,
  document         TEXT
) STRICT;
`;
