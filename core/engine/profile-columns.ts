// Owns a stream's columns as the Schema tab shows them: how often they are filled, and examples.
// Never reads the whole stream: the newest rows stand for it, and the answer says how many they were.

import type { ColumnProfile } from '../model.ts';
import type { OpenKnowledgebase } from './open.ts';
import { readRows } from './read-rows.ts';
import type { OpenStream } from './streams.ts';

const SAMPLED_ROWS = 2_000;
const EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 200;

/** The columns in order of first sight. */
export const profileColumns = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
): Promise<ColumnProfile[]> => {
  const ledger = knowledgebase.ledger();
  const columns = ledger.columns.list(stream.id);
  const all = ledger.streams.get(stream.id)?.rows ?? 0;
  const from = Math.max(0, all - SAMPLED_ROWS);
  const names = columns.map(({ landed }) => landed);
  const rows =
    all > from ? await readRows(knowledgebase, stream, { from, to: all, columns: names }) : [];
  return columns.map((column, index) => {
    const examples = new Set<string>();
    let filled = 0;
    for (let at = rows.length - 1; at >= 0; at -= 1) {
      const value = rows[at]?.values[index] ?? null;
      if (value === null) continue;
      filled += 1;
      if (examples.size < EXAMPLES) examples.add(value.slice(0, EXAMPLE_CHARACTERS));
    }
    return {
      ...column,
      filled: rows.length === 0 ? null : filled,
      sampled: rows.length,
      examples: [...examples],
    };
  });
};
