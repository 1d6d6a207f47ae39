// Owns the screen of all rejects: its head with tabs and filters, and which tab is shown. Never shows one stream's alone.

import { move, type RejectsTab } from '../../app/router.ts';
import { InboxMenus } from '../../rejects/inbox-menus.tsx';
import { untilNow, useInboxState } from '../../rejects/inbox-state.ts';
import { InboxTabs } from '../../rejects/inbox-tabs.tsx';
import { RecipeList } from '../../rejects/recipe-list.tsx';
import { Workbench } from '../../rejects/workbench.tsx';

interface RejectsScreenProps {
  readonly knowledgebase: string;
  readonly tab: RejectsTab;
  /** A reject, as `stream/id`. */
  readonly at: string | null;
}

/** The screen. */
export const RejectsScreen = ({ knowledgebase, tab, at }: RejectsScreenProps) => {
  const { state, change } = useInboxState(knowledgebase, null);
  const place = {
    ...{ knowledgebase, stream: null, at, state, change },
    tab: tab === 'recipes' ? ('open' as const) : tab,
  };
  return (
    <>
      <header className="head rejects-head">
        <h1 className="head-title">Rejects</h1>
        <InboxTabs
          knowledgebase={knowledgebase}
          state={state}
          tab={tab}
          onTab={(next) => {
            change({ until: untilNow(), open: undefined, isWhole: false, selected: new Set() });
            move({ screen: 'rejects', tab: next, at: null });
          }}
        />
        <span className="grow" />
        <InboxMenus {...place} />
      </header>
      <div
        id="rejects-content"
        role="tabpanel"
        aria-labelledby={`rejects-tab-${tab}`}
        className="rejects-work"
      >
        {tab === 'recipes' ? (
          <RecipeList knowledgebase={knowledgebase} stream={state.stream} />
        ) : (
          <Workbench
            key={tab}
            {...place}
            onAt={(next) => move({ screen: 'rejects', tab, at: next })}
          />
        )}
      </div>
    </>
  );
};
