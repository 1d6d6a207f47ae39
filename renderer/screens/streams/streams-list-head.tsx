// Owns the heads of the list and what each sorts by. Never sorts.

import type { Sort, SortBy } from './streams-order.ts';

/** The columns, from left to right. */
export const HEADS: readonly { readonly by: SortBy; readonly word: string }[] = [
  { by: 'stream', word: 'Stream' },
  { by: 'rate', word: 'Rows a second' },
  { by: 'rows', word: 'Rows' },
  { by: 'files', word: 'Files' },
  { by: 'sizeBytes', word: 'Size' },
  { by: 'lagMs', word: 'Lag' },
  { by: 'lastLandedAt', word: 'Last landed' },
  { by: 'openRejects', word: 'Rejects' },
];

/** The heads. A click sorts; `active` is the one the keyboard is at. */
export const StreamsListHead = ({
  sort,
  active,
  onSort,
}: {
  sort: Sort;
  active: number | null;
  onSort: (index: number) => void;
}) => (
  // biome-ignore lint/a11y/useSemanticElements: rows are virtual, so they are placed, not laid out as a table.
  <div className="streams-heads" role="rowgroup">
    {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
    {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active one. */}
    <div className="streams-line" role="row" aria-rowindex={1}>
      {HEADS.map(({ by, word }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: see above.
        // biome-ignore lint/a11y/useFocusableInteractive: see above.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys.
        <div
          key={by}
          id={`streams-head-${index}`}
          className={`streams-cell of-${by}`}
          role="columnheader"
          aria-sort={sort.by === by ? (sort.isUp ? 'ascending' : 'descending') : 'none'}
          data-active={active === index || undefined}
          onClick={() => onSort(index)}
        >
          <span>{word}</span>
          {sort.by === by ? <span aria-hidden="true">{sort.isUp ? ' ↑' : ' ↓'}</span> : null}
        </div>
      ))}
    </div>
  </div>
);
