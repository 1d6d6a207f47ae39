// Owns the tree of streams and their columns beside the editor. A click puts the name into the SQL.
// Never runs anything.

import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { api } from '../../api.ts';
import { viewOf } from '../../app/words.ts';
import { count, shortCount } from '../../ui/format.ts';
import { type NameLine, NameTree } from './name-tree.tsx';
import { sqlName } from './sql-words.ts';

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

/** The tree. */
export const StreamTree = (props: StreamTreeProps) => {
  const { knowledgebase, streams, filter, onStream, onColumn } = props;
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [isWhole, setWhole] = useState(false);
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
    const lines: NameLine[] = [];
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
  if (lines.length === 0) {
    return <p className="tree-none">{needle === '' ? 'No stream yet.' : 'No name has this.'}</p>;
  }
  return (
    <>
      <NameTree label="Streams and their columns" lines={lines} onToggle={toggle} />
      {limit === undefined ? null : (
        <button type="button" className="tree-more" onClick={() => setWhole(true)}>
          {count(heads.length - MOST_STREAMS)} more
        </button>
      )}
    </>
  );
};
