// Owns the palette: every screen, stream and command by a few letters. Never runs what it does not show.

import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import './palette.css';
import { createSpotlight } from '@mantine/spotlight';
import {
  IconActivity,
  IconAdjustmentsHorizontal,
  IconArrowBackUp,
  IconKeyboard,
  IconPlus,
  IconShieldCheck,
  IconStack2,
  IconStack3,
  IconTerminal,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { count, rate, shortCount } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { type Asked, ask } from './asked.ts';
import {
  chooseKnowledgebase,
  rateNow,
  useEngine,
  useKnowledgebase,
  useRates,
  useStreams,
} from './live.ts';
import { go } from './router.ts';
import { stateOf, viewOf } from './words.ts';

const [store, palette] = createSpotlight();
const icon = { size: 16, stroke: 1.6, color: 'var(--s-ink-3)' } as const;

interface PaletteProps {
  readonly knowledgebase: string | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onKeys: () => void;
}

/** The palette; opened by Ctrl/Cmd K. */
export const Palette = ({ knowledgebase, isOpen, onClose, onKeys }: PaletteProps) => {
  useEffect(() => {
    if (isOpen) palette.open();
    else palette.close();
  }, [isOpen]);
  return knowledgebase === null ? (
    <List actions={[{ group: 'Go to', actions: screens(onKeys) }]} onClose={onClose} />
  ) : (
    <Filled knowledgebase={knowledgebase} onClose={onClose} onKeys={onKeys} />
  );
};

const List = ({
  actions,
  onClose,
}: {
  actions: { group: string; actions: SpotlightActionData[] }[];
  onClose: () => void;
}) => (
  <Spotlight
    className="palette"
    store={store}
    overlayProps={{ blur: 0, backgroundOpacity: 1, color: 'var(--s-scrim)' }}
    centered={false}
    yOffset={96}
    actions={actions}
    shortcut={null}
    onSpotlightClose={onClose}
    nothingFound="Nothing has this in its name"
    highlightQuery
    scrollable
    maxHeight={480}
    limit={40}
    size={640}
    attributes={{ content: { 'aria-label': 'Search or run a command' } }}
    searchProps={{
      placeholder: 'Search or run a command',
      'aria-label': 'Search or run a command',
    }}
  />
);

const Filled = ({
  knowledgebase,
  onClose,
  onKeys,
}: Omit<PaletteProps, 'isOpen' | 'knowledgebase'> & { knowledgebase: string }) => {
  const streams = useStreams(knowledgebase) ?? [];
  const rates = useRates(knowledgebase);
  const isAway = useEngine().state !== 'ready';
  const { list } = useKnowledgebase();
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
      description: `${count(looseFiles)} loose files${compactionSuggested ? ', it pays now' : ''}`,
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
  const bases = list
    .filter(({ id, fault }) => fault === null && id !== knowledgebase)
    .map(({ id }) => ({
      id: `kb-${id}`,
      label: `Open ${id}`,
      description: 'knowledgebase',
      leftSection: <IconStack2 {...icon} />,
      onClick: () => chooseKnowledgebase(id),
    }));
  return (
    <List
      onClose={onClose}
      actions={[
        {
          group: 'Commands',
          actions: [...commands(), ...queries, ...bases],
        },
        { group: 'Streams', actions: toStreams },
        { group: 'Compaction', actions: [...compactions, ...undos] },
        { group: 'Go to', actions: screens(onKeys) },
      ]}
    />
  );
};

/** Opens a stream's files, where it is done. */
const toFiles = (stream: string, what: Asked['what']): void => {
  go({ screen: 'stream', stream, tab: 'files', at: null });
  ask({ stream, what });
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
    leftSection: <IconShieldCheck {...icon} />,
    onClick: () => {
      go({ screen: 'activity' });
      requestAnimationFrame(() => window.dispatchEvent(new CustomEvent('strata:verify')));
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
  {
    id: 'go-query',
    label: 'Query',
    leftSection: <IconTerminal {...icon} />,
    onClick: () => go({ screen: 'query', sql: null }),
  },
  {
    id: 'go-activity',
    label: 'Activity',
    leftSection: <IconActivity {...icon} />,
    onClick: () => go({ screen: 'activity' }),
  },
  {
    id: 'go-settings',
    label: 'Settings',
    leftSection: <IconAdjustmentsHorizontal {...icon} />,
    onClick: () => go({ screen: 'settings' }),
  },
  {
    id: 'shortcuts',
    label: 'Shortcuts',
    leftSection: <IconKeyboard {...icon} />,
    onClick: onKeys,
  },
];
