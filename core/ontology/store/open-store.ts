// Owns choosing a model store by what the settings say. Never reads the settings.

import { AppError } from '../../errors.ts';
import type { KnowledgebasePaths } from '../../knowledgebase/paths.ts';
import type { Ledger } from '../../ledger/open.ts';
import { postgresStore } from './postgres-store.ts';
import { noStore, sqliteStore } from './sqlite-store.ts';
import type { ModelStore } from './store.ts';

export interface StoreOptions {
  /** `none`, `sqlite`, or a PostgreSQL URL. */
  readonly where: string;
  /** The model's name in a shared store. */
  readonly name: string;
  readonly paths: KnowledgebasePaths;
  readonly ledger: () => Ledger;
}

/** Throws `invalid_argument` unless it says a store. */
export const checkStore = (where: string): void => {
  if (where === 'none' || where === 'sqlite' || isPostgres(where)) return;
  throw new AppError('invalid_argument', 'That is no model store.', {
    hint: 'Give none, sqlite, or a URL: postgresql://user@host:5432/database.',
  });
};

const isPostgres = (where: string): boolean =>
  /^postgres(ql)?:\/\//.test(where) && URL.canParse(where);

/** The store; nothing is opened or connected before its first use. */
export const openStore = ({ where, name, paths, ledger }: StoreOptions): ModelStore => {
  checkStore(where);
  if (isPostgres(where)) return postgresStore(where, name);
  return where === 'none' ? noStore() : sqliteStore(paths, ledger);
};
