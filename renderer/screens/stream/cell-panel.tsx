// Owns the panel on the chosen cell: its exact text, and where it came from. Never changes a value.

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import type { GridRow, StreamSummary } from '../../../core/model.ts';
import { api, faultOf } from '../../api.ts';
import type { Layer } from '../../ui/band.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CopyButton, Loading, Section } from '../../ui/parts.tsx';
import { ValueView } from '../../ui/value-view.tsx';
import { sizeOf } from '../../ui/value-words.ts';
import { BatchFacts } from './batch-facts.tsx';
import { fileOf } from './file-layers.ts';
import { WhereFrom } from './where-from.tsx';

interface CellPanelProps {
  readonly ref: Ref<HTMLElement>;
  readonly knowledgebase: string;
  readonly summary: StreamSummary;
  readonly column: string;
  readonly row: GridRow;
  /** The row's number in landing order. */
  readonly number: number;
  /** The stream's files, oldest first. */
  readonly files: readonly Layer[];
  readonly value: string | null;
  readonly onClose: () => void;
  readonly onShowRow: (row: number) => void;
}

/** A stream has few compacted files: each is at least as large as all that came after it. */
const MOST_COMPACTED = 1_000;

/** The panel. */
export const CellPanel = (props: CellPanelProps) => {
  const { ref, knowledgebase, summary, column, row, number, value, files } = props;
  const { onClose, onShowRow } = props;
  const { stream } = summary;
  const { data: batch, error } = useQuery(
    api.streams.batch.queryOptions({
      input: { knowledgebase, stream, batchId: row.batchId },
      staleTime: 60_000,
    }),
  );
  const { data: compacted } = useQuery({
    ...api.compaction.files.queryOptions({
      input: { knowledgebase, stream, kind: 'compacted', limit: MOST_COMPACTED },
      staleTime: 60_000,
    }),
    enabled: batch?.landedFile != null,
    select: ({ files: all }) => batch && fileOf(batch, all),
  });
  return (
    <Panel
      ref={ref}
      className="panel stream-panel"
      label="The chosen cell"
      name="stream"
      first={348}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        document.querySelector<HTMLElement>('[role="grid"]')?.focus();
        onClose();
      }}
    >
      <div className="panel-head">
        <h2 className="mono cell-panel-name cut">{column}</h2>
        <span className="small ink-2 cell-panel-size">
          {value === null ? 'null' : `text, ${sizeOf(value)}`}
        </span>
        {value === null ? null : <CopyButton text={value} label="Copy the value" />}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label="Close the panel"
          onClick={onClose}
        >
          <IconX size={16} stroke={1.6} />
        </ActionIcon>
      </div>
      <Value column={column} value={value} />
      {error ? (
        <Section title="Where it came from">
          <p className="small bad-text">{faultOf(error).message}</p>
          <p className="small ink-2">{faultOf(error).hint}</p>
        </Section>
      ) : batch === undefined ? (
        <Loading>Reading where it came from</Loading>
      ) : (
        <>
          <WhereFrom
            summary={summary}
            batch={batch}
            line={row.line}
            number={number}
            files={files}
            compacted={compacted ?? null}
          />
          <BatchFacts
            knowledgebase={knowledgebase}
            batch={batch}
            onRows={() => onShowRow(batch.firstRow)}
            isIn="rows"
          />
        </>
      )}
    </Panel>
  );
};

const Value = ({ column, value }: { column: string; value: string | null }) => (
  <section className="section" aria-label="Value">
    {value === null || value === '' ? (
      <p className="small ink-2 cell-panel-none">
        {value === null
          ? 'The field was null, or the record had no such field.'
          : 'The empty string, as it was sent.'}
      </p>
    ) : (
      <ValueView label={`Value of ${column}`} value={value} />
    )}
  </section>
);
