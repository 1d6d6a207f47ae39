// Owns one proposal of a plan: its title and decision, and for the current one its evidence, moves, forms and effect.
// Never sends anything: it tells the panel.

import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Plan, PlanEdit, PlanItem } from '../../../core/model.ts';
import { Mark } from '../../ui/mark.tsx';
import { Key } from '../../ui/parts.tsx';
import { lineOf } from './diff-words.ts';
import { MatchBars } from './match-bars.tsx';
import { PlanEffect } from './plan-effect.tsx';
import { FORMS, type FormKind, PlanForm } from './plan-form.tsx';
import { decisionWord, type Move, movesOf } from './plan-moves.ts';

interface PlanItemProps {
  readonly knowledgebase: string;
  readonly plan: Plan;
  readonly item: PlanItem;
  readonly isCurrent: boolean;
  readonly isOff: boolean;
  /** The form that is open under it, and the attribute that it is about. */
  readonly form: { readonly kind: FormKind; readonly attribute?: string } | null;
  readonly fault: ReactNode;
  readonly onChoose: () => void;
  readonly onMove: (move: Move) => void;
  readonly onReopen: () => void;
  readonly onForm: (kind: FormKind | null) => void;
  readonly onEdit: (edit: PlanEdit) => void;
}

const SIGNS = { new: '+', changed: '~', removed: '−', warning: '!' } as const;
const SAID = {
  new: 'new',
  changed: 'changed',
  removed: 'removed',
  warning: 'no longer holds',
} as const;

/** The id of an item's head, for focus. */
export const headId = (item: string): string => `plan-item-${item}`;

/** One proposal. */
export const PlanItemRow = (props: PlanItemProps) => {
  const { knowledgebase, plan, item, isCurrent, isOff, form, fault, onChoose } = props;
  const type = plan.model.types.find(({ id }) => id === item.type);
  return (
    <li className="plan-item" data-current={isCurrent || undefined}>
      <button
        id={headId(item.id)}
        type="button"
        className="plan-item-head"
        aria-expanded={isCurrent}
        onClick={onChoose}
      >
        <span className="plan-sign" data-mark={item.mark} role="img" aria-label={SAID[item.mark]}>
          {SIGNS[item.mark]}
        </span>
        <span className="grow">
          <span className="plan-item-title">{item.title}</span>
          {isCurrent ? null : <span className="plan-item-why">{item.evidence[0]}</span>}
        </span>
        <Decision item={item} />
      </button>
      {isCurrent ? (
        <div className="plan-item-body">
          {item.evidence.map((line) => (
            <p key={line} className="plan-note">
              {line}
            </p>
          ))}
          <Changes item={item} />
          {item.match === null ? null : <MatchBars match={item.match} />}
          <Moves {...props} />
          {fault}
          {form !== null && type ? (
            <PlanForm
              key={`${form.kind} ${form.attribute ?? ''}`}
              {...form}
              plan={plan}
              type={type}
              isOff={isOff}
              onEdit={props.onEdit}
              onClose={() => props.onForm(null)}
            />
          ) : null}
          <PlanEffect knowledgebase={knowledgebase} plan={plan} type={item.type} />
        </div>
      ) : null}
    </li>
  );
};

const Decision = ({ item }: { item: PlanItem }) => (
  <span className="plan-decision" data-decision={item.decision ?? 'none'}>
    {item.decision === null ? null : (
      <Mark name={item.decision === 'accepted' ? 'landed' : 'refused'} />
    )}
    {decisionWord(item)}
  </span>
);

/** What differs in a type that was there; of a new one the title says it. */
const Changes = ({ item }: { item: PlanItem }) => {
  const changes = item.changes.filter(({ what }) => what !== 'type');
  if (changes.length === 0) return null;
  return (
    <ul className="plan-changes" aria-label="Changes">
      {changes.map(lineOf).map(({ mark, words, before, after }) => (
        <li key={`${mark} ${words}`}>
          <span className="plan-sign" data-mark={mark} role="img" aria-label={SAID[mark]}>
            {SIGNS[mark]}
          </span>
          <span className="grow">
            {words}{' '}
            <span className="ink-2">
              {[before, after].filter((one) => one !== null).join(' → ')}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
};

const Moves = ({ item, plan, isOff, onMove, onReopen, onForm }: PlanItemProps) => {
  if (item.decision === 'refused') {
    return <p className="plan-note ink-2">Refused. Undo takes the last change back.</p>;
  }
  const canChange = item.mark !== 'removed';
  return (
    <div className="plan-moves">
      {item.decision === 'accepted' ? (
        <Button variant="default" disabled={isOff} onClick={onReopen}>
          Decide again
        </Button>
      ) : null}
      {movesOf(item, plan).map(({ move, word, key }, at) => {
        const isPrimary = at === 0 && item.decision === null;
        const isPlain = move === 'refuse';
        return (
          <Button
            key={move}
            variant={isPrimary ? 'filled' : isPlain ? 'subtle' : 'default'}
            {...(isPlain ? { color: 'gray', className: 'plan-plain' } : {})}
            disabled={isOff}
            aria-keyshortcuts={key}
            rightSection={<Key>{key}</Key>}
            onClick={() => onMove(move)}
          >
            {word}
          </Button>
        );
      })}
      {canChange ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="subtle"
              className="plan-plain"
              color="gray"
              px={3}
              disabled={isOff}
              aria-label="More changes"
            >
              <IconDots size={16} stroke={1.6} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {FORMS.map(([kind, word]) => (
              <Menu.Item key={kind} onClick={() => onForm(kind)}>
                {word}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : null}
    </div>
  );
};
