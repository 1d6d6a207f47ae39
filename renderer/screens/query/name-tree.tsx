// Owns how a tree of names looks and is moved in: one tab stop, arrows inside, a chevron where there is more.
// Never knows what the names are of.

import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { type TreeLine, useTreeKeys } from './tree-keys.ts';

/** A name, what stands at its right, and what a click on it does. */
export interface NameLine extends TreeLine {
  readonly name: string;
  readonly aside: string;
  readonly title: string;
  readonly onEnter: () => void;
}

/** The tree. */
export const NameTree = ({
  label,
  lines,
  onToggle,
}: {
  label: string;
  lines: readonly NameLine[];
  onToggle: (key: string) => void;
}) => {
  const id = useId();
  const { active, setActive, onKeyDown } = useTreeKeys(lines, {
    onToggle,
    onEnter: (key) => lines.find((line) => line.key === key)?.onEnter(),
  });
  return (
    <div
      className="tree"
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active === null ? undefined : `${id}-${active}`}
      onKeyDown={onKeyDown}
    >
      {lines.map((line) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens to keys.
        <div
          key={line.key}
          id={`${id}-${line.key}`}
          role="treeitem"
          className="tree-line"
          aria-level={line.level}
          aria-expanded={line.isOpen}
          aria-selected={line.key === active}
          data-active={line.key === active || undefined}
          title={line.title}
          onClick={() => {
            setActive(line.key);
            line.onEnter();
          }}
        >
          {line.isOpen === undefined ? null : (
            <Chevron isOpen={line.isOpen} onToggle={() => onToggle(line.key)} />
          )}
          <span className={line.level === 1 ? 'grow cut' : 'grow cut ink-2'}>{line.name}</span>
          <span className="ink-3">{line.aside}</span>
        </div>
      ))}
    </div>
  );
};

const Chevron = ({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the arrows of the tree do it.
  // biome-ignore lint/a11y/noStaticElementInteractions: as above.
  <span
    className="tree-chevron"
    title={isOpen ? 'Hide the columns' : 'Show the columns'}
    onClick={(event) => {
      event.stopPropagation();
      onToggle();
    }}
  >
    {isOpen ? (
      <IconChevronDown size={14} stroke={1.6} />
    ) : (
      <IconChevronRight size={14} stroke={1.6} />
    )}
  </span>
);
