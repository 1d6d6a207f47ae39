// Owns what a row of an answer says of where it came from. Never asks the engine.

import type { Answer } from './runs.ts';
import { streamsIn } from './sql-words.ts';

/** The batch and line of a row, and the streams that it may be of. */
export interface Origin {
  readonly batchId: string;
  /** As it stands in the answer; null where the answer has no line. */
  readonly line: string | null;
  readonly streams: readonly string[];
}

/** What the row says; null where it has no batch, or the SQL names no stream. */
export const originOf = (
  { columns, rows, sql }: Pick<Answer, 'columns' | 'rows' | 'sql'>,
  row: number,
): Origin | null => {
  const at = (name: string): string | null => {
    const column = columns.findIndex((one) => one.name.toLowerCase() === name);
    return column < 0 ? null : (rows[row]?.[column] ?? null);
  };
  const batchId = at('_batch_id');
  if (batchId === null || batchId === '') return null;
  // The file says which stream, also where the SQL names several.
  const [, stream] = /[\\/]streams[\\/]([^\\/]+)[\\/]data[\\/]/.exec(at('filename') ?? '') ?? [];
  const streams = stream === undefined ? streamsIn(sql) : [stream];
  if (streams.length === 0) return null;
  const line = at('_line');
  return { batchId, streams, line: /^[1-9]\d*$/.test(line ?? '') ? line : null };
};
