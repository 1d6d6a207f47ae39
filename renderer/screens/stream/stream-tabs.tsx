// Owns the tabs of a stream: one tab stop, arrows inside it, the chosen one in the address. Never shows a tab's content.

import type { KeyboardEvent } from 'react';
import { addressOf, go, type StreamTab } from '../../app/router.ts';
import { count } from '../../ui/format.ts';

const TABS: readonly (readonly [StreamTab, string])[] = [
  ['rows', 'Rows'],
  ['batches', 'Batches'],
  ['schema', 'Schema'],
  ['files', 'Files'],
  ['settings', 'Settings'],
];

/** The tabs. */
export const StreamTabs = ({
  stream,
  tab,
  files,
}: {
  stream: string;
  tab: StreamTab;
  files: number;
}) => {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const at = TABS.findIndex(([name]) => name === tab);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = TABS[(at + (step ?? 0) + TABS.length) % TABS.length];
    if (step === undefined || !next) return;
    event.preventDefault();
    go({ screen: 'stream', stream, tab: next[0], at: null });
    document.getElementById(`tab-${next[0]}`)?.focus();
  };
  return (
    <div className="stream-tabs" role="tablist" aria-label={`Of ${stream}`} onKeyDown={onKeyDown}>
      {TABS.map(([name, word]) => (
        <a
          key={name}
          id={`tab-${name}`}
          role="tab"
          aria-selected={name === tab}
          aria-controls="tab-content"
          tabIndex={name === tab ? 0 : -1}
          href={addressOf({ screen: 'stream', stream, tab: name, at: null })}
        >
          {word}
          {name === 'files' && files > 0 ? (
            <span className="stream-tab-count">{count(files)}</span>
          ) : null}
        </a>
      ))}
    </div>
  );
};
