// Owns keyboard shortcuts: what they are, and listening for them. Single letters act only outside fields.

import { useEffect, useRef } from 'react';

/** A shortcut: `mod+k`, `g s` (one after the other), `?`. `mod` is Cmd on macOS, Ctrl elsewhere. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const isMac = navigator.platform.startsWith('Mac');

/** How a shortcut is shown: Ctrl K, ⌘ K, G S. */
export const shownKeys = (keys: string): string =>
  keys
    .split(/[+ ]/)
    .map((key) =>
      key === 'mod' ? (isMac ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key,
    )
    .join(' ');

/** All shortcuts of the window, for the list under `?`. */
export const LIST: readonly (readonly [string, string])[] = [
  ['mod+k', 'Search or run a command'],
  ['g s', 'Streams'],
  ['g r', 'Rejects'],
  ['g m', 'Model'],
  ['g q', 'Query'],
  ['g a', 'Activity'],
  ['mod+,', 'Settings'],
  ['/', 'Filter, find in rows, find in bodies'],
  ['n', 'New stream'],
  ['c', 'Copy the command on an empty screen'],
  ['↑ ↓', 'Move; J and K too'],
  ['Enter', 'Open'],
  ['mod+Home', 'First row'],
  ['mod+End', 'Last row'],
  ['mod+c', 'Copy the cell'],
  ['mod+shift+c', 'Copy the row as JSON'],
  ['p', 'Where the row came from'],
  ['mod+Enter', 'Run the query, or what is selected of it; replay rejects'],
  ['mod+.', 'Cancel the query, or the compaction'],
  ['mod+shift+f', 'Format the query'],
  ['mod+shift+Enter', 'Check a fix again'],
  ['F8', 'Next fault; with Shift the one before'],
  ['1 … 9', 'Choose a fix'],
  ['e', 'Edit the body of a reject'],
  ['m a r x', 'Merge, accept, rename, refuse a proposal'],
  ['mod+z', 'Undo'],
  ['Esc', 'Close, then step back'],
  ['?', 'This list'],
];

/** Letters that lead another one: what follows is theirs, and no shortcut of its own. */
const LEADS = new Set(LIST.flatMap(([keys]) => (/^\w \w$/.test(keys) ? [keys[0]] : [])));

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

const nameOf = (event: KeyboardEvent): string => {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return `${mod ? 'mod+' : ''}${mod && event.shiftKey ? 'shift+' : ''}${event.altKey ? 'alt+' : ''}${key}`;
};

/** Whether a dialog stood over the window when the key went down: it may be gone by the time others hear of the key. */
let hadDialog = false;
if (typeof window !== 'undefined') {
  window.addEventListener(
    'keydown',
    () => {
      hadDialog = document.querySelector('[role="dialog"]') !== null;
    },
    { capture: true },
  );
}

/** Listens for shortcuts while the component is shown. Those without `mod` do nothing inside a field or dialog. */
export const useShortcuts = (shortcuts: Shortcuts): void => {
  const now = useRef(shortcuts);
  now.current = shortcuts;
  useEffect(() => {
    let before = '';
    let forget: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent): void => {
      const name = nameOf(event);
      const held = name.startsWith('mod+');
      if (event.defaultPrevented) return;
      if (!held && (isField(event.target) || hadDialog)) return;
      const both = now.current[`${before} ${name}`.trim()];
      const act = LEADS.has(before) && !held ? both : (both ?? now.current[name]);
      clearTimeout(forget);
      before = name.length === 1 && !act ? name : '';
      forget = setTimeout(() => {
        before = '';
      }, 1_000);
      if (!act) return;
      event.preventDefault();
      act(event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
};
