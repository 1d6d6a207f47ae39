// Owns the tabs of an inbox, with their counts: one tab stop, arrows inside it. Never shows a tab's content.

import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { api } from '../api.ts';
import { count } from '../ui/format.ts';
import { filterOf, type InboxState, type InboxTab } from './inbox-state.ts';

const TABS: readonly (readonly [InboxTab, string])[] = [
  ['open', 'Open'],
  ['replayed', 'Replayed'],
  ['discarded', 'Discarded'],
  ['recipes', 'Recipes'],
];

/** The tabs. */
export const InboxTabs = ({
  knowledgebase,
  state,
  tab,
  onTab,
}: {
  knowledgebase: string;
  state: InboxState;
  tab: InboxTab;
  onTab: (tab: InboxTab) => void;
}) => {
  const { data: groups } = useQuery(
    api.rejects.groups.queryOptions({
      input: { knowledgebase, ...filterOf(state), state: tab === 'recipes' ? 'open' : tab },
    }),
  );
  const { data: recipes } = useQuery(
    api.rejects.recipes.list.queryOptions({
      input: { knowledgebase, ...(state.stream === null ? {} : { stream: state.stream }) },
    }),
  );
  const counts = groups && { ...groups.totals, recipes: recipes?.length ?? 0 };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const at = TABS.findIndex(([name]) => name === tab);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = TABS[(at + (step ?? 0) + TABS.length) % TABS.length];
    if (step === undefined || !next) return;
    event.preventDefault();
    onTab(next[0]);
    document.getElementById(`rejects-tab-${next[0]}`)?.focus();
  };
  return (
    <div className="rejects-tabs" role="tablist" aria-label="Rejects" onKeyDown={onKeyDown}>
      {TABS.map(([name, word]) => (
        <button
          key={name}
          type="button"
          id={`rejects-tab-${name}`}
          role="tab"
          aria-selected={name === tab}
          aria-controls="rejects-content"
          tabIndex={name === tab ? 0 : -1}
          onClick={() => onTab(name)}
        >
          {word}
          {counts && counts[name] > 0 ? (
            <span className={name === 'open' ? 'bad-text' : undefined}>{count(counts[name])}</span>
          ) : null}
        </button>
      ))}
    </div>
  );
};
