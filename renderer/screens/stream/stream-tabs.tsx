// Owns the tabs of a stream: one tab stop, arrows inside it, the chosen one in the address. Never shows a tab's content.

import type { KeyboardEvent } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { addressOf, go, type StreamTab } from '../../app/router.ts';
import { count } from '../../ui/format.ts';

const TABS: readonly (readonly [StreamTab, string])[] = [
  ['rows', 'Rows'],
  ['batches', 'Batches'],
  ['schema', 'Schema'],
  ['rejects', 'Rejects'],
  ['files', 'Files'],
  ['settings', 'Settings'],
];

/** The tabs. */
export const StreamTabs = ({
  stream,
  tab,
  summary,
}: {
  stream: string;
  tab: StreamTab;
  /** Undefined while it is not known. */
  summary: StreamSummary | undefined;
}) => {
  const counts: Partial<Record<StreamTab, number>> = {
    rejects: summary?.openRejects ?? 0,
    files: summary?.files ?? 0,
  };
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
          {(counts[name] ?? 0) > 0 ? (
            <span className="stream-tab-count">{count(counts[name] ?? 0)}</span>
          ) : null}
        </a>
      ))}
    </div>
  );
};
