// Owns a panel at the right: it scrolls, and is as wide as a person made it. Knows nothing of what it explains.

import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { Edge, useKeptSize } from './edge.tsx';
import './panel.css';

const LEAST = 300;
const MOST = 640;

interface PanelProps {
  readonly label: string;
  readonly className: string;
  /** Panels of one name share their width. */
  readonly name: string;
  /** Its width until it is changed, in px. */
  readonly first: number;
  readonly ref?: Ref<HTMLElement>;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}

/** The panel; it can be given the focus, and is no stop for Tab. */
export const Panel = (props: PanelProps) => {
  const { label, className, name, first, ref, onKeyDown, children } = props;
  const width = useKeptSize({ place: `panel-width:${name}`, least: LEAST, most: MOST, first });
  return (
    <aside
      ref={ref}
      className={`panel-frame ${className}`}
      aria-label={label}
      tabIndex={-1}
      style={{ width: width.size }}
      onKeyDown={onKeyDown}
    >
      <Edge axis="width" label="Width of the panel" {...width} />
      <div className="panel-scroll">{children}</div>
    </aside>
  );
};
