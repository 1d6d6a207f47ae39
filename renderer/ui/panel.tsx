// Owns a panel at the right: it scrolls, and is as wide as a person made it. Knows nothing of what it explains.

import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { usePanelWidth, WidthEdge } from './width-edge.tsx';

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
  const [width, setWidth] = usePanelWidth(name, first);
  return (
    <aside
      ref={ref}
      className={`panel-frame ${className}`}
      aria-label={label}
      tabIndex={-1}
      style={{ width }}
      onKeyDown={onKeyDown}
    >
      <WidthEdge width={width} onWidth={setWidth} />
      <div className="panel-scroll">{children}</div>
    </aside>
  );
};
