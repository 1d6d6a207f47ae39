// Owns the conditions as chips, each removable. Never runs one.

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Key } from '../../ui/parts.tsx';
import { type Draft, type Filter, needsValue, wordsOf } from './filters.ts';

/** The conditions that hold now. */
export const FilterChips = ({
  filters,
  onChange,
}: {
  filters: readonly Filter[];
  onChange: (filters: readonly Filter[]) => void;
}) =>
  filters.map((filter) => {
    const { column, is, value } = filter;
    const words = `${column} ${wordsOf(is)}${needsValue(is) ? ` ${value === '' ? 'empty' : value}` : ''}`;
    return (
      <span className="filter-chip" key={words} title={words}>
        <span className="ink-2 cut">{column}</span>
        <span className="filter-chip-is">{wordsOf(is)}</span>
        {needsValue(is) ? (
          value === '' ? (
            <span className="cell-empty">empty</span>
          ) : (
            <span className="ink-2 cut">{value}</span>
          )
        ) : null}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={18}
          aria-label={`Remove ${words}`}
          onClick={() => onChange(filters.filter((one) => one !== filter))}
        >
          <IconX size={14} stroke={1.6} />
        </ActionIcon>
      </span>
    );
  });

/** A condition that waits for its value: Enter sets it, Esc drops it. */
export const DraftChip = ({
  draft: { column, is },
  onFilter,
  onDrop,
}: {
  draft: Draft;
  onFilter: (filter: Filter) => void;
  onDrop: () => void;
}) => {
  const [value, setValue] = useState('');
  return (
    <form
      className="filter-chip filter-chip-draft"
      onSubmit={(event) => {
        event.preventDefault();
        onFilter({ column, is, value });
      }}
    >
      <span className="ink-2 cut">{column}</span>
      <span className="filter-chip-is">{wordsOf(is)}</span>
      <input
        // biome-ignore lint/a11y/noAutofocus: the person just asked for it.
        autoFocus
        className="mono"
        aria-label={`Value that ${column} ${wordsOf(is)}`}
        placeholder="value"
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onBlur={() => (value === '' ? onDrop() : undefined)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          onDrop();
          document.querySelector<HTMLElement>('[role="grid"]')?.focus();
        }}
      />
      <Key>Enter</Key>
    </form>
  );
};
