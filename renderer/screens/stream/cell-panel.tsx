// Owns the panel on the chosen cell: its exact text, and where it came from. Never changes a value.

import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useState } from 'react';
import type { GridRow, StreamSummary } from '../../../core/model.ts';
import { api, faultOf } from '../../api.ts';
import { WholeValue } from '../../ui/cell.tsx';
import { bytes, count } from '../../ui/format.ts';
import { charactersOf } from '../../ui/invisible.ts';
import { CopyButton, Loading, Section } from '../../ui/parts.tsx';
import { BatchFacts } from './batch-facts.tsx';
import { WhereFrom } from './where-from.tsx';

interface CellPanelProps {
  readonly ref: Ref<HTMLElement>;
  readonly knowledgebase: string;
  readonly summary: StreamSummary;
  readonly column: string;
  readonly row: GridRow;
  /** The row's number in landing order; null where a filter hides it. */
  readonly number: number | null;
  readonly value: string | null;
  readonly onClose: () => void;
  readonly onShowRow: (row: number) => void;
}

/** The panel. */
export const CellPanel = (props: CellPanelProps) => {
  const { ref, knowledgebase, summary, column, row, number, value, onClose, onShowRow } = props;
  const { stream } = summary;
  const { data: batch, error } = useQuery(
    api.streams.batch.queryOptions({
      input: { knowledgebase, stream, batchId: row.batchId },
      staleTime: 60_000,
    }),
  );
  return (
    <aside
      ref={ref}
      className="panel stream-panel"
      aria-label="The chosen cell"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        document.querySelector<HTMLElement>('[role="grid"]')?.focus();
        onClose();
      }}
    >
      <div className="panel-head">
        <h2 className="mono cell-panel-name cut">{column}</h2>
        <span className="small ink-2 cell-panel-size">{sizeOf(value)}</span>
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
      <Value key={`${row.batchId} ${row.line} ${column}`} value={value} />
      {error ? (
        <Section title="Where it came from">
          <p className="small bad-text">{faultOf(error).message}</p>
          <p className="small ink-2">{faultOf(error).hint}</p>
        </Section>
      ) : batch === undefined ? (
        <Loading>Reading where it came from</Loading>
      ) : (
        <>
          <WhereFrom summary={summary} batch={batch} line={row.line} number={number} />
          <BatchFacts batch={batch} onRows={() => onShowRow(batch.firstRow)} isIn="rows" />
        </>
      )}
    </aside>
  );
};

const SHOWN = 20_000;

const Value = ({ value }: { value: string | null }) => {
  const [isWrapped, setWrapped] = useState(true);
  const isWhole = value === null || value.length <= SHOWN;
  return (
    <section className="section" aria-label="Value">
      {value === null || value === '' ? (
        <p className="small ink-2 cell-panel-none">
          {value === null
            ? 'The field was null, or the record had no such field.'
            : 'The empty string, as it was sent.'}
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long value scrolls by keys.
        <pre className="cell-panel-value" data-wrapped={isWrapped || undefined} tabIndex={0}>
          <WholeValue value={isWhole ? value : value.slice(0, SHOWN)} />
        </pre>
      )}
      {value === null || value === '' ? null : (
        <div className="cell-panel-value-foot">
          <span className="small ink-3 grow">
            {isWhole
              ? 'tinted: what the eye cannot see'
              : `the first ${count(SHOWN)} characters; Copy takes all`}
          </span>
          <UnstyledButton
            className="stream-link"
            aria-pressed={isWrapped}
            onClick={() => setWrapped(!isWrapped)}
          >
            {isWrapped ? 'Do not wrap' : 'Wrap'}
          </UnstyledButton>
        </div>
      )}
    </section>
  );
};

const sizeOf = (value: string | null): string => {
  if (value === null) return 'null';
  const characters = charactersOf(value);
  const size = new TextEncoder().encode(value).length;
  const inBytes = size < 10_000 ? `${count(size)} ${size === 1 ? 'byte' : 'bytes'}` : bytes(size);
  return `text, ${count(characters)} ${characters === 1 ? 'character' : 'characters'}, ${inBytes}`;
};
