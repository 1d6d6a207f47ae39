// Owns the tools over the inbox: searching bodies, narrowing by sender. Never searches itself.

import { ActionIcon, Menu, TextInput, Tooltip } from '@mantine/core';
import { IconFilter, IconFilterFilled, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { RejectGroup } from '../../core/model.ts';
import { useShortcuts } from '../app/keys.ts';
import { count } from '../ui/format.ts';
import { Key } from '../ui/parts.tsx';
import { type InboxState, untilNow } from './inbox-state.ts';

/** A search begins when nothing was typed for so long. */
const PAUSE_MS = 350;

interface InboxToolsProps {
  readonly state: InboxState;
  readonly change: (next: Partial<InboxState>) => void;
  readonly groups: readonly RejectGroup[];
  readonly isOff: boolean;
}

/** The field and the filter. */
export const InboxTools = ({ state, change, groups, isOff }: InboxToolsProps) => {
  const [text, setText] = useState(state.text);
  // What is searched for can be put away elsewhere: then the field is empty too.
  const [searched, setSearched] = useState(state.text);
  if (searched !== state.text) {
    setSearched(state.text);
    setText(state.text);
  }
  const field = useRef<HTMLInputElement>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = (next: string): void => {
    clearTimeout(waiting.current);
    setText(next);
    const begin = (): void => change({ text: next, until: untilNow(), selected: new Set() });
    if (next === '') begin();
    else waiting.current = setTimeout(begin, PAUSE_MS);
  };
  useEffect(() => () => clearTimeout(waiting.current), []);
  useShortcuts({ '/': () => field.current?.focus() });
  const toList = (): void => document.getElementById('rejects-inbox')?.focus();
  return (
    <div className="inbox-tools">
      <TextInput
        ref={field}
        className="inbox-find"
        aria-label="Find in bodies"
        placeholder="Find in bodies"
        value={text}
        maxLength={1_000}
        disabled={isOff}
        onChange={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') search('');
          if (!['Escape', 'ArrowDown', 'Enter'].includes(event.key)) return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Enter' && text !== state.text)
            change({ text, until: untilNow(), selected: new Set() });
          toList();
        }}
        leftSection={<IconSearch size={14} stroke={1.6} />}
        leftSectionWidth={28}
        rightSection={<Key>/</Key>}
        rightSectionWidth={30}
        rightSectionPointerEvents="none"
      />
      <SenderMenu state={state} change={change} groups={groups} />
    </div>
  );
};

const SenderMenu = ({ state, change, groups }: Omit<InboxToolsProps, 'isOff'>) => {
  const senders = sendersOf(groups);
  const choose = (sender: string | null): void => change({ sender, until: untilNow() });
  const { sender: chosen } = state;
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Tooltip label={chosen === null ? 'Filter by sender' : `Only from ${chosen}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={chosen === null ? 'Filter by sender' : `Filter by sender: ${chosen}`}
          >
            {chosen === null ? (
              <IconFilter size={16} stroke={1.6} />
            ) : (
              <IconFilterFilled size={16} color="var(--s-accent-mark)" />
            )}
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => choose(null)}>Every sender</Menu.Item>
        {chosen !== null && !senders.some(([sender]) => sender === chosen) ? (
          <Menu.Item onClick={() => choose(chosen)}>{chosen}</Menu.Item>
        ) : null}
        {senders.map(([sender, rejects]) => (
          <Menu.Item
            key={sender}
            onClick={() => choose(sender)}
            rightSection={<span className="small ink-2">{count(rejects)}</span>}
          >
            {sender}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

/** Who sent what is listed, most frequent first. */
const sendersOf = (groups: readonly RejectGroup[]): [string, number][] => {
  const counts = new Map<string, number>();
  for (const { sender, rejects } of groups.flatMap(({ senders }) => senders)) {
    if (sender !== null) counts.set(sender, (counts.get(sender) ?? 0) + rejects);
  }
  return [...counts].sort(([, one], [, other]) => other - one).slice(0, 12);
};
