// Owns the review of a plan: its proposals with keys, columns, links, what was seen, and its foot.
// Never draws the graph.

import { ActionIcon, Button } from '@mantine/core';
import { IconArrowBackUp, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Plan, PlanEdit, PlanItem, PlannedColumn } from '../../../core/model.ts';
import { shownKeys, useShortcuts } from '../../app/keys.ts';
import { count } from '../../ui/format.ts';
import { Key, Strip } from '../../ui/parts.tsx';
import './plan.css';
import './plan-effect.css';
import { PlanFoot } from './plan-foot.tsx';
import type { FormKind } from './plan-form.tsx';
import { headId, PlanItemRow } from './plan-item.tsx';
import { type Move, moveOfKey, nextUndecided, undecided } from './plan-moves.ts';
import { PlanColumns, PlanHead, PlanKeys, PlanSeen } from './plan-sections.tsx';
import { decidedWords, planFacts, typesWords } from './plan-words.ts';
import type { PlanActs } from './use-plan.ts';

interface PlanPanelProps {
  readonly knowledgebase: string;
  readonly plan: Plan;
  readonly acts: PlanActs;
  /** Why the last act was not possible. */
  readonly fault: { readonly message: string; readonly hint: string } | null;
  /** The engine is away, or an act is under way. */
  readonly isOff: boolean;
  readonly current: string | null;
  readonly onCurrent: (item: string | null) => void;
  readonly onApply: (why: string) => void;
  readonly onRefuse: () => void;
  readonly onPromote: () => void;
  readonly onClose: () => void;
}

