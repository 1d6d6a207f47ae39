// Owns the bar above the rows: order, conditions, search, how many rows and as of when, new ones.
// Never shows a row.

import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconArrowUp, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { shownKeys, useShortcuts } from '../../app/keys.ts';
import { useEngine } from '../../app/live.ts';
import { clock, count } from '../../ui/format.ts';
import { Key } from '../../ui/parts.tsx';
import { DraftChip, FilterChips } from './filter-chips.tsx';
import { type Draft, withFilter } from './filters.ts';
import type { RowsView } from './use-rows-view.ts';

interface RowsToolbarProps {
  readonly summary: StreamSummary;
  readonly view: RowsView;
  readonly draft: Draft | null;
  readonly onDraft: (draft: Draft | null) => void;
}

/** The bar. */
export const RowsToolbar = ({ summary, view, draft, onDraft }: RowsToolbarProps) => {
  const isReady = useEngine().state === 'ready';
  const { order, setOrder, filters, setFilters, asOf, newRows, takeIn, isFiltered, total } = view;
  return (
    <div className="toolbar rows-toolbar">
      <SegmentedControl
        aria-label="Order"
        disabled={!isReady}
        value={order}
        onChange={(next) => setOrder(next === 'oldest' ? 'oldest' : 'newest')}
        data={[
          { value: 'newest', label: 'Newest first' },
          { value: 'oldest', label: 'Oldest first' },
        ]}
      />
      <FilterChips filters={filters} onChange={setFilters} />
      {draft ? (
        <DraftChip
          key={`${draft.column} ${draft.is}`}
          draft={draft}
          onFilter={(filter) => {
            onDraft(null);
            setFilters(withFilter(filters, filter));
            document.querySelector<HTMLElement>('[role="grid"]')?.focus();
          }}
          onDrop={() => onDraft(null)}
        />
      ) : null}
      <Find view={view} isReady={isReady} />
      <span className="grow" />
      {asOf === null ? null : isFiltered ? (
        <span className="ink-2 rows-total">
          {total === null ? 'looking' : count(total)} of {count(summary.rows)} rows
        </span>
      ) : (
        <span className="rows-total">
          {count(asOf.rows)} rows <span className="ink-3">as of {clock(asOf.at)}</span>
        </span>
      )}
      {newRows > 0 && !isFiltered ? (
        <Button
          variant="default"
          disabled={!isReady}
          leftSection={<IconArrowUp size={14} stroke={1.6} />}
          onClick={takeIn}
        >
          {count(newRows)} new
        </Button>
      ) : null}
    </div>
  );
};

const Find = ({ view, isReady }: { view: RowsView; isReady: boolean }) => {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(view.find);
  /** What was looked for last from here: letters that were typed since stay. */
  const applied = useRef(view.find);
  useEffect(() => {
    if (view.find === applied.current) return;
    applied.current = view.find;
    setText(view.find);
  }, [view.find]);
  const apply = useDebouncedCallback((value: string) => {
    applied.current = value;
    if (value !== view.find) view.setFind(value);
  }, 400);
  const focus = (): void => {
    field.current?.focus();
    field.current?.select();
  };
  useShortcuts({ '/': focus, 'mod+f': focus });
  return (
    <TextInput
      ref={field}
      className="rows-find"
      aria-label="Find in rows"
      placeholder="Find in rows"
      disabled={!isReady}
      value={text}
      leftSection={<IconSearch size={16} stroke={1.6} />}
      rightSection={text === '' ? <Key>{shownKeys('mod+f')}</Key> : null}
      rightSectionWidth={52}
      rightSectionPointerEvents="none"
      onChange={(event) => {
        setText(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply.flush();
        if (event.key !== 'Escape') return;
        apply.cancel();
        setText('');
        if (view.find !== '') view.setFind('');
        event.currentTarget.blur();
        document.querySelector<HTMLElement>('[role="grid"]')?.focus();
      }}
    />
  );
};
