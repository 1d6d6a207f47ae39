// Owns conditions on rows: their words. Never runs them.

/** A condition on a column, as the engine takes it. */
export interface Filter {
  readonly column: string;
  readonly is: 'equal' | 'not-equal' | 'contains' | 'null' | 'not-null';
  readonly value?: string;
}

/** A condition whose value is still to be given. */
export type Draft = Pick<Filter, 'column' | 'is'>;

const WORDS: Readonly<Record<Filter['is'], string>> = {
  equal: 'is',
  'not-equal': 'is not',
  contains: 'contains',
  null: 'is null',
  'not-null': 'is not null',
};

/** The words between a column and a value. */
export const wordsOf = (is: Filter['is']): string => WORDS[is];

/** Whether a condition needs a value. */
export const needsValue = (is: Filter['is']): boolean => is !== 'null' && is !== 'not-null';

/** The conditions with one more; the same one twice is one. */
export const withFilter = (filters: readonly Filter[], more: Filter): readonly Filter[] => [
  ...filters.filter(
    ({ column, is, value }) =>
      column !== more.column || is !== more.is || (value ?? null) !== (more.value ?? null),
  ),
  more,
];
