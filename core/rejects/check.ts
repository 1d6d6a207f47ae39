// Owns holding a body against the rules of a stream as a landing would. Pure.
// Never lands anything.

import { createHash } from 'node:crypto';
import { fold } from '../ids.ts';
import { parseBatch } from '../ingest/ndjson/parse-batch.ts';
import type { Checked, Fault, ParsedBatch } from '../model.ts';

/** The rules of a stream at a moment. */
export interface StreamRules {
  /** Registered columns; null where any field is welcome. */
  readonly registered: readonly string[] | null;
  /** Fields that have a column. */
  readonly known: readonly string[];
  readonly maxColumns: number;
  /** The batch that has landed under the id, and the bodies it stands for; null where the id is free. */
  readonly taken: { readonly batchId: string; readonly sha256: readonly string[] } | null;
}

/** The most faulty lines that are named. */
const MOST_BAD_LINES = 10_000;

/** What a body is, and the numbers of all its faulty lines. */
export interface CheckedBody {
  readonly checked: Checked;
  readonly badLines: readonly number[];
}

/** Holds a body against the rules; the same faults that landing it now would give. */
export const checkBody = (body: Uint8Array, rules: StreamRules): CheckedBody => {
  const badLines: number[] = [];
  const { registered } = rules;
  const outcome = parseBatch(body, { badLines, ...(registered ? { registered } : {}) });
  const sha256 = createHash('sha256').update(body).digest('hex');
  const { taken } = rules;
  const conflict = taken && !taken.sha256.includes(sha256) ? idConflict(taken.batchId) : null;
  const faults = conflict
    ? [conflict]
    : outcome.ok
      ? streamFaults(outcome.batch, rules)
      : outcome.faults;
  const { lines, texts } = countLines(body);
  const checked = {
    ok: faults.length === 0,
    faults,
    faultCount: outcome.ok || conflict ? faults.length : outcome.faultCount,
    lines,
    records: texts - badLines.length,
    badLines: badLines.slice(0, MOST_BAD_LINES),
    badLineCount: badLines.length,
    bodyBytes: body.length,
    sha256,
  };
  return { checked, badLines };
};

/** What the stream's columns have against a batch that is good by itself; as the ledger decides it when it lands. */
const streamFaults = (
  batch: ParsedBatch,
  { known, maxColumns }: Pick<StreamRules, 'known' | 'maxColumns'>,
): Fault[] => {
  if (batch.columns.length === 0 && known.length === 0) return [noColumns()];
  const have = new Set(known.map(fold));
  const fresh = batch.columns.filter(({ key }) => !have.has(fold(key)));
  const over = fresh[maxColumns - known.length];
  return over ? [tooManyColumns(over.key, over.firstLine, maxColumns)] : [];
};

/** The id has landed with another body. */
export const idConflict = (batchId: string): Fault => ({
  code: 'batch_id_conflict',
  message: `The batch id "${batchId}" has landed with a different body.`,
  line: null,
  column: null,
});

/** No record has a field, and the stream has no columns that could be NULL. */
export const noColumns = (): Fault => ({
  code: 'no_columns',
  message: 'No record has a field, and the stream has no columns yet.',
  line: null,
  column: null,
});

/** The stream would have too many columns with this field. */
export const tooManyColumns = (field: string, line: number, maxColumns: number): Fault => ({
  code: 'too_many_columns',
  message: `Line ${line}: with the field "${field.slice(0, 60)}" the stream would have more than ${maxColumns} columns.`,
  line,
  column: null,
});

/** Lines of a body, and those of them that are not blank. */
const countLines = (body: Uint8Array): { lines: number; texts: number } => {
  let lines = 0;
  let texts = 0;
  let isText = false;
  const from = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  for (let at = from; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === 0x0a) {
      lines += 1;
      if (isText) texts += 1;
      isText = false;
    } else if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) isText = true;
  }
  const isEnded = body.length === 0 || body[body.length - 1] === 0x0a;
  return isEnded ? { lines, texts } : { lines: lines + 1, texts: texts + (isText ? 1 : 0) };
};
