// Owns what the palette has of the model: its screen, promoting a stream, its types. Never promotes.

import type { SpotlightActionData } from '@mantine/spotlight';
import { IconArrowUpRight, IconSitemap } from '@tabler/icons-react';
import type { ModelView, StreamSummary } from '../../core/model.ts';
import { count } from '../ui/format.ts';
import { go } from './router.ts';

const icon = { size: 16, stroke: 1.6, color: 'var(--s-ink-3)' } as const;

/** The screen. */
export const modelScreen: SpotlightActionData = {
  id: 'go-model',
  label: 'Model',
  leftSection: <IconSitemap {...icon} />,
  onClick: () => go({ screen: 'model', tab: 'graph', type: null }),
};

/** Opens the dialog of the model screen, from anywhere; it asks before anything is done. */
const askToPromote = (stream: string | undefined): void => {
  go({ screen: 'model', tab: 'graph', type: null });
  requestAnimationFrame(() =>
    window.dispatchEvent(new CustomEvent('strata:promote', { detail: stream })),
  );
};

/** Promoting a stream that is chosen then. */
export const promoteAny: SpotlightActionData = {
  id: 'promote',
  label: 'Promote a stream…',
  leftSection: <IconArrowUpRight {...icon} />,
  onClick: () => askToPromote(undefined),
};

/** Promoting one stream. */
export const promoteActions = (streams: readonly StreamSummary[]): SpotlightActionData[] =>
  streams
    .filter(({ rows }) => rows > 0)
    .map(({ stream }) => ({
      id: `promote-${stream}`,
      label: `Promote ${stream}…`,
      leftSection: <IconArrowUpRight {...icon} />,
      onClick: () => askToPromote(stream),
    }));

/** The types of the live model. */
export const typeActions = (view: ModelView | undefined): SpotlightActionData[] =>
  (view?.model.types ?? []).map(({ id, name, kind, rows }) => ({
    id: `type-${id}`,
    label: name,
    description: `${kind}${rows === null ? '' : `, ${count(rows)} rows`}`,
    leftSection: <IconSitemap {...icon} />,
    onClick: () => go({ screen: 'model', tab: 'types', type: id }),
  }));
