// Owns one reject: its head, its body as text, hex or in the editor, its faults one after the other, its facts.
// Never mends it.

import { useMemo, useState } from 'react';
import type { Fault, RejectDetail } from '../../core/model.ts';
import { useShortcuts } from '../app/keys.ts';
import { useEngine } from '../app/live.ts';
import { fullTime } from '../ui/format.ts';
import { Empty, Strip } from '../ui/parts.tsx';
import { BodyHex } from './body-hex.tsx';
import { BodyText } from './body-text.tsx';
import { draftKey } from './drafts.ts';
import { EditPane } from './edit-pane.tsx';
import { FaultList } from './fault-list.tsx';
import { faultsOf, placedFaults, stepFault } from './fault-places.ts';
import { rejectKey } from './inbox-items.ts';
import { RejectFacts } from './reject-facts.tsx';
import { type BodyAs, RejectHead } from './reject-head.tsx';
import { type BodyName, useBodyLines, useColumnOffset } from './use-body.ts';

interface RejectPaneProps {
  readonly knowledgebase: string;
  readonly detail: RejectDetail;
  /** Faults of the edit, as far as it was checked; null where there is none. */
  readonly edited: readonly Fault[] | null;
  readonly isEditing: boolean;
  readonly onEditing: (isEditing: boolean) => void;
  readonly onFix: () => void;
}

const NEXT_FAULT = 'F8';
const NO_FAULTS: readonly Fault[] = [];
/** Codes of bodies that came packed: their bytes are no text. */
const PACKED = ['bad_encoding', 'unsupported_encoding'];

/** The reject. */
export const RejectPane = (props: RejectPaneProps) => {
  const { knowledgebase, detail, edited, isEditing, onEditing, onFix } = props;
  const { stream, rejectId, state, now, code } = detail;
  const isReady = useEngine().state === 'ready';
  // What is inside follows its scroller from the first moment, so it is drawn once that is there.
  const [element, setElement] = useState<HTMLElement | null>(null);
  const scroller = useMemo(() => ({ current: element }), [element]);
  const [as, setAs] = useState<BodyAs>(PACKED.includes(code) ? 'hex' : 'text');
  const [attempt, setAttempt] = useState<number | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const name: BodyName = useMemo(
    () => ({ knowledgebase, stream, rejectId, ...(attempt === null ? {} : { attempt }) }),
    [knowledgebase, stream, rejectId, attempt],
  );
  const all = faultsOf(detail);
  const faults = useMemo(() => (attempt === null ? placedFaults(all) : []), [all, attempt]);
  const shownAt = at ?? (faults.length > 0 ? 0 : null);
  const active = shownAt === null ? null : (faults[shownAt] ?? null);
  const whole = wholeFaults(all, detail.faults);
  const hasBody = detail.bodyRemovedAt === null;
  const badLines = state === 'open' && attempt === null ? (now?.badLines ?? []) : [];
  const good =
    state === 'open' && now !== null && attempt === null ? now.lines - now.badLineCount : null;
  const step = (by: 1 | -1): void => {
    setAt(stepFault(faults.length, shownAt, by));
  };
  useShortcuts({
    [NEXT_FAULT]: (event) => step(event.shiftKey ? -1 : 1),
    e: () => {
      if (hasBody && state === 'open' && isReady) onEditing(true);
    },
  });
  const key = draftKey(knowledgebase, rejectKey(detail));
  return (
    <section className="reject" aria-label={`Reject ${rejectId}`}>
      <RejectHead
        detail={detail}
        lines={now?.lines ?? null}
        faults={faults.length}
        at={shownAt}
        as={as}
        isEditing={isEditing}
        isReady={isReady}
        onStep={step}
        onAs={setAs}
        onEdit={() => onEditing(!isEditing)}
        onFix={onFix}
      />
      {attempt === null ? null : (
        <Strip
          tone="warn"
          what={`This is the body that was tried the ${nth(attempt)} time, not the one that came.`}
        />
      )}
      {whole.length === 0 || attempt !== null ? null : (
        <div className="reject-whole">
          <FaultList faults={whole} count={whole.length} />
          <p className="ink-2">{detail.hint}</p>
        </div>
      )}
      {!hasBody ? (
        <div className="body">
          <Empty
            what="The body was removed"
            why={`Retention removed it ${fullTime(detail.bodyRemovedAt ?? '').slice(0, -4)}. The reason stays: ${detail.message}`}
          />
        </div>
      ) : isEditing && state === 'open' ? (
        <EditPane
          key={key}
          name={name}
          detail={detail}
          draftKey={key}
          faults={edited ?? now?.faults ?? NO_FAULTS}
          came={faults}
          onClose={() => onEditing(false)}
        />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a region would be one landmark too many.
        <div
          key={as}
          ref={setElement}
          id="reject-body"
          className="body"
          role="group"
          aria-label="Body"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long body scrolls by keys.
          tabIndex={0}
        >
          {element === null ? null : as === 'text' ? (
            <BodyText
              key={`${rejectId} ${attempt}`}
              name={name}
              faults={faults}
              badLines={badLines}
              good={good}
              active={active}
              scroller={scroller}
            />
          ) : (
            <Hex
              key={`${rejectId} ${attempt}`}
              name={name}
              bodyBytes={bytesOfAttempt(detail, attempt)}
              active={active}
              scroller={scroller}
            />
          )}
        </div>
      )}
      <RejectFacts detail={detail} attempt={attempt} onAttempt={setAttempt} />
    </section>
  );
};

/** Faults of the whole body: those of now, and those that were answered. */
const wholeFaults = (now: readonly Fault[], answered: readonly Fault[]): readonly Fault[] => {
  const byMessage = new Map<string, Fault>();
  for (const fault of [...now, ...answered]) {
    if (fault.line === null) byMessage.set(fault.message, fault);
  }
  return [...byMessage.values()];
};

const bytesOfAttempt = ({ bodyBytes, history }: RejectDetail, attempt: number | null): number =>
  history.find(({ number }) => number === attempt)?.bodyBytes ?? bodyBytes;

const nth = (number: number): string =>
  ({ 1: 'first', 2: 'second', 3: 'third' })[number] ?? `${number}th`;

/** The bytes, gone to the fault's own. */
const Hex = ({
  name,
  bodyBytes,
  active,
  scroller,
}: {
  name: BodyName;
  bodyBytes: number;
  active: (Fault & { readonly line: number }) | null;
  scroller: React.RefObject<HTMLElement | null>;
}) => {
  const { lines } = useBodyLines(name, active?.line ?? 1, active?.line ?? 1);
  const line = active ? lines.get(active.line) : undefined;
  const column = useColumnOffset(name, line, active?.column ?? null);
  const place =
    line === undefined
      ? null
      : active?.column === null
        ? line.offset
        : column === undefined
          ? null
          : line.offset + column;
  return <BodyHex name={name} bodyBytes={bodyBytes} active={place} scroller={scroller} />;
};
