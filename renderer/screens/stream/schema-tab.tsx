// Owns the Schema tab: columns in order of first sight, how full they are, examples; registering, re-syncing the view.
// Never formats an example.

import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ColumnProfile, StreamSummary } from '../../../core/model.ts';
import { api, faultOf } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { addressOf } from '../../app/router.ts';
import { viewOf } from '../../app/words.ts';
import { CellValue } from '../../ui/cell.tsx';
import { count, fullTime } from '../../ui/format.ts';
import { Loading, Marked, Strip } from '../../ui/parts.tsx';
import { List, type ListColumn } from './list.tsx';
import { RegisteredColumns } from './registered-columns.tsx';

/** The columns of a stream. */
export const SchemaTab = ({
  knowledgebase,
  summary,
}: {
  knowledgebase: string;
  summary: StreamSummary;
}) => {
  const { stream, registered } = summary;
  const isReady = useEngine().state === 'ready';
  const [chosen, setChosen] = useState<string | null>(null);
  const { data: columns, error } = useQuery(
    api.streams.profile.queryOptions({ input: { knowledgebase, stream }, staleTime: 10_000 }),
  );
  const sampled = columns?.[0]?.sampled ?? 0;
  return (
    <>
      <div className="toolbar">
        {columns ? (
          <span>
            {count(columns.length)} {columns.length === 1 ? 'column' : 'columns'}
          </span>
        ) : null}
        <span className="ink-3 cut">
          {registered === null ? 'any field is welcome' : `${count(registered.length)} registered`}
          {sampled > 0 ? `, fill and examples of the newest ${count(sampled)} rows` : ''}
        </span>
        <span className="grow" />
        <ResyncView knowledgebase={knowledgebase} stream={stream} isReady={isReady} />
        <RegisteredColumns
          knowledgebase={knowledgebase}
          summary={summary}
          known={columns?.map(({ source }) => source) ?? []}
        />
      </div>
      {columns === undefined ? (
        error && isReady ? (
          <Strip tone="bad" what={faultOf(error).message}>
            {faultOf(error).hint}
          </Strip>
        ) : (
          <Loading>Reading the newest rows</Loading>
        )
      ) : (
        <List
          label={`Columns of ${stream}`}
          columns={columnsFor(stream, registered)}
          items={columns}
          keyOf={({ landed }) => landed}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
    </>
  );
};

const columnsFor = (
  stream: string,
  registered: readonly string[] | null,
): readonly ListColumn<ColumnProfile>[] => [
  {
    head: 'Column',
    width: 'minmax(120px, 1.2fr)',
    cell: ({ landed }) => <span className="mono">{landed}</span>,
  },
  {
    head: "Producer's field",
    width: 'minmax(96px, 1fr)',
    isWideOnly: true,
    cell: ({ source, landed }) =>
      source === landed ? (
        <span className="ink-3">the same</span>
      ) : (
        <span className="mono">
          <CellValue value={source} />
        </span>
      ),
  },
  ...(registered === null
    ? []
    : [
        {
          head: 'Registered',
          width: '72px',
          cell: ({ source }: ColumnProfile) =>
            registered.some((name) => name.toLowerCase() === source.toLowerCase()) ? (
              'yes'
            ) : (
              <span className="ink-3">no</span>
            ),
        },
      ]),
  { head: 'Filled', width: '108px', cell: (column) => <Filled column={column} /> },
  {
    head: 'Examples',
    width: 'minmax(120px, 2.2fr)',
    cell: ({ examples }) =>
      examples.map((example) => (
        <span className="schema-example mono" key={example}>
          <CellValue value={example} />
        </span>
      )),
  },
  {
    head: 'First seen',
    width: '148px',
    cell: ({ firstSeenAt, firstBatchId }) =>
      firstBatchId === null ? (
        <span className="ink-3">registered, not seen</span>
      ) : (
        <a
          title={`batch ${firstBatchId}`}
          tabIndex={-1}
          href={addressOf({ screen: 'stream', stream, tab: 'batches', at: firstBatchId })}
        >
          {fullTime(firstSeenAt).slice(0, -4)}
        </a>
      ),
  },
];

const Filled = ({ column: { filled, sampled } }: { column: ColumnProfile }) => {
  if (filled === null || sampled === 0) return <span className="ink-3">–</span>;
  const share = filled / sampled;
  return (
    <span className="schema-filled" title={`${count(filled)} of ${count(sampled)} rows`}>
      <span className="schema-meter" aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {perCent(share)}
    </span>
  );
};

/** 62 %; never 100 % or 0 % when it is not quite. */
const perCent = (share: number): string => {
  if (share === 0 || share === 1) return `${share * 100} %`;
  return `${Math.min(99, Math.max(1, Math.round(share * 100)))} %`;
};

const ResyncView = ({
  knowledgebase,
  stream,
  isReady,
}: {
  knowledgebase: string;
  stream: string;
  isReady: boolean;
}) => {
  const { mutate, data, error, isPending } = useMutation(
    api.knowledgebases.syncViews.mutationOptions(),
  );
  return (
    <>
      <span className="small" role="status">
        {error ? (
          <span className="bad-text">{faultOf(error).message}</span>
        ) : isPending || data === undefined ? null : data.done ? (
          <Marked mark="landed">The view has every column</Marked>
        ) : (
          <Marked mark="waiting">{data.waitingFor ?? 'Waiting for the view'}</Marked>
        )}
      </span>
      <Button
        variant="default"
        title={viewOf(stream)}
        disabled={!isReady}
        loading={isPending}
        leftSection={<IconRefresh size={14} stroke={1.6} />}
        onClick={() => mutate({ knowledgebase })}
      >
        Re-sync view
      </Button>
    </>
  );
};
