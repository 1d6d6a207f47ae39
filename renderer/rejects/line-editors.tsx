// Owns editing the faulty lines of a body that is too large, or not UTF-8, to be edited whole: each on its own, every
// other byte stays. Never sends them: each change is kept as a draft.

import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Fault, LineEdit } from '../../core/model.ts';
import { count } from '../ui/format.ts';
import { Empty, Loading } from '../ui/parts.tsx';
import { BodyEditor } from './body-editor.tsx';
import { keepLine, useDraft } from './drafts.ts';
import { messageOf } from './fault-places.ts';
import { ReplayCommand } from './replay-command.tsx';
import { Sentence } from './segment-view.tsx';
import { type BodyName, useBodyLines, useBodyText } from './use-body.ts';

/** A longer line is mended outside: no editor is quick with it. */
const MOST_LINE_BYTES = 65_536;
/** So many lines stand below each other at once. */
const SHOWN = 20;

interface LineEditorsProps {
  readonly name: BodyName;
  readonly draftKey: string;
  readonly faults: readonly (Fault & { readonly line: number })[];
  /** Why the body is not edited whole. */
  readonly why: string;
}

/** An editor for each faulty line. */
export const LineEditors = ({ name, draftKey, faults, why }: LineEditorsProps) => {
  const [shown, setShown] = useState(SHOWN);
  if (faults.length === 0) {
    return (
      <Empty
        what="No single line is at fault"
        why={
          <>
            {why} Choose a fix at the right, or download the body, mend it there, and replay it
            with: <ReplayCommand />.
          </>
        }
      />
    );
  }
  return (
    <div className="line-editors">
      <p className="small ink-2">{why} Only the faulty lines are edited; every other byte stays.</p>
      {faults.slice(0, shown).map((fault) => (
        <LineEditor key={fault.line} name={name} draftKey={draftKey} fault={fault} />
      ))}
      {faults.length > shown ? (
        <Button variant="default" onClick={() => setShown(shown + SHOWN)}>
          {count(faults.length - shown)} more
        </Button>
      ) : null}
    </div>
  );
};

const LineEditor = ({
  name,
  draftKey,
  fault,
}: {
  name: BodyName;
  draftKey: string;
  fault: Fault & { readonly line: number };
}) => {
  const { line } = fault;
  const draft = useDraft(draftKey);
  const { lines } = useBodyLines(name, line, line);
  const data = lines.get(line);
  const isLong = data !== undefined && data.bytes > MOST_LINE_BYTES;
  const whole = useBodyText(name, data?.offset ?? 0, isLong || !data ? 1 : Math.max(1, data.bytes));
  const edit = draft?.kind === 'lines' ? draft.edits.find((one) => one.line === line) : undefined;
  if (!data || (!whole && !isLong)) return <Loading>Reading line {count(line)}</Loading>;
  // What is left out of a text would be lost from the line.
  const isWhole = !whole || isLong || data.bytes === 0 || whole.bytes === data.bytes;
  const came = data.bytes === 0 ? '' : (whole?.text ?? '');
  const keep = (next: LineEdit | undefined): void => keepLine(draftKey, line, next);
  return (
    <section className="line-editor" aria-label={`Line ${count(line)}`}>
      <div className="line-editor-head">
        <strong>
          Line {count(line)}
          {fault.column === null ? '' : `, column ${count(fault.column)}`}
        </strong>
        <span className="grow ink-2">
          <Sentence text={messageOf(fault)} />
        </span>
        {edit ? (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => keep(undefined)}>
            As it came
          </Button>
        ) : null}
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          disabled={edit?.text === null}
          onClick={() => keep({ line, text: null })}
        >
          Take it away
        </Button>
      </div>
      {isLong ? (
        <p className="small ink-2">
          It has {count(data.bytes)} bytes, more than can be edited here. Download the body, mend it
          there, and replay it with: <ReplayCommand />.
        </p>
      ) : !isWhole ? (
        <p className="small ink-2">
          More of its bytes are not UTF-8 than can be edited here. Download the body, mend it there,
          and replay it with: strata rejects replay KB ID --body FILE.
        </p>
      ) : edit?.text === null ? (
        <p className="small ink-2">It is taken away.</p>
      ) : (
        <>
          <div className="line-editor-text">
            <BodyEditor
              key={edit ? 'edited' : 'came'}
              label={`Line ${count(line)}`}
              text={edit?.text ?? came}
              faults={edit ? [] : [fault]}
              firstLine={line}
              hasFocus={edit !== undefined}
              onChange={(text) => keep(text === came ? undefined : { line, text })}
            />
          </div>
          {data.invalid.length > 0 ? (
            <p className="small ink-2">
              Bytes that are not UTF-8 stand as U+FFFD here, and are sent so once the line is
              edited.
            </p>
          ) : null}
        </>
      )}
    </section>
  );
};
