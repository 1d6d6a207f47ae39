// Owns the Graph tab: the graph of the model or of the open plan, and the panel beside it.
// Never keeps a plan: use-plan does.

import { Button } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import type { Model, ModelView, PromotionSummary } from '../../../core/model.ts';
import { client, faultOf } from '../../api.ts';
import { useShortcuts } from '../../app/keys.ts';
import { useEngine } from '../../app/live.ts';
import { go } from '../../app/router.ts';
import { Loading, Strip } from '../../ui/parts.tsx';
import { ModelGraph } from './graph.tsx';
import { graphOf } from './graph-data.ts';
import { applyPlan } from './model-jobs.ts';
import { nextUndecided } from './plan-moves.ts';
import { PlanPanel } from './plan-panel.tsx';
import { TypePanel } from './type-panel.tsx';
import { renewModel, useCounts } from './use-model.ts';
import { usePlan } from './use-plan.ts';
import { VersionCard } from './version-card.tsx';

/** Rooms that the graph is laid out for; not the true one, so that no node moves when a panel opens. */
const ASPECT = { alone: 1.75, besidePanel: 1.25 } as const;

const choose = (type: string | null): void => go({ screen: 'model', tab: 'graph', type });

interface GraphViewProps {
  readonly knowledgebase: string;
  readonly view: ModelView;
  readonly type: string | null;
}

/** The live model. */
export const LiveGraph = ({ knowledgebase, view, type }: GraphViewProps) => {
  const counts = useCounts(knowledgebase, view.model.types.length > 0);
  const data = useMemo(() => graphOf(view.model, null, counts), [view.model, counts]);
  const chosen = view.model.types.find(({ id }) => id === type) ?? null;
  const leave = (): void => choose(null);
  useShortcuts({ Escape: leave });
  return (
    <div className="split model-split">
      <ModelGraph
        data={data}
        aspect={ASPECT.alone}
        selected={type}
        onSelect={choose}
        onOpen={openPanel}
      >
        <VersionCard
          knowledgebase={knowledgebase}
          model={view.model}
          plan={null}
          next={(view.current ?? 0) + 1}
        />
      </ModelGraph>
      {chosen ? (
        <TypePanel
          key={chosen.id}
          knowledgebase={knowledgebase}
          model={view.model}
          type={chosen}
          onType={choose}
          onClose={() => choose(null)}
        />
      ) : null}
    </div>
  );
};

/** Takes the keys into the panel, which shows what is chosen. */
const openPanel = (): void =>
  document.querySelector<HTMLElement>('.model-panel button, .model-panel a')?.focus();

interface PlanGraphProps extends GraphViewProps {
  readonly promotion: PromotionSummary;
  readonly isPanelOpen: boolean;
  readonly onPanel: (isOpen: boolean) => void;
  readonly isBusy: boolean;
  readonly onPromote: (stream: string) => void;
}

/** The model as the open plan would make it. */
export const PlanGraph = (props: PlanGraphProps) => {
  const { knowledgebase, view, type, promotion, isPanelOpen, onPanel } = props;
  const { plan, error, fault, isBusy, acts } = usePlan(knowledgebase, promotion.id);
  const isAway = useEngine().state !== 'ready';
  const [item, setItem] = useState<string | null | undefined>(undefined);
  const [refused, setRefused] = useState<{ message: string; hint: string } | null>(null);
  const counts = useCounts(knowledgebase, view.model.types.length > 0);
  const data = useMemo(
    () => (plan ? graphOf(plan.model, plan.before, countsOf(plan.model, counts)) : null),
    [plan, counts],
  );
  const current = item === undefined ? (plan ? nextUndecided(plan, null) : null) : item;
  // A link into the graph names a type; its proposal is what a plan has of it.
  useEffect(() => {
    const found = plan?.items.find((one) => one.type === type);
    if (type !== null && found) setItem(found.id);
  }, [type, plan?.items]);
  const leave = (): void => (type === null ? setItem(null) : choose(null));
  useShortcuts({ Escape: leave });
  if (!plan || !data) {
    return error ? (
      <Strip tone="bad" what={faultOf(error).message}>
        {faultOf(error).hint}
      </Strip>
    ) : (
      <Loading>Reading the plan of {promotion.stream}</Loading>
    );
  }
  const currentType = plan.items.find(({ id }) => id === current)?.type ?? null;
  const isProposed = (id: string): boolean => plan.items.some((one) => one.type === id);
  const live =
    type === null || isProposed(type)
      ? null
      : (view.model.types.find(({ id }) => id === type) ?? null);
  const select = (id: string | null): void => {
    const found = plan.items.find((one) => one.type === id);
    if (found) setItem(found.id);
    choose(found ? null : id);
    if (id !== null) onPanel(true);
  };
  const refuse = async (): Promise<void> => {
    setRefused(null);
    try {
      await client.ontology.refuse({ knowledgebase, promotion: promotion.id });
      choose(null);
    } catch (thrown) {
      setRefused(faultOf(thrown));
    }
    await renewModel();
  };
  return (
    <div className="split model-split">
      <ModelGraph
        data={data}
        aspect={ASPECT.besidePanel}
        selected={type ?? currentType}
        onSelect={select}
        onOpen={openPanel}
      >
        <VersionCard
          knowledgebase={knowledgebase}
          model={plan.model}
          plan={promotion}
          next={plan.next}
        />
        <p className="model-card model-legend">
          <span>
            <span className="model-sign" data-mark="new">
              +
            </span>{' '}
            new
          </span>
          <span>~ changed</span>
          {promotion.base === null ? null : <span>unmarked: as in v{promotion.base}</span>}
        </p>
      </ModelGraph>
      {live && isPanelOpen ? (
        <TypePanel
          key={live.id}
          knowledgebase={knowledgebase}
          model={view.model}
          type={live}
          onType={select}
          onClose={() => choose(null)}
        >
          <div className="plan-head">
            <span className="small ink-2">As in v{view.current}; the plan leaves it so</span>
            <button type="button" className="model-link" onClick={() => choose(null)}>
              Back to the plan
            </button>
          </div>
        </TypePanel>
      ) : isPanelOpen ? (
        <PlanPanel
          knowledgebase={knowledgebase}
          plan={plan}
          acts={acts}
          fault={fault ?? refused}
          isOff={isAway || isBusy || props.isBusy}
          current={current}
          onCurrent={(next) => {
            setItem(next);
            if (type !== null) choose(null);
          }}
          onApply={(why) => {
            void applyPlan(knowledgebase, promotion.id, why).then((isApplied) => {
              if (isApplied) choose(null);
            });
          }}
          onRefuse={() => void refuse()}
          onPromote={() => props.onPromote(promotion.stream)}
          onClose={() => onPanel(false)}
        />
      ) : (
        <Button className="model-plan-button" variant="default" onClick={() => onPanel(true)}>
          Review the plan
        </Button>
      )}
    </div>
  );
};

/** Rows of the plan's types: of the snapshot where the plan measured them, else as they are now. */
const countsOf = (
  { types }: Model,
  counts: Readonly<Record<string, number | null>> | undefined,
): Record<string, number | null> =>
  Object.fromEntries(types.map(({ id, rows }) => [id, counts?.[id] ?? rows]));
