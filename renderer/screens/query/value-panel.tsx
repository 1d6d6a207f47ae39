// Owns the panel of the chosen cell: its exact text, counted, and the way to the batch it came in.
// Never formats the value.

import { Anchor } from '@mantine/core';
import { addressOf } from '../../app/router.ts';
import { WholeValue } from '../../ui/cell.tsx';
import { count } from '../../ui/format.ts';
import { charactersOf } from '../../ui/invisible.ts';
import { CopyButton, Section } from '../../ui/parts.tsx';
import type { Answer } from './runs.ts';
import { streamsIn } from './sql-words.ts';

/** Beyond this a value is cut in the panel; copying has all of it. */
const MOST_SHOWN = 100_000;

interface ValuePanelProps {
  readonly answer: Answer;
  readonly row: number;
  readonly column: number;
}

/** The chosen cell. */
export const ValuePanel = ({ answer, row, column }: ValuePanelProps) => {
  const { name, type } = answer.columns[column] ?? { name: '', type: '' };
  const value = answer.rows[row]?.[column];
  if (value === undefined) return null;
  return (
    <>
      <Section
        title={<span className="mono strong">{name}</span>}
        aside={`${typeWord(type)}, row ${count(row + 1)}`}
      >
        {value === null ? (
          <p className="value-words">null</p>
        ) : value === '' ? (
          <p className="value-words">The empty string</p>
        ) : (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long value is scrolled by keys. */}
            <section className="value-text mono" tabIndex={0} aria-label={`Value of ${name}`}>
              <WholeValue value={value.slice(0, MOST_SHOWN)} />
            </section>
            <div className="value-foot">
              <span className="ink-2">{sizeOf(value)}</span>
              <CopyButton text={value} label="Copy the value" />
            </div>
          </>
        )}
      </Section>
      <Origin answer={answer} row={row} />
    </>
  );
};

const sizeOf = (value: string): string => {
  const characters = charactersOf(value);
  const size = new TextEncoder().encode(value).length;
  const cut = value.length > MOST_SHOWN ? `, the first ${count(MOST_SHOWN)} shown` : '';
  return `${count(characters)} ${characters === 1 ? 'character' : 'characters'}, ${count(size)} ${size === 1 ? 'byte' : 'bytes'}${cut}`;
};

/** DuckDB's VARCHAR is text; the others go by their own names. */
export const typeWord = (type: string): string =>
  type === 'VARCHAR'
    ? 'text'
    : type === 'TIMESTAMP WITH TIME ZONE'
      ? 'timestamptz'
      : type.toLowerCase();

/** Where the row came from: known when it has its batch's id and the SQL names one stream. */
const Origin = ({ answer, row }: { answer: Answer; row: number }) => {
  const at = (name: string): string | null => {
    const column = answer.columns.findIndex((one) => one.name === name);
    return answer.rows[row]?.[column] ?? null;
  };
  const batchId = at('_batch_id');
  const [stream, another] = streamsIn(answer.sql);
  const isKnown = batchId !== null && stream !== undefined && another === undefined;
  if (!isKnown) return null;
  const line = at('_line');
  return (
    <Section title="Where it came from">
      <p className="value-origin">
        Batch <span className="mono">{batchId}</span>
        {line === null ? '' : `, line ${line}`} of {stream}
      </p>
      <Anchor fz={12} href={addressOf({ screen: 'stream', stream, tab: 'rows', at: batchId })}>
        Show the rows of this batch
      </Anchor>
    </Section>
  );
};
