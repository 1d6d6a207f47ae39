// Owns the column beside the editor: a filter over streams, columns, saved queries and the history.
// Never runs a query.

import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { useShortcuts } from '../../app/keys.ts';
import { Key, Loading } from '../../ui/parts.tsx';
import { KeptQueries } from './kept-queries.tsx';
import { ModelTree } from './model-tree.tsx';
import { StreamTree } from './stream-tree.tsx';

interface QuerySideProps {
  readonly knowledgebase: string;
  readonly streams: readonly StreamSummary[] | undefined;
  readonly current: string | null;
  readonly isOpen: boolean;
  readonly onStream: (view: string) => void;
  readonly onColumn: (name: string) => void;
  readonly onOpen: (query: { name: string | null; sql: string }) => void;
}

/** The side. */
export const QuerySide = (props: QuerySideProps) => {
  const { knowledgebase, streams, current, isOpen, onStream, onColumn, onOpen } = props;
  const [filter, setFilter] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => field.current?.focus() });
  return (
    <aside className="query-side" data-open={isOpen || undefined} aria-label="Streams and queries">
      <TextInput
        ref={field}
        className="query-filter"
        aria-label="Find a stream, column or query"
        placeholder="Find a column"
        value={filter}
        leftSection={<IconSearch size={16} stroke={1.6} />}
        rightSection={filter === '' ? <Key>/</Key> : null}
        onChange={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setFilter('');
        }}
      />
      <div className="query-side-lists">
        <h2 className="label tree-head">Streams</h2>
        {streams ? (
          <StreamTree
            knowledgebase={knowledgebase}
            streams={streams}
            filter={filter}
            onStream={onStream}
            onColumn={onColumn}
          />
        ) : (
          <Loading>Reading the streams</Loading>
        )}
        <ModelTree
          knowledgebase={knowledgebase}
          filter={filter}
          onView={onStream}
          onColumn={onColumn}
        />
        <KeptQueries
          knowledgebase={knowledgebase}
          current={current}
          filter={filter}
          onOpen={onOpen}
        />
      </div>
    </aside>
  );
};
