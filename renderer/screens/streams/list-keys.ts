// Owns what a key means in the list: where it moves, or what it does. Never does it.

/** Where the keyboard is: a row, or a head above them. */
export interface At {
  /** -1 while no row is chosen. */
  readonly row: number;
  readonly head: number | null;
  readonly rows: number;
  readonly heads: number;
  /** Rows of one page. */
  readonly page: number;
}

export type Act =
  | { readonly act: 'row'; readonly to: number }
  | { readonly act: 'head'; readonly to: number }
  | { readonly act: 'sort' | 'open' | 'peek' };

/** What a key does; null where the list leaves it alone. */
export const actOf = (key: string, at: At): Act | null =>
  (at.head === null ? null : inHeads(key, at.head, at)) ?? inRows(key, at);

const inHeads = (key: string, head: number, { row, heads }: At): Act | null => {
  switch (key) {
    case 'ArrowLeft':
      return { act: 'head', to: Math.max(0, head - 1) };
    case 'ArrowRight':
      return { act: 'head', to: Math.min(heads - 1, head + 1) };
    case 'ArrowUp':
      return { act: 'head', to: head };
    case 'ArrowDown':
      return { act: 'row', to: Math.max(row, 0) };
    case 'Enter':
    case ' ':
      return { act: 'sort' };
    default:
      return null;
  }
};

const inRows = (key: string, { row, rows, page }: At): Act | null => {
  const to = (index: number): Act => ({
    act: 'row',
    to: Math.max(0, Math.min(rows - 1, index)),
  });
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return to(row + 1);
    case 'ArrowUp':
      return row <= 0 ? { act: 'head', to: 0 } : to(row - 1);
    case 'k':
      return to(row - 1);
    case 'PageDown':
      return to(row + page);
    case 'PageUp':
      return to(row - page);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows - 1);
    case 'Enter':
      return row < 0 ? null : { act: 'open' };
    case ' ':
      return row < 0 ? null : { act: 'peek' };
    default:
      return null;
  }
};
