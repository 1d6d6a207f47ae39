// Owns the Batches tab: a timeline, the list, and the facts of the chosen batch. Never changes one.

import { ActionIcon, Button } from '@mantine/core';
import { IconArrowUp, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { PlacedBatch, StreamSummary } from '../../../core/model.ts';
import { api, faultOf } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { go } from '../../app/router.ts';
import { bytes, count, fullTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Strip, Tag } from '../../ui/parts.tsx';
import { BatchFacts, landedIn } from './batch-facts.tsx';
import { BatchTimeline } from './batch-timeline.tsx';
import { List, type ListColumn } from './list.tsx';
import { useBatches } from './use-batches.ts';

interface BatchesTabProps {
  readonly knowledgebase: string;
  readonly summary: StreamSummary;
  readonly at: string | null;
}

/** The list of batches. */
export const BatchesTab = ({ knowledgebase, summary, at }: BatchesTabProps) => {
  const { stream } = summary;
  const isReady = useEngine().state === 'ready';
  const { batches, error, onEnd, isFetching, refetch } = useBatches(knowledgebase, summary);
  const listed = batches?.find(({ batchId }) => batchId === at);
  // A batch that the address names may be far down the list, or have landed after it was read.
  const { data: named } = useQuery(
    api.streams.batch.queryOptions({
      input: { knowledgebase, stream, batchId: at ?? '' },
      enabled: at !== null && batches !== undefined && listed === undefined,
    }),
  );
  const chosen = listed ?? (at === null ? undefined : named);
  const choose = (batchId: string | null): void => {
    if (batchId !== at) go({ screen: 'stream', stream, tab: 'batches', at: batchId });
  };
  const toRows = (batch: PlacedBatch): void =>
    go({ screen: 'stream', stream, tab: 'rows', at: batch.batchId });
  if (batches === undefined) {
    return error && isReady ? (
      <Strip tone="bad" what={faultOf(error).message}>
        {faultOf(error).hint}
      </Strip>
    ) : (
      <Loading>Reading batches</Loading>
    );
  }
  const newest = batches[0];
  const batchCount = summary.landed + summary.repaired;
  const added = newest ? summary.rows - (newest.firstRow + newest.rows) : 0;
  return (
    <>
      <div className="toolbar">
        <span>
          {count(batchCount)} {batchCount === 1 ? 'batch' : 'batches'}
        </span>
        <span className="ink-3">
          {count(summary.rows)} rows, {bytes(summary.sizeBytes)} on disk
        </span>
        <span className="grow" />
        {added > 0 ? (
          <Button
            variant="default"
            disabled={!isReady || isFetching}
            leftSection={<IconArrowUp size={14} stroke={1.6} />}
            onClick={() => void refetch()}
          >
            {count(added)} new rows
          </Button>
        ) : null}
      </div>
      <BatchTimeline batches={batches} chosen={at} onChoose={choose} />
      <div className="split stream-split">
        <List
          label={`Batches of ${stream}`}
          columns={BATCH_COLUMNS}
          items={batches}
          keyOf={({ batchId }) => batchId}
          chosen={at}
          onChoose={choose}
          onOpen={toRows}
          onEnd={onEnd}
        />
        {chosen ? (
          <Panel className="panel stream-panel" label="The chosen batch" name="stream" first={348}>
            <div className="panel-head">
              <h2 className="mono cell-panel-name cut grow">{chosen.batchId}</h2>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={24}
                aria-label="Close the panel"
                onClick={() => choose(null)}
              >
                <IconX size={16} stroke={1.6} />
              </ActionIcon>
            </div>
            <BatchFacts
              knowledgebase={knowledgebase}
              batch={chosen}
              onRows={() => toRows(chosen)}
              isIn="batches"
            />
          </Panel>
        ) : null}
      </div>
    </>
  );
};

const Zero = ({ value }: { value: number }) =>
  value === 0 ? <span className="ink-3">0</span> : count(value);

const Time = ({ at }: { at: string }) => (
  <span title={fullTime(at)}>{fullTime(at).slice(0, -4)}</span>
);

const Id = ({ batch }: { batch: PlacedBatch }) => (
  <>
    <span className="mono">{batch.batchId}</span>
    {batch.recovered ? (
      <>
        {' '}
        <Tag>recovered</Tag>
      </>
    ) : null}
  </>
);

/** What the Batches tab shows of each. */
const BATCH_COLUMNS: readonly ListColumn<PlacedBatch>[] = [
  { head: 'Landed', width: '148px', cell: ({ landedAt }) => <Time at={landedAt} /> },
  { head: 'Batch', width: 'minmax(120px, 2fr)', cell: (batch) => <Id batch={batch} /> },
  { head: 'Rows', width: '64px', isRight: true, cell: ({ rows }) => count(rows) },
  {
    head: 'Bytes',
    width: '72px',
    isRight: true,
    isWideOnly: true,
    cell: ({ bodyBytes }) => <Size of={bodyBytes} />,
  },
  {
    head: 'From',
    width: 'minmax(88px, 1fr)',
    isWideOnly: true,
    cell: ({ sender }) => sender ?? <span className="ink-3">not known</span>,
  },
  { head: 'Time to land', width: '80px', isRight: true, cell: (batch) => landedIn(batch) },
  {
    head: 'Replays',
    width: '56px',
    isRight: true,
    cell: ({ replays }) => <Zero value={replays} />,
  },
];

const Size = ({ of }: { of: number }) => <span title={`${count(of)} bytes`}>{bytes(of)}</span>;
