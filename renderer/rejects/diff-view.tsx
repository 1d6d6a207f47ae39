// Owns how a mended body differs from the one that came: lines that go, lines that come, the changed characters solid,
// a line of quiet text around. Never decides what changes.

import { type CSSProperties, useMemo, useState } from 'react';
import type { CheckedMend, LineChange, ShownLine } from '../../core/model.ts';
import { count } from '../ui/format.ts';
import { diffMarks, windowOf } from './diff-marks.ts';
import './diff.css';
import { Segments } from './segment-view.tsx';
import { type Stretch, segmentsOf } from './segments.ts';
import { type BodyName, useBodyLines } from './use-body.ts';

/** Characters of a line that are shown around its first change. */
const MOST_CHARS = 700;
const CONTEXT_CHARS = 160;
const FIRST_SHOWN = 12;

interface DiffViewProps {
  readonly name: BodyName;
  readonly checked: CheckedMend;
}

/** The changes, the first of them; the rest on demand. */
export const DiffView = ({ name, checked }: DiffViewProps) => {
  const [shown, setShown] = useState(FIRST_SHOWN);
  const { changes, changeCount } = checked;
  const listed = changes.slice(0, shown);
  const more = changeCount - listed.length;
  const last = listed.at(-1);
  const digits = String(last ? Math.max(last.line, last.newLine) + 1 : 0).length;
  return (
    <section
      className="diff"
      aria-label="Change in this body"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long diff scrolls by keys.
      tabIndex={0}
      style={{ '--diff-number': `${Math.max(22, 8 + digits * 7)}px` } as CSSProperties}
    >
      {listed.map((change, at) => (
        <Change
          key={`${change.line} ${change.newLine}`}
          name={name}
          change={change}
          hasBefore={at === 0 || !touches(listed[at - 1] as LineChange, change)}
          hasAfter={at === listed.length - 1 || !touches(change, listed[at + 1] as LineChange)}
        />
      ))}
      {more > 0 ? (
        <div className="diff-more">
          {listed.length < changes.length ? (
            <button type="button" className="link" onClick={() => setShown(shown + 60)}>
              {count(more)} more
            </button>
          ) : (
            <span className="ink-2">{count(more)} more change alike</span>
          )}
        </div>
      ) : null}
    </section>
  );
};

/** Whether no unchanged line stands between two changes. */
const touches = (one: LineChange, other: LineChange): boolean =>
  one.line + one.before.length >= other.line;

const Change = ({
  name,
  change,
  hasBefore,
  hasAfter,
}: {
  name: BodyName;
  change: LineChange;
  hasBefore: boolean;
  hasAfter: boolean;
}) => {
  const { line, newLine, before, after } = change;
  const end = line + before.length;
  const { lines } = useBodyLines(name, Math.max(1, line - 1), end + 1);
  const marks = useMemo(
    () => diffMarks(before.map(comparable), after.map(comparable)),
    [before, after],
  );
  return (
    <>
      {hasBefore ? <Context line={lines.get(line - 1)} number={line - 1} /> : null}
      {before.map((text, at) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place.
          key={`- ${at}`}
          sign="−"
          number={line + at}
          shown={text}
          solid={marks.before[at] ?? []}
        />
      ))}
      {after.map((text, at) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place.
          key={`+ ${at}`}
          sign="+"
          number={newLine + at}
          shown={text}
          solid={marks.after[at] ?? []}
        />
      ))}
      {hasAfter ? <Context line={lines.get(end)} number={newLine + after.length} /> : null}
    </>
  );
};

/** A byte that is not UTF-8 is another than the U+FFFD that is shown for it, and than other such bytes. */
const comparable = ({ text, invalid }: ShownLine): string => {
  let compared = '';
  let at = 0;
  for (const one of invalid) {
    compared += text.slice(at, one.at) + String.fromCharCode(0xdc00 + one.byte);
    at = one.at + 1;
  }
  return compared + text.slice(at);
};

const Context = ({ line, number }: { line: ShownLine | undefined; number: number }) => {
  if (!line) return null;
  const text = line.text.slice(0, CONTEXT_CHARS);
  return (
    <div className="diff-line diff-context">
      <span className="diff-number">{number}</span>
      <span className="diff-sign" />
      <span className="diff-text">
        <Segments segments={segmentsOf(text, { invalid: line.invalid, isWhole: false })} />
      </span>
    </div>
  );
};

const Line = ({
  sign,
  number,
  shown,
  solid,
}: {
  sign: '−' | '+';
  number: number;
  shown: ShownLine;
  solid: readonly Stretch[];
}) => {
  const { from, to } = windowOf(shown.text, solid, MOST_CHARS);
  const isWhole = from === 0 && to === shown.text.length && !shown.cut;
  const segments = segmentsOf(shown.text.slice(from, to), {
    invalid: shown.invalid
      .filter(({ at }) => at >= from && at < to)
      .map(({ at, byte }) => ({ at: at - from, byte })),
    solid: solid
      .map((one) => ({ from: Math.max(0, one.from - from), to: Math.min(to, one.to) - from }))
      .filter((one) => one.from < one.to),
    isWhole,
  });
  return (
    <div className={`diff-line ${sign === '+' ? 'diff-added' : 'diff-removed'}`}>
      <span className="diff-number">{number}</span>
      <span className="diff-sign">{sign}</span>
      <span className="diff-text">
        {from > 0 ? '…' : null}
        {shown.text === '' ? (
          <span className="cell-empty">blank</span>
        ) : (
          <Segments segments={segments} />
        )}
        {to < shown.text.length || shown.cut ? '…' : null}
      </span>
    </div>
  );
};
