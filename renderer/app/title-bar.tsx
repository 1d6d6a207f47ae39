// Owns the title bar: the knowledgebase, the command field, the listener, and window controls where there are none.

import { Menu, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconMinus, IconSearch, IconSquare, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { bridge } from '../bridge.ts';
import { rate } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { CopyButton, Key } from '../ui/parts.tsx';
import { Spark } from '../ui/spark.tsx';
import { shownKeys } from './keys.ts';
import { chooseKnowledgebase, rateNow, useEngine, useKnowledgebase, useRates } from './live.ts';
import { lostOf } from './lost-time.ts';
import { go } from './router.ts';
import './title-bar.css';

/** The bar across the top; empty places drag the window. */
export const TitleBar = ({
  knowledgebase,
  onSearch,
}: {
  knowledgebase: string | null;
  onSearch: () => void;
}) => (
  <header className="title-bar" data-platform={bridge?.platform ?? 'browser'}>
    <Chooser knowledgebase={knowledgebase} />
    <UnstyledButton
      className="command-field"
      title={`Search or run a command (${shownKeys('mod+k')})`}
      onClick={onSearch}
    >
      <IconSearch size={16} stroke={1.6} />
      <span className="grow cut">Search or run a command</span>
      <Key>{shownKeys('mod+k')}</Key>
    </UnstyledButton>
    <span className="grow" />
    <ListenerState />
    {knowledgebase === null ? null : <RateOfAll knowledgebase={knowledgebase} />}
    {bridge?.titleBar === 'own' ? <WindowControls /> : null}
  </header>
);

const Chooser = ({ knowledgebase }: { knowledgebase: string | null }) => {
  const { list } = useKnowledgebase();
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="chooser" aria-label={`Knowledgebase ${knowledgebase ?? 'none'}`}>
          <img src="./mark.svg" width="16" height="16" alt="" />
          <span className="cut">{knowledgebase ?? 'Strata'}</span>
          <IconChevronDown size={14} stroke={1.6} color="var(--s-ink-3)" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {list.map(({ id, fault }) => (
          <Menu.Item
            key={id}
            disabled={fault !== null}
            onClick={() => chooseKnowledgebase(id)}
            rightSection={id === knowledgebase ? <Mark name="landed" label="chosen" /> : null}
          >
            {id}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => go({ screen: 'settings' })}>Knowledgebases…</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

const ListenerState = () => {
  const engine = useEngine();
  const { data: status } = useQuery(api.engine.status.queryOptions({ refetchInterval: 10_000 }));
  if (engine.state !== 'ready') {
    return (
      <span className="listener bad-text">
        <Mark name="error" /> Not listening
      </span>
    );
  }
  const address = status?.ingestUrl?.replace('http://', '');
  return (
    <span className="listener">
      <Mark name={address ? 'landing' : 'unknown'} />
      <span>{address || !status ? 'Listening' : 'Not listening'}</span>
      <span className="mono">{address ?? ''}</span>
      {status?.ingestUrl ? <CopyButton text={status.ingestUrl} label="Copy the address" /> : null}
    </span>
  );
};

const RateOfAll = ({ knowledgebase }: { knowledgebase: string }) => {
  const engine = useEngine();
  const rates = useRates(knowledgebase);
  const streams = Object.keys(rates?.rowsPerSecond ?? {});
  const sums = Array.from({ length: (rates?.periods ?? 1) - 1 }, (_, at) =>
    streams.reduce((sum, stream) => sum + (rates?.rowsPerSecond[stream]?.[at] ?? 0), 0),
  );
  const shown = sums.slice(-60);
  const lost = rates ? lostOf(rates) - (sums.length - shown.length) : 0;
  const now = streams.reduce((sum, stream) => sum + rateNow(rates, stream), 0);
  // Figures of before are no rate of now.
  if (engine.state !== 'ready') {
    return (
      <span className="rate-of-all">
        {engine.state === 'stopped' ? `restarting, attempt ${engine.attempt}` : '– rows/s'}
      </span>
    );
  }
  return (
    <span className="rate-of-all">
      <Spark
        values={shown}
        lost={Math.min(shown.length, Math.max(0, lost))}
        width={54}
        height={18}
        end={now > 0 ? 'ok-mark' : undefined}
      />
      <span>{rate(now)} rows/s</span>
    </span>
  );
};

const WindowControls = () => (
  <span className="window-controls">
    <button type="button" aria-label="Minimise" onClick={bridge?.windowControls.minimize}>
      <IconMinus size={14} stroke={1.6} />
    </button>
    <button type="button" aria-label="Maximise" onClick={bridge?.windowControls.toggleMaximize}>
      <IconSquare size={12} stroke={1.6} />
    </button>
    <button type="button" aria-label="Close" onClick={bridge?.windowControls.close}>
      <IconX size={14} stroke={1.6} />
    </button>
  </span>
);
