// Owns the graph of object types: one tab stop, arrows from node to node, links beneath, zooming.
// Never edits the model.

import { ActionIcon, Button } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef } from 'react';
import { Loading } from '../../ui/parts.tsx';
import { NAMES_ALONE, panned, placed, revealing, ZOOM_STEP, zoomed } from './camera.ts';
import './graph.css';
import type { GraphData, GraphNode } from './graph-data.ts';
import { NODE_WIDTH, namePieces, nodeWords } from './graph-data.ts';
import { directionOf, nextNode } from './graph-keys.ts';
import { NodeFace } from './graph-node.tsx';
import type { Layout } from './layout.ts';
import { linkPath } from './link-path.ts';
import { useCamera } from './use-camera.ts';
import { useLayout } from './use-layout.ts';

/** What stands at the foot of the graph is kept free of nodes. */
const FOOT_PX = 112;
const PAN_PX = 80;

interface GraphProps {
  readonly data: GraphData;
  /** Width over height of the room that it is laid out for. */
  readonly aspect: number;
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Enter or a double click on a node. */
  readonly onOpen: (id: string) => void;
  /** What stands over the foot. */
  readonly children?: ReactNode;
}

/** The graph. It fills its parent. */
export const ModelGraph = ({ data, aspect, selected, onSelect, onOpen, children }: GraphProps) => {
  const frame = useRef<HTMLDivElement>(null);
  const { layout, isBroken } = useLayout(data, aspect);
  const { camera, view, move, refit } = useCamera(frame, layout, FOOT_PX);
  const id = useId();
  const middle = { x: view.width / 2, y: view.height / 2 };
  const zoom = (factor: number): void => move((before) => zoomed(before, factor, middle));

  // What was chosen elsewhere, or by keys, is brought into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the selection alone; a person may move away.
  useEffect(() => {
    const node = data.nodes.find((one) => one.id === selected);
    if (!node || !layout?.at[node.id] || view.width === 0) return;
    const there = placed(node, layout.at[node.id]);
    const next = revealing(camera, there, view);
    if (next !== camera) move(() => next);
  }, [selected]);

  const nameSize = farName(data.nodes, camera.scale);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || !layout) return;
    const direction = directionOf(event.key);
    const isHeld = event.ctrlKey || event.metaKey;
    const open = (): void => {
      if (selected !== null) onOpen(selected);
    };
    const first = (): void => onSelect(data.nodes[0]?.id ?? null);
    const last = (): void => onSelect(data.nodes.at(-1)?.id ?? null);
    const acts: Readonly<Record<string, () => void>> = {
      '+': () => zoom(ZOOM_STEP),
      '=': () => zoom(ZOOM_STEP),
      '-': () => zoom(1 / ZOOM_STEP),
      '0': refit,
      Enter: open,
      Home: first,
      End: last,
    };
    const act = acts[event.key];
    if (direction && event.shiftKey) {
      const [x, y] = {
        ...{ left: [PAN_PX, 0], right: [-PAN_PX, 0], up: [0, PAN_PX], down: [0, -PAN_PX] },
      }[direction] as [number, number];
      move((before) => panned(before, { x, y }));
    } else if (direction) {
      const next = nextNode(data.nodes, layout, selected ?? '', direction);
      if (next !== null) onSelect(next);
    } else if (act && !isHeld) act();
    else return;
    event.preventDefault();
  };

  return (
    <div className="model-graph-box">
      <div
        ref={frame}
        className="model-graph"
        role="listbox"
        aria-label="Graph of types"
        aria-activedescendant={
          layout && data.nodes.some((node) => node.id === selected)
            ? `${id}-${selected}`
            : undefined
        }
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {layout ? (
          <div
            className="model-plane"
            style={{
              transform: `translate(${camera.x}px, ${camera.y}px) scale(${camera.scale})`,
              // Far away a line is still a line.
              ['--model-line' as string]: `${Math.max(1, 0.8 / camera.scale)}px`,
            }}
          >
            <Links data={data} layout={layout} dot={Math.max(2.5, 1.6 / camera.scale)} />
            {data.nodes.map((node) => (
              <Node
                key={node.id}
                id={`${id}-${node.id}`}
                node={node}
                data={data}
                layout={layout}
                isSelected={node.id === selected}
                nameSize={nameSize}
                onSelect={onSelect}
                onOpen={onOpen}
              />
            ))}
          </div>
        ) : null}
      </div>
      {layout ? null : isBroken ? (
        <p className="model-graph-none">The graph could not be laid out here. Types lists them.</p>
      ) : (
        <Loading>Laying out the graph</Loading>
      )}
      <div className="model-zoom" role="toolbar" aria-label="Zoom">
        <ActionIcon
          variant="default"
          size={24}
          aria-label="Zoom out"
          title="Zoom out (-)"
          onClick={() => zoom(1 / ZOOM_STEP)}
        >
          <IconMinus size={14} stroke={1.6} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={24}
          aria-label="Zoom in"
          title="Zoom in (+)"
          onClick={() => zoom(ZOOM_STEP)}
        >
          <IconPlus size={14} stroke={1.6} />
        </ActionIcon>
        <Button variant="default" h={24} px={8} title="All of it in view (0)" onClick={refit}>
          Fit
        </Button>
      </div>
      <div className="model-graph-foot">{children}</div>
    </div>
  );
};

