// Owns how the palette stands: the field, the groups that answer, what its keys and marks do. Never knows what an entry is.

import { Spotlight, type SpotlightActionData, type SpotlightStore } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import './palette.css';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Key } from '../ui/parts.tsx';
import { ranked, readTyped } from './palette-order.ts';

export interface PaletteListProps {
  readonly store: SpotlightStore;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly groups: readonly {
    readonly group: string;
    readonly actions: readonly SpotlightActionData[];
  }[];
  /** What stands at the end of the field. */
  readonly aside?: ReactNode;
}

const LAST = ['Columns'];

/** Gives its field the focus, when it stands. */
export const focusPalette = (): void =>
  document.querySelector<HTMLInputElement>('.palette input')?.focus();

/** The palette over these groups. */
export const PaletteList = (props: PaletteListProps) => {
  const { store, typed, onType, groups, aside } = props;
  const { only, words } = readTyped(typed);
  const found = ranked(groups, typed, LAST);
  return (
    <Spotlight.Root
      className="palette"
      store={store}
      // What is highlighted; the field keeps the mark before it.
      query={words}
      onQueryChange={onType}
      overlayProps={{ blur: 0, backgroundOpacity: 1, color: 'var(--s-scrim)' }}
      centered={false}
      yOffset={96}
      shortcut={null}
      // It stands at once, and palette.css moves it in.
      transitionProps={{ duration: 0 }}
      scrollable
      maxHeight={480}
      size={640}
      attributes={{ content: { 'aria-label': 'Search or run a command' } }}
    >
      <Spotlight.Search
        value={typed}
        placeholder="Search or run a command"
        aria-label="Search or run a command"
        leftSection={<IconSearch size={16} stroke={1.6} color="var(--s-ink-3)" />}
        rightSection={aside}
        rightSectionWidth="auto"
        rightSectionPointerEvents="none"
      />
      {found.length === 0 ? (
        <Spotlight.Empty>{nothingOf(only)}</Spotlight.Empty>
      ) : (
        <Spotlight.ActionsList>
          {found.map(({ group, actions }) => (
            <Spotlight.ActionsGroup key={group} label={group}>
              {actions.map(({ id, ...action }) => (
                <Spotlight.Action key={id} highlightQuery {...action} />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        </Spotlight.ActionsList>
      )}
      <Spotlight.Footer className="palette-foot">
        <Hint keys={['↑', '↓']}>move</Hint>
        <Hint keys={['↵']}>open</Hint>
        <span className="grow" />
        <Hint keys={['#']}>streams</Hint>
        <Hint keys={['>']}>commands</Hint>
        <Hint keys={['@']}>columns</Hint>
        <Hint keys={[':']}>rows</Hint>
      </Spotlight.Footer>
    </Spotlight.Root>
  );
};

const nothingOf = (only: string | null): string =>
  only === 'Rows'
    ? 'A number after the colon goes to that row of the stream that is open'
    : `Nothing${only === null ? '' : ` of the ${only.toLowerCase()}`} has this in its name`;

const Hint = ({ keys, children }: { keys: readonly string[]; children: string }) => (
  <span>
    {keys.map((key) => (
      <Key key={key}>{key}</Key>
    ))}
    {children}
  </span>
);