/** The panel. */
export const PlanPanel = (props: PlanPanelProps) => {
  const { knowledgebase, plan, acts, fault, current, onCurrent, onClose } = props;
  const isOff = props.isOff || plan.outdated;
  const panel = useRef<HTMLElement>(null);
  const follows = useRef(false);
  const [form, setForm] = useState<{ kind: FormKind; attribute?: string } | null>(null);
  const item = plan.items.find(({ id }) => id === current) ?? null;

  const choose = (id: string | null): void => {
    setForm(null);
    onCurrent(id);
  };
  const go = (next: Plan | null, from: string): void => {
    if (next === null) return;
    follows.current = true;
    choose(nextUndecided(next, from) ?? next.items.find(({ id }) => id === from)?.id ?? null);
  };
  const move = async (one: PlanItem, made: Move): Promise<void> => {
    if (isOff) return;
    if (made === 'rename') setForm({ kind: 'rename' });
    else go(await acts.move(one, made), one.id);
  };
  const edit = async (made: PlanEdit): Promise<void> => {
    const next = await acts.edit(made);
    if (next === null) return;
    follows.current = true;
    setForm(null);
    const stays = next.items.some(({ id }) => id === current);
    if (!stays) onCurrent(nextUndecided(next, null));
  };
  const retype = ({ type, attribute }: PlannedColumn): void => {
    const owner = plan.items.find((one) => one.group === 'type' && one.type === type);
    if (!owner || attribute === null) return;
    onCurrent(owner.id);
    setForm({ kind: 'retype', attribute });
    follows.current = true;
  };
  const step = (by: number): void => {
    const at = plan.items.findIndex(({ id }) => id === current);
    const next = plan.items[Math.min(plan.items.length - 1, Math.max(0, at + by))];
    if (next) choose(next.id);
  };
  const byKey = (key: string) => () => {
    const found = item ? moveOfKey(item, plan, key) : undefined;
    if (item && found) void move(item, found);
  };
  const undo = async (): Promise<void> => {
    if (isOff || plan.edits.length === 0) return;
    const next = await acts.undo();
    if (next && !next.items.some(({ id }) => id === current)) choose(nextUndecided(next, null));
  };
  const down = (): void => step(1);
  const up = (): void => step(-1);
  useShortcuts({
    ...{ m: byKey('m'), a: byKey('a'), r: byKey('r'), x: byKey('x') },
    ...{ j: down, k: up, ArrowDown: down, ArrowUp: up },
    'mod+z': () => void undo(),
  });

  // What is decided is followed by the next; the focus goes along where it was in the panel.
  useEffect(() => {
    if (current === null) return;
    const head = document.getElementById(headId(current));
    const row = head?.closest('li');
    if (row) reveal(row);
    const { activeElement } = document;
    const isHere = activeElement === document.body || panel.current?.contains(activeElement);
    if (follows.current && isHere) head?.focus({ preventScroll: true });
    follows.current = false;
  }, [current]);

  const left = undecided(plan);
  const shared = { knowledgebase, plan, isOff };
  const row = (one: PlanItem) => {
    const isCurrent = one.id === current;
    return (
      <PlanItemRow
        key={one.id}
        {...shared}
        item={one}
        isCurrent={isCurrent}
        form={isCurrent ? form : null}
        fault={isCurrent ? <Fault fault={fault} /> : null}
        onChoose={() => choose(isCurrent ? null : one.id)}
        onMove={(made) => void move(one, made)}
        onReopen={() => void acts.reopen(one)}
        onForm={(kind) => setForm(kind === null ? null : { kind })}
        onEdit={(made) => void edit(made)}
      />
    );
  };
  const [evidence, types] = [
    plan.items.filter(({ group }) => group === 'evidence'),
    plan.items.filter(({ group }) => group === 'type'),
  ];
  return (
    <aside
      ref={panel}
      className="panel model-panel"
      aria-label={`Plan for ${plan.promotion.stream}`}
    >
      <header className="panel-head plan-title">
        <h2 className="cut">Plan for {plan.promotion.stream}</h2>
        <span className="small ink-2 grow cut" title={planFacts(plan)}>
          {planFacts(plan)}
        </span>
        <span className="small plan-decided" role="status">
          {decidedWords(plan)}
        </span>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label="Close the plan"
          onClick={onClose}
        >
          <IconX size={16} stroke={1.6} />
        </ActionIcon>
      </header>
      {plan.outdated ? (
        <Strip
          tone="warn"
          what={`The model has changed since this plan was made${plan.promotion.base === null ? '' : ` from v${plan.promotion.base}`}.`}
          actions={
            <Button variant="default" disabled={props.isOff} onClick={props.onPromote}>
              Promote {plan.promotion.stream} again
            </Button>
          }
        >
          It cannot be applied. What you changed is kept as far as it fits.
        </Strip>
      ) : null}
      <div className="plan-scroll">
        {evidence.length > 0 ? (
          <section aria-label="No longer holds">
            <PlanHead title="No longer holds" aside={count(evidence.length)} />
            <ul className="plan-items">{evidence.map(row)}</ul>
          </section>
        ) : null}
        <section aria-label="Types">
          <div className="plan-head">
            <h3>Types</h3>
            <span className="plan-head-acts">
              {plan.edits.length > 0 ? (
                <button
                  type="button"
                  className="model-link plan-undo"
                  disabled={isOff}
                  title={`Take the last of ${count(plan.edits.length)} back (${shownKeys('mod+z')})`}
                  onClick={() => void undo()}
                >
                  <IconArrowBackUp size={14} stroke={1.6} aria-hidden="true" />
                  Undo
                </button>
              ) : null}
              {left > 1 ? (
                <button
                  type="button"
                  className="model-link"
                  disabled={isOff}
                  onClick={() => void acts.acceptRest()}
                >
                  Accept the {count(left)} left
                </button>
              ) : null}
            </span>
            <span className="small ink-2">{typesWords(plan)}</span>
          </div>
          <ul className="plan-items">{types.map(row)}</ul>
        </section>
        {item === null ? <Fault fault={fault} /> : null}
        <PlanColumns plan={plan} isOff={isOff} onRetype={retype} />
        <PlanKeys plan={plan} />
        <PlanSeen plan={plan} />
        <p className="plan-keys small ink-3">
          <Key>J</Key> <Key>K</Key> move, the keys on the buttons decide,{' '}
          <Key>{shownKeys('mod+z')}</Key> takes a change back.
        </p>
      </div>
      <PlanFoot {...shared} onApply={props.onApply} onRefuse={props.onRefuse} />
    </aside>
  );
};

/** The section's head, which stays at the top. */
const HEAD_PX = 28;

/** Brings a proposal into view, its end where there is room, its start always. */
const reveal = (row: HTMLElement): void => {
  const frame = row.closest('.plan-scroll');
  if (!frame) return;
  const [room, box] = [frame.getBoundingClientRect(), row.getBoundingClientRect()];
  const above = box.top - room.top - HEAD_PX;
  const below = box.bottom - room.bottom;
  if (above < 0) frame.scrollTop += above;
  else if (below > 0) frame.scrollTop += Math.min(above, below);
};

const Fault = ({ fault }: { fault: PlanPanelProps['fault'] }) =>
  fault === null ? null : (
    <p className="plan-note bad-text" role="alert">
      {fault.message} <span className="ink-2">{fault.hint}</span>
    </p>
  );
