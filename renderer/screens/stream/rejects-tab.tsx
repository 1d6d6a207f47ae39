// Owns the Rejects tab of a stream: the inbox, narrowed to it. Never shows another stream's.

import { useState } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { move } from '../../app/router.ts';
import { InboxMenus } from '../../rejects/inbox-menus.tsx';
import { type InboxTab, untilNow, useInboxState } from '../../rejects/inbox-state.ts';
import { InboxTabs } from '../../rejects/inbox-tabs.tsx';
import { RecipeList } from '../../rejects/recipe-list.tsx';
import { Workbench } from '../../rejects/workbench.tsx';

interface RejectsTabProps {
  readonly knowledgebase: string;
  readonly summary: StreamSummary;
  /** The id of a reject to show. */
  readonly at: string | null;
}

/** The tab. */
export const RejectsTab = ({ knowledgebase, summary: { stream }, at }: RejectsTabProps) => {
  const { state, change } = useInboxState(knowledgebase, stream);
  const [tab, setTab] = useState<InboxTab>('open');
  const place = {
    ...{ knowledgebase, stream, state, change, at: at === null ? null : `${stream}/${at}` },
    tab: tab === 'recipes' ? ('open' as const) : tab,
  };
  return (
    <>
      <div className="toolbar">
        <InboxTabs
          knowledgebase={knowledgebase}
          state={state}
          tab={tab}
          onTab={(next) => {
            change({ until: untilNow(), open: undefined, isWhole: false, selected: new Set() });
            setTab(next);
            if (at !== null) move({ screen: 'stream', stream, tab: 'rejects', at: null });
          }}
        />
        <span className="grow" />
        <InboxMenus {...place} />
      </div>
      <div
        id="rejects-content"
        role="tabpanel"
        aria-labelledby={`rejects-tab-${tab}`}
        className="rejects-work"
      >
        {tab === 'recipes' ? (
          <RecipeList knowledgebase={knowledgebase} stream={stream} />
        ) : (
          <Workbench
            key={tab}
            {...place}
            onAt={(key) =>
              move({
                ...{ screen: 'stream', stream, tab: 'rejects' },
                at: key === null ? null : key.slice(key.indexOf('/') + 1),
              })
            }
          />
        )}
      </div>
    </>
  );
};
