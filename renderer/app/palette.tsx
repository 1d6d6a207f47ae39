// Owns the palette: every screen, stream and command by a few letters. Never runs what it does not show.

import { createSpotlight, type SpotlightActionData, useSpotlight } from '@mantine/spotlight';
import {
  IconActivity,
  IconAdjustmentsHorizontal,
  IconArrowBackUp,
  IconClock,
  IconColumns3,
  IconInbox,
  IconKeyboard,
  IconPlus,
  IconShieldCheck,
  IconStack2,
  IconStack3,
  IconTerminal,
} from '@tabler/icons-react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { count, rate, shortCount } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { type Asked, ask } from './asked.ts';
import {
  chooseKnowledgebase,
  rateNow,
  useEngine,
  useKnowledgebase,
  useModelView,
  useRates,
  useStreams,
} from './live.ts';

import { modelScreen, promoteActions, promoteAny, typeActions } from './model-actions.tsx';
import { useFoundColumns } from './palette-columns.ts';
import { focusPalette, PaletteList, type PaletteListProps } from './palette-list.tsx';
import { readTyped } from './palette-order.ts';
import { go, usePlace } from './router.ts';

import { stateOf, viewOf } from './words.ts';

const [store, palette] = createSpotlight();
const icon = { size: 16, stroke: 1.6, color: 'var(--s-ink-3)' } as const;

/** Opens it, from anywhere. Its field has the focus before the next key is heard, so that no letter goes elsewhere. */
export const openPalette = (): void => {
  if (store.getState().opened) return;
  flushSync(palette.open);
  focusPalette();
};

interface PaletteProps {
  readonly knowledgebase: string | null;
  readonly onKeys: () => void;
}

/** The palette; opened by Ctrl/Cmd K. */
export const Palette = ({ knowledgebase, onKeys }: PaletteProps) => {
  const [typed, setTyped] = useState('');
  const list = { store, typed, onType: setTyped };
  return knowledgebase === null ? (
    <PaletteList {...list} groups={[{ group: 'Go to', actions: screens(onKeys) }]} />
  ) : (
    <Filled {...list} knowledgebase={knowledgebase} onKeys={onKeys} />
  );
};

const Filled = ({
  knowledgebase,
  onKeys,
  ...rest
}: Omit<PaletteListProps, 'groups'> & {
  knowledgebase: string;
  onKeys: () => void;
}) => {
  const { opened } = useSpotlight(store);
  const streams = useStreams(knowledgebase) ?? [];
  const rates = useRates(knowledgebase);
  const isAway = useEngine().state !== 'ready';
  const { list } = useKnowledgebase();
  const place = usePlace();
  const { only, words } = readTyped(rest.typed);
  const found = useFoundColumns(
    knowledgebase,
    streams,
    opened && (only === 'Columns' || (only === null && words.length > 1)),
  );
  const model = useModelView(knowledgebase);
  const toStreams = streams.map((stream) => ({
    id: `stream-${stream.stream}`,
    label: stream.stream,
    description: `${stateOf(stream, isAway).word}, ${rate(rateNow(rates, stream.stream))} rows/s, ${shortCount(stream.rows)} rows`,
    leftSection: <Mark name={stateOf(stream, isAway).mark} />,
    onClick: () => go({ screen: 'stream', stream: stream.stream, tab: 'rows', at: null }),
  }));
  const queries = streams
    .filter(({ rows }) => rows > 0)
    .map(({ stream }) => ({
      id: `query-${stream}`,
      label: `Query ${stream}`,
      leftSection: <IconTerminal {...icon} />,
      onClick: () => go({ screen: 'query', sql: `SELECT *\nFROM ${viewOf(stream)}\nLIMIT 100` }),
    }));
  const compactions = streams
    .filter(({ looseFiles }) => looseFiles > 1)
    .map(({ stream, looseFiles, compactionSuggested }) => ({
      id: `compact-${stream}`,
      label: `Compact ${stream}`,
      description: `${count(looseFiles)} loose files${compactionSuggested ? ', pays now' : ''}`,
      leftSection: <IconStack3 {...icon} />,
      onClick: () => toFiles(stream, 'compact'),
    }));
  const undos = streams
    .filter(({ files, looseFiles }) => files > looseFiles)
    .map(({ stream }) => ({
      id: `undo-compaction-${stream}`,
      label: `Undo compaction of ${stream}`,
      description: 'brings the originals back, where they are kept',
      leftSection: <IconArrowBackUp {...icon} />,
      onClick: () => toFiles(stream, 'undo'),
    }));
  const rejects = streams
    .filter(({ openRejects }) => openRejects > 0)
    .map(({ stream, openRejects }) => ({
      id: `rejects-${stream}`,
      label: `Rejects of ${stream}`,
      description: `${shortCount(openRejects)} open`,
      leftSection: <IconInbox {...icon} />,
      onClick: () => go({ screen: 'stream', stream, tab: 'rejects', at: null }),
    }));
  const bases = list
    .filter(({ id, fault }) => fault === null && id !== knowledgebase)
    .map(({ id }) => ({
      id: `kb-${id}`,
      label: `Open ${id}`,
      description: 'knowledgebase',
      leftSection: <IconStack2 {...icon} />,
      onClick: () => chooseKnowledgebase(id),
    }));
  const columns = found.map(({ stream, column }) => ({
    id: `column-${stream} ${column}`,
    label: column,
    description: `in ${stream}`,
    leftSection: <IconColumns3 {...icon} />,
    onClick: () => go({ screen: 'stream', stream, tab: 'schema', at: null }),
  }));
  return (
    <PaletteList
      {...rest}
      aside={<span className="palette-aside">{knowledgebase}</span>}
      groups={[
        { group: 'Streams', actions: toStreams },
        {
          group: 'Commands',
          actions: [
            ...commands(),
            promoteAny,
            ...queries,
            ...rejects,
            ...compactions,
            ...undos,
            ...bases,
          ],
        },
        { group: 'Model', actions: [...typeActions(model), ...promoteActions(streams)] },
        { group: 'Go to', actions: screens(onKeys) },
        ...(words === '' && only !== 'Columns' ? [] : [{ group: 'Columns', actions: columns }]),
        ...(place.screen === 'stream' && only === 'Rows'
          ? [{ group: 'Rows', actions: rowOf(place.stream, words) }]
          : []),
      ]}
    />
  );
};

