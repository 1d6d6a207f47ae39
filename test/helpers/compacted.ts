// Owns a knowledgebase `k` for the tests of compaction: a stream of batches whose rows are known, and their comparison.
// Never compacts.

import { join } from 'node:path';
import type { Core } from '../../core/index.ts';
import { knowledgebasePaths } from '../../core/knowledgebase/paths.ts';
import { land } from './core.ts';
import { tempFolder } from './server.ts';

/** A row as every reader must show it, in the order of `COLUMNS`. */
export type Row = readonly (string | null)[];

const COLUMNS = ['u', 'a', 'B', 'filename_', 'file_row_number', '_batch_id', '_line'] as const;

/** What has landed, in landing order. */
export interface Landed {
  readonly home: string;
  readonly root: string;
  readonly rows: Row[];
  /** How many batches. */
  batches: number;
}

export const newLanded = (): Landed => {
  const home = tempFolder();
  return { home, root: join(home, 'k'), rows: [], batches: 0 };
};

export const pathsOf = ({ root }: Landed) => knowledgebasePaths(root);

/** Bodies that differ in columns, in nulls, in how columns are spelled; each names itself in `u`. */
const BODIES: readonly (readonly Readonly<Record<string, string | null>>[])[] = [
  [{ a: '1.10' }, { a: null }, { a: '' }],
  [{ B: 'x\n"y"\\' }, { a: 'null', B: null }],
  [{ a: '日本 😀', file_row_number: '7' }],
  [
    { filename: 'f', a: 'a\u0000b' },
    { filename: '', B: '12345678901234567890123' },
  ],
];

/** Lands the next `count` batches in the stream. */
export const landSome = async (
  core: Core,
  landed: Landed,
  count: number,
  stream = 's',
): Promise<void> => {
  for (let done = 0; done < count; done += 1) {
    const number = landed.batches;
    landed.batches += 1;
    const id = `b-${String(number).padStart(4, '0')}`;
    const records = (BODIES[number % BODIES.length] as (typeof BODIES)[number]).map((record) => ({
      u: id,
      ...record,
    }));
    const body = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    await land(core, stream, body, id);
    landed.rows.push(...rowsOf(records, id));
  }
};

const rowsOf = (records: readonly Readonly<Record<string, string | null>>[], id: string): Row[] =>
  records.map((record, at) => [
    id,
    record.a ?? null,
    record.B ?? null,
    record.filename ?? null,
    record.file_row_number ?? null,
    id,
    String(at + 1),
  ]);

/** SQL that gives every row of the stream in landing order. */
export const ALL_ROWS = `SELECT ${COLUMNS.map((name) => `"${name}"`).join(', ')}
  FROM raw_extracted."stream_s" ORDER BY _batch_id, _line`;
