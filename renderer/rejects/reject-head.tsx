// Owns the head of one reject: when, from whom, how large; going through its faults; text or hex; editing. Never
// shows the body.

import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconPencil, IconTool } from '@tabler/icons-react';
import type { RejectDetail } from '../../core/model.ts';
import { CellValue } from '../ui/cell.tsx';
import { bytes, clock, count, fullTime } from '../ui/format.ts';
import { Key } from '../ui/parts.tsx';
import { shortSender } from './sender-words.ts';

export type BodyAs = 'text' | 'hex';

interface RejectHeadProps {
  readonly detail: RejectDetail;
  /** Lines of the body; null while they are not known. */
  readonly lines: number | null;
  readonly faults: number;
  /** The fault that is gone to, from 0. */
  readonly at: number | null;
  readonly as: BodyAs;
  readonly isEditing: boolean;
  readonly isReady: boolean;
  readonly onStep: (step: 1 | -1) => void;
  readonly onAs: (as: BodyAs) => void;
  readonly onEdit: () => void;
  /** Opens the panel that mends, where it lies over the body. */
  readonly onFix: () => void;
}

/** The head. */
export const RejectHead = (props: RejectHeadProps) => {
  const { detail, lines, faults, at, as, isEditing, isReady, onStep, onAs, onEdit, onFix } = props;
  const { receivedAt, sender, bodyBytes, faultCount } = detail;
  const more = Math.max(faults, faultCount) > faults ? '+' : '';
  const hasBody = detail.bodyRemovedAt === null;
  return (
    <div className="reject-head">
      <h2 title={`${fullTime(receivedAt)} UTC`}>{clock(receivedAt)}</h2>
      <span className="reject-from cut ink-2" title={sender ?? undefined}>
        {sender === null ? 'sender not known' : <CellValue value={shortSender(sender)} />}
      </span>
      <span className="reject-size ink-2">
        {lines === null ? '' : `${count(lines)} ${lines === 1 ? 'line' : 'lines'}, `}
        <span title={`${count(bodyBytes)} bytes`}>{bytes(bodyBytes)}</span>
      </span>
      <span className="reject-gap" />
      {faults === 0 ? null : (
        <span className="reject-faults">
          <Step word="Previous fault" keys="Shift F8" onClick={() => onStep(-1)} isUp />
          <span aria-live="polite">
            {at === null ? '–' : count(at + 1)} of {count(faults)}
            {more}
          </span>
          <Step word="Next fault" keys="F8" onClick={() => onStep(1)} />
        </span>
      )}
      {hasBody ? (
        <SegmentedControl
          aria-label="Body as"
          value={as}
          disabled={isEditing}
          onChange={(value) => onAs(value as BodyAs)}
          data={[
            { value: 'text', label: 'Text' },
            { value: 'hex', label: 'Hex' },
          ]}
          transitionDuration={0}
        />
      ) : null}
      {hasBody && detail.state === 'open' ? (
        <Button
          className="reject-edit"
          variant="default"
          disabled={!isReady}
          aria-pressed={isEditing}
          leftSection={<IconPencil size={14} stroke={1.6} />}
          rightSection={<Key>E</Key>}
          onClick={onEdit}
        >
          Edit
        </Button>
      ) : null}
      <Button
        className="reject-fix"
        variant="default"
        leftSection={<IconTool size={14} stroke={1.6} />}
        onClick={onFix}
      >
        {detail.state === 'open' ? 'Fix' : 'What became of it'}
      </Button>
    </div>
  );
};

const Step = ({
  word,
  keys,
  isUp,
  onClick,
}: {
  word: string;
  keys: string;
  isUp?: boolean;
  onClick: () => void;
}) => (
  <Tooltip label={`${word} (${keys})`}>
    <ActionIcon variant="subtle" color="gray" size={24} aria-label={word} onClick={onClick}>
      {isUp ? <IconChevronUp size={16} stroke={1.6} /> : <IconChevronDown size={16} stroke={1.6} />}
    </ActionIcon>
  </Tooltip>
);
