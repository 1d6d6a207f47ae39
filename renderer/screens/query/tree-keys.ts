// Owns moving in a tree by keys: one tab stop, arrows inside. Never knows what the lines are.

import { type KeyboardEvent, useState } from 'react';

/** A line of a tree as keys need it. */
export interface TreeLine {
  readonly key: string;
  readonly level: 1 | 2;
  /** Undefined where there is nothing to open. */
  readonly isOpen?: boolean | undefined;
}

interface TreeActions {
  readonly onToggle: (key: string) => void;
  readonly onEnter: (key: string) => void;
}

/** The line that keys act on, and what the tree's element listens with. */
export const useTreeKeys = (lines: readonly TreeLine[], { onToggle, onEnter }: TreeActions) => {
  const [wanted, setWanted] = useState<string | null>(null);
  const at = Math.max(
    0,
    lines.findIndex(({ key }) => key === wanted),
  );
  const active = lines[at]?.key ?? null;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const line = lines[at];
    if (!line || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = (next: number): void =>
      setWanted(lines[Math.max(0, Math.min(lines.length - 1, next))]?.key ?? null);
    if (event.key === 'ArrowDown' || event.key === 'j') to(at + 1);
    else if (event.key === 'ArrowUp' || event.key === 'k') to(at - 1);
    else if (event.key === 'Home') to(0);
    else if (event.key === 'End') to(lines.length - 1);
    else if (event.key === 'ArrowRight') {
      if (line.isOpen === false) onToggle(line.key);
      else if (line.isOpen) to(at + 1);
    } else if (event.key === 'ArrowLeft') {
      if (line.isOpen) onToggle(line.key);
      else if (line.level === 2) {
        to(lines.findLastIndex((one, index) => index < at && one.level === 1));
      }
    } else if (event.key === 'Enter') onEnter(line.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { active, setActive: setWanted, onKeyDown };
};
