// Owns how one value is looked at in a panel: as text, as JSON in lines, as bytes. Never changes it.
// Knows nothing of where it is from.

import { SegmentedControl, UnstyledButton } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { WholeValue } from './cell.tsx';
import { hexLines } from './hex-lines.ts';
import { jsonLines } from './json-lines.ts';
import './value-view.css';
import { footOf, MOST_BYTES, MOST_CHARACTERS, type View } from './value-words.ts';

const PLACE = 'value-view';

const keptView = (): View => {
  const kept = localStorage.getItem(PLACE);
  return kept === 'json' || kept === 'bytes' ? kept : 'text';
};

interface ValueViewProps {
  readonly label: string;
  /** A text that is not empty. */
  readonly value: string;
  /** What stands at the end of the head. */
  readonly children?: ReactNode;
}

/** The value, and the choice of how to see it; the choice is kept. */
export const ValueView = ({ label, value, children }: ValueViewProps) => {
  const [wanted, setWanted] = useState(keptView);
  const [isWrapped, setWrapped] = useState(true);
  const json = useMemo(() => (value.length > MOST_CHARACTERS ? null : jsonLines(value)), [value]);
  // What is no JSON is shown as text, and the next value that is as JSON again.
  const view = wanted === 'json' && json === null ? 'text' : wanted;
  const foot = useMemo(() => footOf(view, value), [view, value]);
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
        {children}
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
      {foot === '' ? null : <p className="value-view-foot small ink-3">{foot}</p>}
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
