// Owns the third schema: what of a stream needs a person, until that person has seen it.

export const alerts = `
CREATE TABLE alerts (
  stream_key       TEXT NOT NULL,
  kind             TEXT NOT NULL,
  file             TEXT NOT NULL,
  reason           TEXT NOT NULL,
  at               TEXT NOT NULL,
  acknowledged_at  TEXT,
  PRIMARY KEY (stream_key, kind, file)
) STRICT, WITHOUT ROWID;
`;
