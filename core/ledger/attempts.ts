// Owns the table `attempts`: each try to land a reject. Never holds a body.

import { fold } from '../ids.ts';
import type { Attempt, Fault, Fix } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** What a recipe did so far. */
export interface RecipeCounts {
  readonly recipeId: string;
  readonly tried: number;
  readonly landed: number;
  readonly rows: number;
  readonly lastAt: string | null;
}

export interface AttemptTable {
  /** Records a try; one of its number that is there stays. */
  add(stream: string, rejectId: string, attempt: Attempt): void;
  /** Oldest first. */
  list(stream: string, rejectId: string): Attempt[];
  /** A number that no try of the reject has. */
  next(stream: string, rejectId: string): number;
  countsOf(stream: string): RecipeCounts[];
}

const FIELDS = `
  number, at, by, recipe_id AS recipeId, fixes, edited, has_body AS hasBody, body_bytes AS bodyBytes, sha256,
  outcome, batch_id AS batchId, rows, fault, fault_count AS faultCount`;

type Row = Omit<Attempt, 'fixes' | 'edited' | 'hasBody' | 'fault'> & {
  readonly fixes: string;
  readonly edited: number;
  readonly hasBody: number;
  readonly fault: string | null;
};

export const attemptTable = (db: SqliteDatabase): AttemptTable => {
  const add = db.prepare(`
    INSERT INTO attempts VALUES (@key, @rejectId, @number, @at, @by, @recipeId, @fixes, @edited, @hasBody,
      @bodyBytes, @sha256, @outcome, @batchId, @rows, @fault, @faultCount) ON CONFLICT DO NOTHING`);
  const count = db.prepare(`
    UPDATE rejects SET attempts =
      (SELECT count(*) FROM attempts a WHERE a.stream_key = @key AND a.reject_id = @rejectId), unsaved = 1
    WHERE stream_key = @key AND reject_id = @rejectId`);
  const list = db.prepare(
    `SELECT ${FIELDS} FROM attempts WHERE stream_key = ? AND reject_id = ? ORDER BY number`,
  );
  const next = db.prepare(`
    SELECT coalesce(max(number), 0) + 1 AS number FROM attempts WHERE stream_key = ? AND reject_id = ?`);
  const counts = db.prepare(`
    SELECT recipe_id AS recipeId, count(*) AS tried, sum(outcome = 'landed') AS landed,
      coalesce(sum(rows), 0) AS rows, max(at) AS lastAt
    FROM attempts WHERE stream_key = ? AND recipe_id IS NOT NULL GROUP BY recipe_id`);
  return {
    add: (stream, rejectId, attempt) => {
      const key = fold(stream);
      const { fixes, edited, hasBody, fault } = attempt;
      add.run({
        ...attempt,
        ...{ key, rejectId, fixes: JSON.stringify(fixes) },
        ...{ edited: edited ? 1 : 0, hasBody: hasBody ? 1 : 0 },
        fault: fault && JSON.stringify(fault),
      });
      count.run({ key, rejectId });
    },
    list: (stream, rejectId) => (list.all(fold(stream), rejectId) as Row[]).map(attemptOf),
    next: (stream, rejectId) => (next.get(fold(stream), rejectId) as { number: number }).number,
    countsOf: (stream) => counts.all(fold(stream)) as RecipeCounts[],
  };
};

const attemptOf = ({ fixes, edited, hasBody, fault, ...rest }: Row): Attempt => ({
  ...rest,
  fixes: JSON.parse(fixes) as Fix[],
  edited: edited === 1,
  hasBody: hasBody === 1,
  fault: fault === null ? null : (JSON.parse(fault) as Fault),
});
