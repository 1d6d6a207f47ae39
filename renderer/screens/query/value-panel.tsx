// Owns the panel of the chosen cell: its exact text, counted, and the way to the batch it came in.
// Never formats the value.

import { count } from '../../ui/format.ts';
import { CopyButton, Section } from '../../ui/parts.tsx';
import { ValueView } from '../../ui/value-view.tsx';
import { sizeOf } from '../../ui/value-words.ts';
import { RowOrigin } from './row-origin.tsx';
import type { Answer } from './runs.ts';

interface ValuePanelProps {
  readonly knowledgebase: string;
  readonly answer: Answer;
  readonly row: number;
  readonly column: number;
}

/** The chosen cell. */
export const ValuePanel = ({ knowledgebase, answer, row, column }: ValuePanelProps) => {
  const { name, type } = answer.columns[column] ?? { name: '', type: '' };
  const value = answer.rows[row]?.[column];
  if (value === undefined) return null;
  return (
    <>
      <Section
        title={<span className="mono strong">{name}</span>}
        aside={`${typeWord(type)}${value ? `, ${sizeOf(value)}` : ''}, row ${count(row + 1)}`}
      >
        {value === null ? (
          <p className="value-words">null</p>
        ) : value === '' ? (
          <p className="value-words">The empty string</p>
        ) : (
          <ValueView label={`Value of ${name}`} value={value}>
            <CopyButton text={value} label="Copy the value" />
          </ValueView>
        )}
      </Section>
      <RowOrigin knowledgebase={knowledgebase} answer={answer} row={row} />
    </>
  );
};

/** DuckDB's VARCHAR is text; the others go by their own names. */
export const typeWord = (type: string): string =>
  type === 'VARCHAR'
    ? 'text'
    : type === 'TIMESTAMP WITH TIME ZONE'
      ? 'timestamptz'
      : type.toLowerCase();
