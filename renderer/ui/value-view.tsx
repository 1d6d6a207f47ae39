// Owns how one value is looked at in a panel: as text, as JSON in lines, as bytes. Never changes it.
// Knows nothing of where it is from.

import { SegmentedControl, UnstyledButton } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { WholeValue } from './cell.tsx';
import { bytes, count } from './format.ts';
import { hexLines } from './hex-lines.ts';
import { charactersOf } from './invisible.ts';
import { jsonLines } from './json-lines.ts';
import './value-view.css';

const MOST_CHARACTERS = 20_000;
const MOST_BYTES = 4_096;
const PLACE = 'value-view';

type View = 'text' | 'json' | 'bytes';

const keptView = (): View => {
  const kept = localStorage.getItem(PLACE);
  return kept === 'json' || kept === 'bytes' ? kept : 'text';
};

interface ValueViewProps {
  readonly label: string;
  /** A text that is not empty. */
  readonly value: string;
  /** What stands at the end of the foot. */
  readonly children?: ReactNode;
}

/** The value, and the choice of how to see it; the choice is kept. */
export const ValueView = ({ label, value, children }: ValueViewProps) => {
  const [wanted, setWanted] = useState(keptView);
  const [isWrapped, setWrapped] = useState(true);
  const json = useMemo(() => (value.length > MOST_CHARACTERS ? null : jsonLines(value)), [value]);
  // What is no JSON is shown as text, and the next value that is as JSON again.
  const view = wanted === 'json' && json === null ? 'text' : wanted;
  const choose = (next: string): void => {
    localStorage.setItem(PLACE, next);
    setWanted(next as View);
  };
  return (
    <>
      <div className="value-view-head">
        <SegmentedControl
          aria-label="See the value as"
          value={view}
          onChange={choose}
          data={[
            { value: 'text', label: 'Text' },
            { value: 'json', label: 'JSON', disabled: json === null },
            { value: 'bytes', label: 'Bytes' },
          ]}
          transitionDuration={0}
        />
        <span className="grow" />
        {view === 'bytes' ? null : (
          <UnstyledButton
            className="value-view-link"
            aria-pressed={isWrapped}
            onClick={() => setWrapped(!isWrapped)}
          >
            {isWrapped ? 'Do not wrap' : 'Wrap'}
          </UnstyledButton>
        )}
      </div>
      <section
        className="value-view mono"
        aria-label={label}
        data-wrapped={(isWrapped && view !== 'bytes') || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long value scrolls by keys.
        tabIndex={0}
      >
        {view === 'bytes' ? (
          hexLines(value, MOST_BYTES).lines.join('\n')
        ) : view === 'json' && json !== null ? (
          <JsonView lines={json} />
        ) : (
          <WholeValue value={value.slice(0, MOST_CHARACTERS)} />
        )}
      </section>
      <div className="value-view-foot">
        <span className="small ink-3 grow">{footOf(view, value)}</span>
        {children}
      </div>
    </>
  );
};

const JsonView = ({ lines }: { lines: NonNullable<ReturnType<typeof jsonLines>> }) =>
  lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place.
    <span key={at}>
      {line.map(({ text, isKey }, piece) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <span key={piece} className={isKey ? 'ink-3' : undefined}>
          {text}
        </span>
      ))}
      {'\n'}
    </span>
  ));

const footOf = (view: View, value: string): string => {
  if (view === 'bytes') {
    const size = sizeInBytes(value);
    const all = `${count(size)} ${size === 1 ? 'byte' : 'bytes'} of UTF-8`;
    return size > MOST_BYTES ? `the first ${count(MOST_BYTES)} of ${all}` : all;
  }
  if (view === 'json') return 'laid out in lines; every value as it was sent';
  return value.length > MOST_CHARACTERS
    ? `the first ${count(MOST_CHARACTERS)} characters; Copy takes all`
    : 'tinted: what the eye cannot see';
};

const sizeInBytes = (value: string): number => new TextEncoder().encode(value).length;

/** `51 characters, 53 bytes`. */
export const sizeOf = (value: string): string => {
  const characters = charactersOf(value);
  const size = sizeInBytes(value);
  const inBytes = size < 10_000 ? `${count(size)} ${size === 1 ? 'byte' : 'bytes'}` : bytes(size);
  return `${count(characters)} ${characters === 1 ? 'character' : 'characters'}, ${inBytes}`;
};
