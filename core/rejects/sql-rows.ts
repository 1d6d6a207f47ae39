// Owns the lines of the files that SQL reads rejects from: one a fault, as JSON. Pure.
// Never reads or writes such a file.

import type { Fault, Reject } from '../model.ts';
import { lineAt, lineStarts } from './lines.ts';
import { showLine } from './show-line.ts';

/** A row of `raw_rejects`; its names are those of the view's columns. */
export interface SqlRow {
  readonly reject_id: string;
  readonly batch_id: string;
  readonly received_at: string;
  readonly code: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
  /** The line as text, cut after 4,096 bytes; null where the fault is of the whole body, or the body is gone. */
  readonly line_text: string | null;
  readonly state: string;
}

const WIDTH = 4_096;

/** The rows of a reject: one for each fault that was kept of it. */
export const sqlRowsOf = (
  reject: Reject,
  faults: readonly Fault[],
  body: Uint8Array | null,
): SqlRow[] => {
  const starts = body && lineStarts(body);
  const textOf = (line: number | null): string | null =>
    body && starts && line !== null && line <= starts.length
      ? showLine(lineAt(body, starts, line), WIDTH).text
      : null;
  return faults.map(({ code, line, column, message }) => ({
    reject_id: reject.rejectId,
    batch_id: reject.batchId,
    received_at: reject.receivedAt,
    code,
    line,
    column,
    message,
    line_text: textOf(line),
    state: reject.state,
  }));
};

/** Rows that were written before, by reject id. A line that is none of ours is left out. */
export const readSqlRows = (text: string): Map<string, SqlRow[]> => {
  const rows = new Map<string, SqlRow[]>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const row = JSON.parse(line) as SqlRow;
      const of = rows.get(row.reject_id);
      if (of) of.push(row);
      else rows.set(row.reject_id, [row]);
    } catch {
      return new Map();
    }
  }
  return rows;
};

/** The text of a file of rows. */
export const sqlText = (rows: readonly SqlRow[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');
