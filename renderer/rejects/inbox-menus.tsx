// Owns what narrows and what leaves an inbox, in its head: stream, time, the menu of downloads. Never filters itself.

import { Select } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useEngine, useStreams } from '../app/live.ts';
import { count } from '../ui/format.ts';
import { groupKey, namesOf } from './inbox-items.ts';
import { filterOf, type InboxState, SPANS, type Span, untilNow } from './inbox-state.ts';
import { OutMenu } from './out-menu.tsx';
import type { Outgoing } from './report-dialog.tsx';
import { filterOfGroup } from './use-inbox.ts';
import type { WorkbenchProps } from './workbench.tsx';

const ALL = '*';

/** The menus; that of streams is left out where the inbox is of one. */
export const InboxMenus = ({
  knowledgebase,
  stream,
  tab,
  at,
  state,
  change,
}: Omit<WorkbenchProps, 'onAt'>) => {
  const streams = useStreams(knowledgebase) ?? [];
  const isReady = useEngine().state === 'ready';
  const narrow = (next: Partial<InboxState>): void =>
    change({ ...next, until: untilNow(), open: undefined, isWhole: false, selected: new Set() });
  const names = at === null ? null : namesOf(at);
  return (
    <div className="rejects-tools">
      {stream === null ? (
        <Select
          aria-label="Stream"
          value={state.stream ?? ALL}
          onChange={(value) => narrow({ stream: value === ALL || value === null ? null : value })}
          data={[
            { value: ALL, label: 'All streams' },
            ...streams.map((one) => ({ value: one.stream, label: one.stream })),
          ]}
          searchable={streams.length > 12}
          allowDeselect={false}
          rightSection={<IconChevronDown size={14} stroke={1.6} />}
          rightSectionPointerEvents="none"
          comboboxProps={{ width: 220, position: 'bottom-end' }}
        />
      ) : null}
      <Select
        aria-label="Time"
        value={state.span}
        onChange={(value) => narrow({ span: (value ?? 'any') as Span })}
        data={Object.entries(SPANS).map(([value, { word }]) => ({ value, label: word }))}
        allowDeselect={false}
        rightSection={<IconChevronDown size={14} stroke={1.6} />}
        rightSectionPointerEvents="none"
        comboboxProps={{ width: 160, position: 'bottom-end' }}
      />
      <Out {...{ knowledgebase, tab, state }} names={names} isOff={!isReady} />
    </div>
  );
};

const Out = ({
  knowledgebase,
  tab,
  state,
  names,
  isOff,
}: Pick<WorkbenchProps, 'knowledgebase' | 'tab' | 'state'> & {
  names: { stream: string; rejectId: string } | null;
  isOff: boolean;
}) => {
  const filter = filterOf(state);
  const { data } = useQuery(
    api.rejects.groups.queryOptions({ input: { knowledgebase, ...filter, state: tab } }),
  );
  const first = data?.groups[0];
  const open =
    state.open === null
      ? undefined
      : (data?.groups.find((group) => groupKey(group) === state.open) ?? first);
  const selected = [...state.selected].flatMap((key) => namesOf(key) ?? []);
  const words = (rejects: number, of: string): string =>
    `${of} ${count(rejects)} ${rejects === 1 ? 'reject' : 'rejects'}`;
  const choices: Outgoing[] = [
    ...(selected.length > 1
      ? [
          {
            selection: { rejects: selected },
            count: selected.length,
            words: words(selected.length, 'the chosen'),
          },
        ]
      : []),
    ...(open
      ? [
          {
            selection: { filter: filterOfGroup(open, state, tab) },
            count: open[tab],
            words: `${words(open[tab], 'the')} of this cause`,
          },
        ]
      : []),
    ...(data
      ? [
          {
            selection: { filter: { ...filter, state: tab } },
            count: data.totals[tab],
            words: `${words(data.totals[tab], 'all')} that are ${tab}`,
          },
        ]
      : []),
  ];
  return (
    <OutMenu
      knowledgebase={knowledgebase}
      body={names === null ? null : { knowledgebase, ...names }}
      choices={choices}
      isOff={isOff}
    />
  );
};