const Links = ({ data, layout, dot: radius }: { data: GraphData; layout: Layout; dot: number }) => {
  const nodes = useMemo(() => new Map(data.nodes.map((node) => [node.id, node])), [data.nodes]);
  const lines = data.links.flatMap((link) => {
    const from = nodes.get(link.from);
    const to = nodes.get(link.to);
    if (!from || !to || !layout.at[from.id] || !layout.at[to.id]) return [];
    const ends = [placed(from, layout.at[from.id]), placed(to, layout.at[to.id])] as const;
    return [{ link, ...linkPath(...ends, link.shift) }];
  });
  return (
    <svg className="model-links" width={layout.width} height={layout.height} aria-hidden="true">
      {lines.map(({ link, path, dot }) => (
        <g key={link.id} data-new={link.isNew || undefined}>
          <path d={path} vectorEffect="non-scaling-stroke" />
          <circle cx={dot.x} cy={dot.y} r={radius} />
        </g>
      ))}
    </svg>
  );
};

interface NodeProps {
  readonly id: string;
  readonly node: GraphNode;
  readonly data: GraphData;
  readonly layout: Layout;
  readonly isSelected: boolean;
  readonly nameSize: number | null;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (id: string) => void;
}

const Node = ({ id, node, data, layout, isSelected, nameSize, onSelect, onOpen }: NodeProps) => {
  const at = layout.at[node.id];
  if (!at) return null;
  const nameOf = (other: string): string =>
    data.nodes.find((one) => one.id === other)?.name ?? other;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the graph has the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the graph is the one tab stop.
    <div
      id={id}
      className="model-node"
      role="option"
      aria-selected={isSelected}
      data-mark={node.mark ?? undefined}
      style={{ left: at.x, top: at.y, width: node.width, height: node.height }}
      onClick={() => onSelect(node.id)}
      onDoubleClick={() => onOpen(node.id)}
    >
      <NodeFace node={node} nameSize={nameSize} />
      <span className="model-heard">{nodeWords(node, data, nameOf)}</span>
    </div>
  );
};

/** The size of names that stand alone, one for all, so that the longest part fits; null where attributes can be read. */
const farName = (nodes: readonly GraphNode[], scale: number): number | null => {
  if (scale >= NAMES_ALONE) return null;
  const longest = Math.max(
    5,
    ...nodes.flatMap(({ name }) => namePieces(name).map((one) => one.length)),
  );
  return Math.max(14, Math.min(12.5 / scale, 34, (NODE_WIDTH - 20) / (longest * 0.6)));
};
