// Owns the panel of the chosen stream: its rate, ledger, layers and latest batches at a glance.
// Never changes the stream.

import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconArrowUpRight, IconX } from '@tabler/icons-react';
import type { StreamRates, StreamSummary } from '../../../core/model.ts';
import { go } from '../../app/router.ts';
import { stateOf, viewOf } from '../../app/words.ts';
import { Key, Marked, Section } from '../../ui/parts.tsx';
import { LatestBatches } from './latest-batches.tsx';
import { Layers } from './layers.tsx';
import { Ledger } from './ledger.tsx';
import { RatePlot } from './rate-plot.tsx';
import './stream-panel.css';

interface StreamPanelProps {
  readonly knowledgebase: string;
  readonly stream: StreamSummary;
  readonly rates: StreamRates | undefined;
  /** When the figures are of, while the engine is away; null while it is well. */
  readonly asOf: string | null;
  readonly onClose: () => void;
}

/** The panel. Beside the list, or over it where there is no room. */
export const StreamPanel = ({ knowledgebase, stream, rates, asOf, onClose }: StreamPanelProps) => {
  const id = stream.stream;
  const isAway = asOf !== null;
  const { word, mark } = stateOf(stream, isAway);
  const open = (): void => go({ screen: 'stream', stream: id, tab: 'rows', at: null });
  return (
    <aside className="panel streams-panel" aria-label={`Stream ${id}`}>
      <div className="panel-head">
        <h2 className="cut" title={id}>
          {id}
        </h2>
        <span className="small ink-2 streams-state">
          {isAway ? asOf && `as of ${asOf}` : <Marked mark={mark}>{word}</Marked>}
        </span>
        <span className="grow" />
        <Tooltip label="Open">
          <ActionIcon variant="subtle" color="gray" size={24} aria-label="Open" onClick={open}>
            <IconArrowUpRight size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Close (Esc)">
          <ActionIcon variant="subtle" color="gray" size={24} aria-label="Close" onClick={onClose}>
            <IconX size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </div>
      {stream.received === 0 ? (
        <Section title="Nothing has been sent">
          <p className="small ink-2 streams-words">
            Its page has the commands and configurations that send one.
          </p>
        </Section>
      ) : (
        <>
          <RatePlot
            knowledgebase={knowledgebase}
            stream={id}
            rejected={stream.rejected}
            rates={rates}
            isAway={isAway}
          />
          <Ledger totals={stream} />
          {stream.files > 0 ? (
            <Layers knowledgebase={knowledgebase} stream={stream} isAway={isAway} />
          ) : null}
          <LatestBatches knowledgebase={knowledgebase} stream={id} isAway={isAway} />
        </>
      )}
      <div className="streams-actions">
        <Button variant="default" onClick={open} rightSection={<Key>Enter</Key>}>
          Open
        </Button>
        <Button
          variant="default"
          disabled={isAway || stream.rows === 0}
          onClick={() => go({ screen: 'query', sql: `SELECT *\nFROM ${viewOf(id)}\nLIMIT 100` })}
        >
          Query it
        </Button>
      </div>
    </aside>
  );
};
