// Owns the Model screen: its head, its tabs, which plan is reviewed, and what it says where there is no model.
// Never promotes by itself: a person asks.

import { Button, Select } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ModelView, PromotionSummary } from '../../../core/model.ts';
import { faultOf } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { go, type ModelTab } from '../../app/router.ts';
import { Loading, Strip } from '../../ui/parts.tsx';
import { ModelDownload } from './download.tsx';
import { LiveGraph, PlanGraph } from './graph-view.tsx';
import { JobStrip } from './job-strip.tsx';
import './model.css';
import { promote, useModelJob } from './model-jobs.ts';
import { ModelTabs } from './model-tabs.tsx';
import { NoModel, NoStore } from './no-model.tsx';
import './plan.css';
import './plan-effect.css';
import { PromoteDialog } from './promote-dialog.tsx';
import { TypeList } from './type-list.tsx';
import { TypePanel } from './type-panel.tsx';
import { useCounts, useModel } from './use-model.ts';
import './versions.css';
import { VersionsTab } from './versions-tab.tsx';

interface ModelScreenProps {
  readonly knowledgebase: string;
  readonly tab: ModelTab;
  /** The id of the type that is shown. */
  readonly type: string | null;
}

/** The screen. */
export const ModelScreen = ({ knowledgebase, tab, type }: ModelScreenProps) => {
  const { data: view, error } = useModel(knowledgebase);
  const isAway = useEngine().state !== 'ready';
  const { job, isAsked } = useModelJob(knowledgebase);
  const [asked, setAsked] = useState<{ stream: string | null } | null>(null);
  const [chosenPlan, setChosenPlan] = useState<string | null>(null);
  const [isPanelOpen, setPanelOpen] = useState(true);
  const [fault, setFault] = useState<{ message: string; hint: string } | null>(null);
  const isBusy = isAsked || job !== null;
  useEffect(() => {
    const ask = (event: Event): void =>
      setAsked({ stream: (event as CustomEvent<string | undefined>).detail ?? null });
    window.addEventListener('strata:promote', ask);
    return () => window.removeEventListener('strata:promote', ask);
  }, []);
  const start = async (stream: string): Promise<void> => {
    setAsked(null);
    const made = await promote(knowledgebase, stream);
    if (made === null) return;
    setChosenPlan(made);
    setPanelOpen(true);
    go({ screen: 'model', tab: 'graph', type: null });
  };
  const plans = view?.plans ?? [];
  const plan = plans.find(({ id }) => id === chosenPlan) ?? plans[0] ?? null;
  const isOff = isAway || isBusy;
  const ask = (): void => setAsked({ stream: null });
  return (
    <>
      <header className="head model-head">
        <h1 className="head-title">Model</h1>
        <span className="small ink-2 cut model-state">{view ? stateWords(view) : ''}</span>
        <ModelTabs tab={tab} types={view?.model.types.length ?? 0} versions={view?.current ?? 0} />
        <span className="grow" />
        {plans.length > 1 && plan ? (
          <PlanChoice plans={plans} plan={plan} onChoose={setChosenPlan} />
        ) : null}
        <Button variant="default" disabled={isOff} onClick={ask}>
          Promote a stream…
        </Button>
        <ModelDownload
          knowledgebase={knowledgebase}
          isOff={isAway || view?.current == null}
          onFault={setFault}
        />
      </header>
      <JobStrip knowledgebase={knowledgebase} />
      {fault ? (
        <Strip
          tone="bad"
          what={fault.message}
          actions={
            <Button variant="default" onClick={() => setFault(null)}>
              Close
            </Button>
          }
        >
          {fault.hint}
        </Strip>
      ) : null}
      <div id="tab-content" role="tabpanel" aria-labelledby={`tab-${tab}`} className="model-work">
        {view ? (
          <Content
            {...{ knowledgebase, view, tab, type, plan, isPanelOpen, isOff, isBusy }}
            onPanel={setPanelOpen}
            onAsk={ask}
            onPromote={(stream) => void start(stream)}
          />
        ) : error ? (
          <Strip tone="bad" what={faultOf(error).message}>
            Raw streams can be queried as ever. {faultOf(error).hint}
          </Strip>
        ) : (
          <Loading>Reading the model</Loading>
        )}
      </div>
      <PromoteDialog
        knowledgebase={knowledgebase}
        isOpen={asked !== null}
        stream={asked?.stream ?? null}
        isOff={isOff}
        onClose={() => setAsked(null)}
        onPromote={(stream) => void start(stream)}
      />
    </>
  );
};

const stateWords = ({ store, current, plans }: ModelView): string => {
  const plan =
    plans.length === 0
      ? ''
      : plans.length === 1
        ? 'a plan is open'
        : `${plans.length} plans are open`;
  if (store.kind === 'none') return 'no model store';
  if (current === null) return plan === '' ? 'nothing promoted yet' : plan;
  return plan === '' ? `v${current} is live` : `v${current} is live, ${plan}`;
};

const PlanChoice = ({
  plans,
  plan,
  onChoose,
}: {
  plans: readonly PromotionSummary[];
  plan: PromotionSummary;
  onChoose: (id: string) => void;
}) => (
  <Select
    aria-label="Plan"
    w={150}
    value={plan.id}
    allowDeselect={false}
    onChange={(next) => next !== null && onChoose(next)}
    data={plans.map(({ id, stream }) => ({ value: id, label: `plan for ${stream}` }))}
  />
);

interface ContentProps extends ModelScreenProps {
  readonly view: ModelView;
  readonly plan: PromotionSummary | null;
  readonly isPanelOpen: boolean;
  readonly isOff: boolean;
  readonly isBusy: boolean;
  readonly onPanel: (isOpen: boolean) => void;
  readonly onAsk: () => void;
  readonly onPromote: (stream: string) => void;
}

const Content = (props: ContentProps) => {
  const { knowledgebase, view, tab, plan, isOff, onAsk } = props;
  if (view.store.kind === 'none') return <NoStore isOff={isOff} onPromote={onAsk} />;
  if (tab === 'graph' && plan) return <PlanGraph key={plan.id} {...props} promotion={plan} />;
  if (view.current === null) {
    return <NoModel knowledgebase={knowledgebase} isOff={isOff} onPromote={onAsk} />;
  }
  if (tab === 'graph') return <LiveGraph {...props} />;
  if (tab === 'types') return <TypesTab {...props} />;
  return <VersionsTab knowledgebase={knowledgebase} />;
};

const TypesTab = ({ knowledgebase, view, type }: ContentProps) => {
  const counts = useCounts(knowledgebase, true);
  const shown = view.model.types.find(({ id }) => id === type) ?? null;
  const choose = (id: string | null): void => go({ screen: 'model', tab: 'types', type: id });
  return (
    <div className="split model-split">
      <TypeList model={view.model} counts={counts} selected={type} onSelect={choose} />
      {shown ? (
        <TypePanel
          key={shown.id}
          knowledgebase={knowledgebase}
          model={view.model}
          type={shown}
          onType={choose}
          onClose={() => choose(null)}
        />
      ) : null}
    </div>
  );
};
