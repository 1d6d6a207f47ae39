// Owns the palette: every screen, stream and command by a few letters. Never runs what it does not show.

import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import './palette.css';
import { createSpotlight } from '@mantine/spotlight';
import {
  IconActivity,
  IconAdjustmentsHorizontal,
  IconKeyboard,
  IconPlus,
  IconShieldCheck,
  IconStack2,
  IconTerminal,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { rate, shortCount } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
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
          actions: [...commands(), promoteAny, ...queries, ...bases],
        },
        { group: 'Streams', actions: toStreams },
        { group: 'Model', actions: [...typeActions(model), ...promoteActions(streams)] },
        { group: 'Go to', actions: screens(onKeys) },
      ]}
    />
  );
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
  modelScreen,
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
