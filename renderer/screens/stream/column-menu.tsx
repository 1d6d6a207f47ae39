// Owns the menu in a column's head: conditions on its values. Never runs one.

import { Button, Menu, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { type Filter, wordsOf } from './filters.ts';

interface ColumnMenuProps {
  readonly column: string;
  /** The selected cell's value where it is in this column. */
  readonly value: string | null | undefined;
  readonly onFilter: (filter: Filter) => void;
}

const WITH_VALUE = ['equal', 'not-equal', 'contains'] as const;
const SHORT = 60;

/** The items of the menu. */
export const ColumnMenu = ({ column, value, onFilter }: ColumnMenuProps) => {
  const [asked, setAsked] = useState<(typeof WITH_VALUE)[number] | null>(null);
  const [text, setText] = useState('');
  if (asked !== null) {
    return (
      <form
        className="column-form"
        onSubmit={(event) => {
          event.preventDefault();
          onFilter({ column, is: asked, value: text });
        }}
      >
        <TextInput
          data-autofocus
          autoFocus
          aria-label={`${column} ${wordsOf(asked)}`}
          placeholder={`${wordsOf(asked)} …`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event: KeyboardEvent) => {
            // The menu would take these keys for itself.
            if (event.key !== 'Escape') event.stopPropagation();
          }}
        />
        <Button type="submit">Filter</Button>
      </form>
    );
  }
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
        <Menu.Item key={is} closeMenuOnClick={false} onClick={() => setAsked(is)}>
          {wordsOf(is)} …
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
