// Owns a few rows as a table inside a panel, values exactly as they are, and the way from a row to its batch.
// Never has more rows than it is given.

import type { KeyboardEvent } from 'react';
import { addressOf } from '../../app/router.ts';
import { CellValue } from '../../ui/cell.tsx';

interface SampleTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** The streams that the rows can be from; a row of several says which by `_stream`. */
  readonly streams: readonly string[];
}

/** Columns that every view has itself; they lead back and are not shown as values. */
const OWN = ['_batch_id', '_line', '_batch_ids', '_stream', '_rows', '_conflicts'];

/** The rows. */
export const SampleTable = ({ label, columns, rows, streams }: SampleTableProps) => {
  const shown = columns.flatMap((name, at) => (OWN.includes(name) ? [] : [{ name, at }]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys.
    <section className="sample" tabIndex={0} aria-label={label} onKeyDown={keepArrows}>
      <table>
        <thead>
          <tr>
            {shown.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">from</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a sample has no key of its own, and never changes its order.
            <tr key={index}>
              {shown.map(({ name, at }) => (
                <td key={name}>
                  <CellValue value={row[at] ?? null} />
                </td>
              ))}
              <td>
                <FromBatch columns={columns} row={row} streams={streams} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** Arrows scroll the table; they do not go on to the next proposal. */
const keepArrows = (event: KeyboardEvent): void => {
  if (event.key.startsWith('Arrow')) event.stopPropagation();
};

/** The batch and line of a row, as a link to the stream. */
const FromBatch = ({
  columns,
  row,
  streams,
}: {
  columns: readonly string[];
  row: readonly (string | null)[];
  streams: readonly string[];
}) => {
  const at = (name: string): string | null => row[columns.indexOf(name)] ?? null;
  const batchId = at('_batch_id');
  const stream = at('_stream') ?? (streams.length === 1 ? (streams[0] as string) : null);
  if (batchId === null) return <span className="ink-3">–</span>;
  return stream === null ? (
    <span title={batchId}>line {at('_line')}</span>
  ) : (
    <BatchLink stream={stream} batchId={batchId} line={at('_line')} />
  );
};

/** A link to the rows of a batch. */
export const BatchLink = ({
  stream,
  batchId,
  line,
}: {
  stream: string;
  batchId: string;
  line: number | string | null;
}) => (
  <a
    className="sample-link"
    title={`Batch ${batchId} of ${stream}`}
    href={addressOf({ screen: 'stream', stream, tab: 'rows', at: batchId })}
  >
    {batchId.length > 12 ? `…${batchId.slice(-8)}` : batchId}
    {line === null ? '' : `, line ${line}`}
  </a>
);
