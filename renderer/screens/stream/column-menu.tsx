// Owns the menu in a column's head: conditions on its values. Never runs one.

import { Menu } from '@mantine/core';
import { type Draft, type Filter, wordsOf } from './filters.ts';

interface ColumnMenuProps {
  readonly column: string;
  /** The selected cell's value where it is in this column. */
  readonly value: string | null | undefined;
  readonly onFilter: (filter: Filter) => void;
  /** A condition that needs a value, which the toolbar asks for. */
  readonly onDraft: (draft: Draft) => void;
}

const WITH_VALUE = ['equal', 'not-equal', 'contains'] as const;
const SHORT = 60;

/** The items of the menu. */
export const ColumnMenu = ({ column, value, onFilter, onDraft }: ColumnMenuProps) => {
  const quick = value !== undefined && value !== null && value.length <= SHORT ? value : null;
  return (
    <>
      {quick === null ? null : (
        <>
          <Menu.Item onClick={() => onFilter({ column, is: 'equal', value: quick })}>
            is <Value text={quick} />
          </Menu.Item>
          <Menu.Item onClick={() => onFilter({ column, is: 'not-equal', value: quick })}>
            is not <Value text={quick} />
          </Menu.Item>
          <Menu.Divider />
        </>
      )}
      {WITH_VALUE.map((is) => (
        <Menu.Item key={is} onClick={() => onDraft({ column, is })}>
          {wordsOf(is)}…
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => onFilter({ column, is: 'null' })}>{wordsOf('null')}</Menu.Item>
      <Menu.Item onClick={() => onFilter({ column, is: 'not-null' })}>
        {wordsOf('not-null')}
      </Menu.Item>
    </>
  );
};

const Value = ({ text }: { text: string }) =>
  text === '' ? (
    <span className="cell-empty">empty</span>
  ) : (
    <span className="mono column-value">{text}</span>
  );
