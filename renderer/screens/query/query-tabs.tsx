// Owns the tabs of open queries in the head: one tab stop, arrows between them, Delete closes. Never holds their text.

import { IconPlus, IconX } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { isChanged, type OpenQueries, titleOf } from './open-queries.ts';

/** The tabs, and opening another. */
export const QueryTabs = ({
  open,
  onChoose,
  onClose,
  onNew,
}: {
  open: OpenQueries;
  onChoose: (key: string) => void;
  onClose: (key: string) => void;
  onNew: () => void;
}) => {
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const names = [...event.currentTarget.querySelectorAll<HTMLElement>('.query-tab-name')];
    const at = names.indexOf(event.target as HTMLElement);
    const tab = open.list[at];
    if (!tab) return;
    if (event.key === 'Delete') onClose(tab.key);
    else if (step !== 0) names[at + step]?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <nav className="query-tabs" aria-label="Open queries">
      <ul onKeyDown={onKeyDown}>
        {open.list.map((tab) => (
          <li
            key={tab.key}
            className="query-tab"
            data-current={tab.key === open.current || undefined}
          >
            <button
              type="button"
              className="query-tab-name"
              aria-current={tab.key === open.current ? 'true' : undefined}
              aria-keyshortcuts="Delete"
              tabIndex={tab.key === open.current ? 0 : -1}
              onClick={() => onChoose(tab.key)}
              onAuxClick={(event) => {
                if (event.button === 1) onClose(tab.key);
              }}
            >
              <span className="cut">{titleOf(tab)}</span>
              {isChanged(tab) ? (
                <span role="img" aria-label="changed" title="Changed since it was saved">
                  ●
                </span>
              ) : null}
            </button>
            <button
              type="button"
              className="icon-button query-tab-close"
              aria-label={`Close ${titleOf(tab)}`}
              tabIndex={-1}
              onClick={() => onClose(tab.key)}
            >
              <IconX size={14} stroke={1.6} />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="icon-button" aria-label="New query" onClick={onNew}>
        <IconPlus size={16} stroke={1.6} />
      </button>
    </nav>
  );
};
