// Owns the panel of the chosen cell: its exact text, counted, and the way to the batch it came in.
// Never formats the value.

import { WholeValue } from '../../ui/cell.tsx';
import { count } from '../../ui/format.ts';
import { charactersOf } from '../../ui/invisible.ts';
import { CopyButton, Section } from '../../ui/parts.tsx';
import { RowOrigin } from './row-origin.tsx';
import type { Answer } from './runs.ts';

/** Beyond this a value is cut in the panel; copying has all of it. */
const MOST_SHOWN = 100_000;

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
      <RowOrigin knowledgebase={knowledgebase} answer={answer} row={row} />
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
