// Owns the tabs of the model: one tab stop, arrows inside it, the chosen one in the address. Never shows a tab's content.

import type { KeyboardEvent } from 'react';
import { addressOf, go, type ModelTab } from '../../app/router.ts';
import { count } from '../../ui/format.ts';

/** The tabs; numbers stand beside those that count something. */
export const ModelTabs = ({
  tab,
  types,
  versions,
}: {
  tab: ModelTab;
  types: number;
  versions: number;
}) => {
  const tabs: readonly (readonly [ModelTab, string, number])[] = [
    ['graph', 'Graph', 0],
    ['types', 'Types', types],
    ['versions', 'Versions', versions],
  ];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = tabs.findIndex(([name]) => name === tab);
    const next = tabs[(at + (step ?? 0) + tabs.length) % tabs.length];
    if (step === undefined || !next) return;
    event.preventDefault();
    go({ screen: 'model', tab: next[0], type: null });
    document.getElementById(`tab-${next[0]}`)?.focus();
  };
  return (
    <div className="model-tabs" role="tablist" aria-label="Of the model" onKeyDown={onKeyDown}>
      {tabs.map(([name, word, number]) => (
        <a
          key={name}
          id={`tab-${name}`}
          role="tab"
          aria-selected={name === tab}
          aria-controls="tab-content"
          tabIndex={name === tab ? 0 : -1}
          href={addressOf({ screen: 'model', tab: name, type: null })}
        >
          {word}
          {number > 0 ? <span className="small ink-3">{count(number)}</span> : null}
        </a>
      ))}
    </div>
  );
};
