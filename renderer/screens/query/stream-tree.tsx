// Owns the tree of streams and their columns beside the editor. A click puts the name into the SQL.
// Never runs anything.

import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { api } from '../../api.ts';
import { viewOf } from '../../app/words.ts';
import { count, shortCount } from '../../ui/format.ts';
import { sqlName } from './sql-words.ts';
import { type TreeLine, useTreeKeys } from './tree-keys.ts';

/** Columns that every stream has besides the producer's, with their types. */
export const OWN_COLUMNS: readonly (readonly [string, string])[] = [
  ['_batch_id', 'text'],
  ['_line', 'bigint'],
  ['filename', 'text'],
];

/** The most streams that stand in the tree; the filter finds the others. */
const MOST_STREAMS = 60;

interface StreamTreeProps {
  readonly knowledgebase: string;
  readonly streams: readonly StreamSummary[];
  /** Finds streams and columns by a part of their name. */
  readonly filter: string;
  readonly onStream: (view: string) => void;
  readonly onColumn: (name: string) => void;
}

interface Line extends TreeLine {
  readonly name: string;
  readonly aside: string;
  readonly title: string;
  readonly onEnter: () => void;
}

/** The tree. */
export const StreamTree = (props: StreamTreeProps) => {
  const { knowledgebase, streams, filter, onStream, onColumn } = props;
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [isWhole, setWhole] = useState(false);
  const id = useId();
  const needle = filter.trim().toLowerCase();
  const isWanted = (stream: string): boolean => toggled.has(stream) || needle !== '';
  const wanted = streams.filter(({ stream }) => isWanted(stream)).slice(0, 200);
  const columns = useQueries({
    queries: wanted.map(({ stream }) =>
      api.streams.columns.queryOptions({ input: { knowledgebase, stream }, staleTime: 15_000 }),
    ),
    combine: (results) =>
      new Map(wanted.map(({ stream }, at) => [stream, results[at]?.data] as const)),
  });
  const all = useMemo(() => {
    const lines: Line[] = [];
    for (const { stream, rows } of streams) {
      const landed = columns.get(stream)?.map(({ landed: name }) => [name, 'text'] as const);
      const own = landed ? [...landed, ...OWN_COLUMNS] : [];
      const isHit = stream.toLowerCase().includes(needle);
      const found = isHit ? own : own.filter(([name]) => name.toLowerCase().includes(needle));
      if (needle !== '' && !isHit && found.length === 0) continue;
      const isOpen = needle === '' ? toggled.has(stream) : !isHit !== toggled.has(stream);
      const enter = (): void => onStream(viewOf(stream));
      const title = `Insert ${viewOf(stream)}`;
      const more = { aside: shortCount(rows), title, onEnter: enter };
      lines.push({ key: stream, level: 1, isOpen, name: stream, ...more });
      if (!isOpen) continue;
      for (const [name, type] of found) {
        const key = `${stream}/${name}`;
        const onEnter = (): void => onColumn(sqlName(name));
        lines.push({ key, level: 2, name, aside: type, title: `Insert ${sqlName(name)}`, onEnter });
      }
    }
    return lines;
  }, [streams, columns, needle, toggled, onStream, onColumn]);
  const heads = all.filter(({ level }) => level === 1);
  const limit = isWhole ? undefined : heads[MOST_STREAMS]?.key;
  const lines =
    limit === undefined
      ? all
      : all.slice(
          0,
          all.findIndex(({ key }) => key === limit),
        );
  const toggle = (stream: string): void =>
    setToggled((before) => {
      const next = new Set(before);
      if (!next.delete(stream)) next.add(stream);
      return next;
    });
  const { active, setActive, onKeyDown } = useTreeKeys(lines, {
    onToggle: toggle,
    onEnter: (key) => lines.find((line) => line.key === key)?.onEnter(),
  });
  if (lines.length === 0) {
    return <p className="tree-none">{needle === '' ? 'No stream yet.' : 'No name has this.'}</p>;
  }
  return (
    <>
      <div
        className="tree"
        role="tree"
        aria-label="Streams and their columns"
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
              <Chevron isOpen={line.isOpen} onToggle={() => toggle(line.key)} />
            )}
            <span className={line.level === 1 ? 'grow cut' : 'grow cut ink-2'}>{line.name}</span>
            <span className="ink-3">{line.aside}</span>
          </div>
        ))}
      </div>
      {limit === undefined ? null : (
        <button type="button" className="tree-more" onClick={() => setWhole(true)}>
          {count(heads.length - MOST_STREAMS)} more
        </button>
      )}
    </>
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
