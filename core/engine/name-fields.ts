// Owns giving new fields of a stream their columns, as landing threads ask for them.
// Never renames one that has landed.

import { fold } from '../ids.ts';
import type { NameFields } from '../landing/pool.ts';
import { noColumns, tooManyColumns } from '../rejects/check.ts';
import type { OpenKnowledgebase } from './open.ts';

/** The most columns a stream may have. */
export const MAX_COLUMNS = 2_000;

/** Gives new fields their columns, in the ledger of the knowledgebase that `find` knows by a name map's key. */
export const nameFieldsIn =
  (find: (mapKey: string) => OpenKnowledgebase | undefined): NameFields =>
  (place, batchId, fields) => {
    const knowledgebase = find(place.mapKey);
    if (!knowledgebase) throw new Error(`${place.knowledgebase} is not open.`);
    const ledger = knowledgebase.ledger();
    const { columns } = ledger;
    return ledger.transaction(() => {
      const count = columns.count(place.stream);
      if (fields.length === 0 && count === 0) return { landed: [], fault: noColumns() };
      const fresh = fields.filter(({ source }) => columns.find(place.stream, source) === undefined);
      const over = fresh[MAX_COLUMNS - count];
      if (over) {
        return { landed: [], fault: tooManyColumns(over.source, over.line, MAX_COLUMNS) };
      }
      const at = new Date().toISOString();
      const registered = knowledgebase.streams.get(place.stream).settings().columns ?? [];
      // A registered column was spelled first when it was registered.
      const spelled = (source: string): string =>
        registered.find((column) => fold(column) === fold(source)) ?? source;
      const landed = fields.map(({ source }) =>
        columns.add(place.stream, spelled(source), batchId, at),
      );
      return { landed, fault: null };
    });
  };
