// Owns the engine's log as text that can be read and copied for a support person.
// Never holds data of a batch: the engine writes none.

import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, faultOf } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { clock, count } from '../../ui/format.ts';
import { CopyButton, Empty, Loading, Strip } from '../../ui/parts.tsx';

const MOST = 1_000;

/** The newest lines, oldest first; it stays at the end while a person is there. */
export const EngineLog = () => {
  const { data, error } = useQuery(
    api.engine.log.queryOptions({ input: { limit: MOST }, refetchInterval: 3_000 }),
  );
  const [isWrapped, setWrapped] = useState(false);
  const text = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  const engine = useEngine();
  // New lines move the text only for those who read at its end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    if (text.current && isAtEnd.current) text.current.scrollTop = text.current.scrollHeight;
  }, [data]);
  if (!data) {
    return error ? (
      <Strip tone="bad" what={faultOf(error).message}>
        {faultOf(error).hint}
      </Strip>
    ) : (
      <Loading>Reading the log</Loading>
    );
  }
  if (data.length === 0) {
    return (
      <Empty
        what="The log has no line yet"
        why="The engine writes here what it could not do, with time and reason, never a value of a batch."
      />
    );
  }
  return (
    <>
      <div className="toolbar">
        <span className="ink-2">
          {count(data.length)} {data.length === 1 ? 'line' : 'lines'}, newest at the end
          {engine.state === 'stopped' ? `, as of ${clock(engine.at)}` : ''}
        </span>
        <span className="grow" />
        <Switch
          label="Wrap lines"
          checked={isWrapped}
          onChange={(event) => setWrapped(event.currentTarget.checked)}
        />
        <CopyButton text={data.join('\n')} label="Copy all lines" />
      </div>
      <section
        ref={text}
        className="engine-log mono"
        data-wrapped={isWrapped || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys.
        tabIndex={0}
        aria-label="Log of the engine"
        onScroll={({ currentTarget }) => {
          const { scrollHeight, scrollTop, clientHeight } = currentTarget;
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40;
        }}
      >
        {data.join('\n')}
      </section>
    </>
  );
};
