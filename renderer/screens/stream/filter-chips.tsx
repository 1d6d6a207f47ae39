// Owns the conditions as chips, each removable. Never runs one.

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type Filter, needsValue, wordsOf } from './filters.ts';

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
      <span className="chip" key={words} title={words}>
        <span className="ink-2 cut">{column}</span>
        <span className="chip-is">{wordsOf(is)}</span>
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