/** Opens a stream's files, where it is done. */
const toFiles = (stream: string, what: Asked['what']): void => {
  go({ screen: 'stream', stream, tab: 'files', at: null });
  ask({ stream, what });
};

/** The row of this number, in landing order. */
const rowOf = (stream: string, words: string): SpotlightActionData[] => {
  const digits = words.replaceAll(/[, ]/g, '');
  if (!/^\d{1,15}$/.test(digits)) return [];
  return [
    {
      id: 'row',
      label: `Row ${count(Number(digits))} of ${stream}`,
      keywords: words,
      leftSection: <IconStack2 {...icon} />,
      onClick: () => go({ screen: 'stream', stream, tab: 'rows', at: `row:${digits}` }),
    },
  ];
};

/** Opens the dialog of the streams screen, from anywhere. */
export const newStream = (): void => {
  go({ screen: 'streams' });
  requestAnimationFrame(() => window.dispatchEvent(new CustomEvent('strata:new-stream')));
};

const commands = (): SpotlightActionData[] => [
  {
    id: 'new-stream',
    label: 'New stream…',
    leftSection: <IconPlus {...icon} />,
    onClick: newStream,
  },
  {
    id: 'verify',
    label: 'Verify the knowledgebase',
    description: 'proves that nothing is lost or counted twice',
    keywords: 'prove proof ledger',
    leftSection: <IconShieldCheck {...icon} />,
    onClick: () => {
      go({ screen: 'activity' });
      requestAnimationFrame(() => window.dispatchEvent(new CustomEvent('strata:verify')));
    },
  },
  {
    id: 'retention',
    label: 'Retention of failed bodies…',
    leftSection: <IconClock {...icon} />,
    onClick: () => {
      go({ screen: 'rejects', tab: 'open', at: null });
      requestAnimationFrame(() => window.dispatchEvent(new CustomEvent('strata:retention')));
    },
  },
];

const screens = (onKeys: () => void): SpotlightActionData[] => [
  {
    id: 'go-streams',
    label: 'Streams',
    leftSection: <IconStack2 {...icon} />,
    onClick: () => go({ screen: 'streams' }),
  },
  modelScreen,
  {
    id: 'go-rejects',
    label: 'Rejects',
    leftSection: <IconInbox {...icon} />,
    onClick: () => go({ screen: 'rejects', tab: 'open', at: null }),
  },
  {
    id: 'go-recipes',
    label: 'Recipes',
    description: 'fixes that were saved for a stream',
    leftSection: <IconInbox {...icon} />,
    onClick: () => go({ screen: 'rejects', tab: 'recipes', at: null }),
  },
  {
    id: 'go-query',
    label: 'Query',
    keywords: 'SQL',
    leftSection: <IconTerminal {...icon} />,
    onClick: () => go({ screen: 'query', sql: null }),
  },
  {
    id: 'go-activity',
    label: 'Activity',
    keywords: 'jobs events log',
    leftSection: <IconActivity {...icon} />,
    onClick: () => go({ screen: 'activity' }),
  },
  {
    id: 'go-settings',
    label: 'Settings',
    keywords: 'token port listener dark light knowledgebase',
    leftSection: <IconAdjustmentsHorizontal {...icon} />,
    onClick: () => go({ screen: 'settings' }),
  },
  {
    id: 'shortcuts',
    label: 'Shortcuts',
    keywords: 'keys keyboard',
    leftSection: <IconKeyboard {...icon} />,
    onClick: onKeys,
  },
];
