// Owns how a line of the inbox looks: a group, one of its rejects, what a search found. Never decides what a click does.

import { IconChevronRight } from '@tabler/icons-react';
import type { MouseEvent, ReactNode } from 'react';
import type { Reject, RejectGroup, RejectState } from '../../core/model.ts';
import { useEngine, useNow } from '../app/live.ts';
import { CellValue } from '../ui/cell.tsx';
import { age, clock, count, fullTime } from '../ui/format.ts';
import { SparkBars } from '../ui/spark-bars.tsx';
import { draftKey, useHasDraft } from './drafts.ts';
import type { InboxItem } from './inbox-items.ts';
import { shortSender } from './sender-words.ts';

interface InboxLineProps {
  readonly id: string;
  readonly knowledgebase: string;
  readonly item: InboxItem;
  readonly tab: RejectState;
  readonly top: number;
  readonly height: number;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly onClick: (event: MouseEvent) => void;
}

/** A line, at its place in the virtual list. */
export const InboxLine = (props: InboxLineProps) => {
  const { id, knowledgebase, item, tab, top, height, isOpen, isChosen, isSelected } = props;
  const isGroup = item.kind === 'group';
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens to keys.
    <div
      id={id}
      role="treeitem"
      className={`inbox-line inbox-${item.kind}`}
      style={{ top, height }}
      aria-level={isGroup || item.kind === 'found' ? 1 : 2}
      aria-expanded={isGroup ? isOpen : undefined}
      aria-selected={isSelected || (isChosen && !isGroup)}
      data-open={isOpen || undefined}
      data-chosen={isChosen || undefined}
      data-active={props.isActive || undefined}
      onClick={props.onClick}
    >
      {item.kind === 'group' ? (
        <Group group={item.group} tab={tab} />
      ) : item.kind === 'reject' ? (
        <Row
          knowledgebase={knowledgebase}
          itemKey={item.key}
          reject={item.reject}
          isChosen={isChosen}
        />
      ) : item.kind === 'found' ? (
        <Found knowledgebase={knowledgebase} itemKey={item.key} reject={item.reject} />
      ) : item.kind === 'more' ? (
        <span className="ink-2">{count(item.count)} more</span>
      ) : (
        <span className="ink-3">Reading rejects</span>
      )}
    </div>
  );
};

const Group = ({ group, tab }: { group: RejectGroup; tab: RejectState }) => {
  const now = useNow();
  const isAway = useEngine().state !== 'ready';
  const { title, stream, code, spark, lastSeenAt, firstSeenAt } = group;
  return (
    <>
      <span className="inbox-group-title cut" title={title}>
        <CellValue value={title} />
      </span>
      <span className="inbox-group-spark">
        <SparkBars values={spark} width={48} height={13} />
      </span>
      <span className={`inbox-group-count ${tab === 'open' ? 'bad-text' : 'ink-2'}`}>
        {count(group[tab])}
      </span>
      <span className="inbox-group-where cut ink-2">
        {stream} <code>{code}</code>
      </span>
      <span
        className="inbox-group-age ink-3"
        title={`First ${fullTime(firstSeenAt)} UTC, last ${fullTime(lastSeenAt)} UTC`}
      >
        {isAway ? clock(lastSeenAt) : age(lastSeenAt, now)}
      </span>
    </>
  );
};

/** 14:02:08 today, 11 Jul 14:02 on another day. */
const whenOf = (at: string, now: number): string =>
  new Date(now).toISOString().slice(0, 10) === at.slice(0, 10)
    ? clock(at)
    : `${fullTime(at).split(' ').slice(0, 2).join(' ')} ${at.slice(11, 16)}`;

/** Where the first fault is, or how large a body is whose fault has no line. */
const placeOf = ({ line }: Reject): ReactNode =>
  line === null ? 'whole body' : `line ${count(line)}`;

const Sender = ({ sender }: { sender: string | null }) =>
  sender === null ? (
    <span className="ink-3">not known</span>
  ) : (
    <CellValue value={shortSender(sender)} />
  );

const Dot = ({ knowledgebase, itemKey }: { knowledgebase: string; itemKey: string }) =>
  useHasDraft(draftKey(knowledgebase, itemKey)) ? (
    <span
      className="inbox-edited"
      role="img"
      aria-label="edited, not sent"
      title="Edited, not sent"
    />
  ) : null;

const Row = ({
  knowledgebase,
  itemKey,
  reject,
  isChosen,
}: {
  knowledgebase: string;
  itemKey: string;
  reject: Reject;
  isChosen: boolean;
}) => {
  const now = useNow();
  return (
    <>
      <span className="inbox-chevron">
        {isChosen ? <IconChevronRight size={14} stroke={1.6} /> : null}
      </span>
      <span className="inbox-when" title={`${fullTime(reject.receivedAt)} UTC`}>
        {whenOf(reject.receivedAt, now)}
      </span>
      <span className="inbox-sender cut" title={reject.sender ?? undefined}>
        <Sender sender={reject.sender} />
      </span>
      <Dot knowledgebase={knowledgebase} itemKey={itemKey} />
      {reject.bodyRemovedAt === null ? null : <span className="ink-3">no body</span>}
      <span className="inbox-place">{placeOf(reject)}</span>
    </>
  );
};

const Found = ({
  knowledgebase,
  itemKey,
  reject,
}: {
  knowledgebase: string;
  itemKey: string;
  reject: Reject;
}) => {
  const now = useNow();
  return (
    <>
      <span className="inbox-found-first">
        <span className="inbox-when">{whenOf(reject.receivedAt, now)}</span>
        <span className="inbox-sender cut" title={reject.sender ?? undefined}>
          <Sender sender={reject.sender} />
        </span>
        <Dot knowledgebase={knowledgebase} itemKey={itemKey} />
        <span className="inbox-place">{placeOf(reject)}</span>
      </span>
      <span className="cut ink-2">
        {reject.stream} <code>{reject.code}</code>
      </span>
    </>
  );
};
