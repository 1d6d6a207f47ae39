// Owns the Query screen: open queries, the editor, running, and what stands around them.
// Never writes data: the engine runs reading statements alone.

import { Button } from '@mantine/core';
import { IconIndentIncrease, IconLayoutSidebar, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { shownKeys, useShortcuts } from '../../app/keys.ts';
import { useEngine, useStreams } from '../../app/live.ts';
import { Edge, useKeptSize } from '../../ui/edge.tsx';
import { Key } from '../../ui/parts.tsx';
import { changeQuery, closeQuery, openQuery, titleOf, useOpenQueries } from './open-queries.ts';
import './plot.css';
import './query.css';
import './query-side.css';
import './results.css';
import { QuerySide } from './query-side.tsx';
import { QueryTabs } from './query-tabs.tsx';
import { ResultBar } from './result-bar.tsx';
import { Results } from './results.tsx';
import { cancelRun, forgetRun, startRun, useRun } from './runs.ts';
import { SaveQuery } from './save-query.tsx';
import { SqlEditor, type SqlEditorHandle } from './sql-editor.tsx';
import { useSqlNames } from './use-sql-names.ts';

const EDITOR_HEIGHT = { place: 'query-editor-height', least: 72, most: 560, first: 196 };

/** The screen; `sql` comes from the address and opens as a tab. */
export const QueryScreen = ({
  knowledgebase,
  sql,
}: {
  knowledgebase: string;
  sql: string | null;
}) => {
  const [open, setOpen] = useOpenQueries(knowledgebase);
  const tab = open.list.find(({ key }) => key === open.current) ?? open.list[0];
  const run = useRun(open.current);
  const streams = useStreams(knowledgebase);
  const isAway = useEngine().state !== 'ready';
  const [isPlotOpen, setPlotOpen] = useState(false);
  const [isSideOpen, setSideOpen] = useState(false);
  const [isPart, setPart] = useState(false);
  const height = useKeptSize(EDITOR_HEIGHT);
  const editor = useRef<SqlEditorHandle>(null);
  useEffect(() => {
    if (sql === null) return;
    setOpen((before) => openQuery(before, { name: null, sql }));
    // The address has done its work: coming back here must not open the tab again.
    history.replaceState(null, '', '#/query');
  }, [sql, setOpen]);
  const names = useSqlNames(knowledgebase, streams);
  const key = open.current;
  const text = tab?.sql ?? '';
  const isFree = !isAway && run.state !== 'running';
  const start = (): void => {
    // What stands in the editor when it is asked for: a key may come before what was typed has been drawn.
    const now = editor.current?.text() ?? text;
    if (isFree && now.trim() !== '') {
      void startRun(key, knowledgebase, now, editor.current?.selected());
    }
  };
  const format = (): void => editor.current?.format();
  const cancel = (): void => cancelRun(key);
  useShortcuts({ 'mod+Enter': start, 'mod+.': cancel, 'mod+shift+f': format });
  const insertStream = useCallback(
    (view: string): void =>
      editor.current?.insert(text.trim() === '' ? `SELECT *\nFROM ${view}\nLIMIT 100` : view),
    [text],
  );
  const insertColumn = useCallback((name: string): void => editor.current?.insert(name), []);
  if (!tab) return null;
  return (
    <>
      <header className="head query-head">
        <h1 className="head-title">Query</h1>
        <QueryTabs
          open={open}
          onChoose={(next) => setOpen({ ...open, current: next })}
          onClose={(closed) => {
            forgetRun(closed);
            setOpen(closeQuery(open, closed));
          }}
          onNew={() => setOpen(openQuery(open, { name: null, sql: '' }))}
        />
      </header>
      <div className="query">
        <QuerySide
          knowledgebase={knowledgebase}
          streams={streams}
          current={tab.name}
          isOpen={isSideOpen}
          onStream={insertStream}
          onColumn={insertColumn}
          onOpen={(query) => {
            setOpen(openQuery(open, query));
            setSideOpen(false);
          }}
        />
        <div className="query-work">
          <div className="query-tools" role="toolbar" aria-label="Run">
            <Button
              className="query-side-button"
              variant="default"
              aria-label="Streams and saved queries"
              aria-expanded={isSideOpen}
              onClick={() => setSideOpen(!isSideOpen)}
            >
              <IconLayoutSidebar size={16} stroke={1.6} />
            </Button>
            <Button
              disabled={!isFree || text.trim() === ''}
              leftSection={<IconPlayerPlayFilled size={14} />}
              rightSection={<Key>{shownKeys('mod+↵')}</Key>}
              onClick={start}
            >
              {isPart ? 'Run selection' : 'Run'}
            </Button>
            <Button
              variant="default"
              disabled={run.state !== 'running'}
              title={`Stop the query (${shownKeys('mod+.')})`}
              onClick={cancel}
            >
              Cancel
            </Button>
            <span className="grow" />
            <span className="ink-2 cut query-reads">read only, this knowledgebase</span>
            <SaveQuery
              knowledgebase={knowledgebase}
              tab={tab}
              isOff={isAway}
              onSaved={(name, saved) =>
                setOpen((before) => changeQuery(before, key, { name, savedSql: saved }))
              }
            />
            <Button
              className="tool-button"
              variant="subtle"
              color="gray"
              disabled={text.trim() === ''}
              title={`Keywords in capitals, clauses on lines (${shownKeys('mod+shift+f')})`}
              leftSection={<IconIndentIncrease size={16} stroke={1.6} />}
              onClick={format}
            >
              Format
            </Button>
          </div>
          <div className="query-editor" style={{ height: height.size }}>
            <SqlEditor
              ref={editor}
              name={key}
              sql={text}
              fault={run.state === 'failed' ? run.fault : null}
              names={names}
              onChange={(next) =>
                setOpen((before) => changeQuery(before, before.current, { sql: next }))
              }
              onRun={start}
              onSelect={setPart}
            />
          </div>
          <Edge axis="height" label="Height of the editor" {...height} />
          <ResultBar
            knowledgebase={knowledgebase}
            run={run}
            name={titleOf(tab) === 'Untitled' ? 'query' : titleOf(tab)}
            isPlotOpen={isPlotOpen}
            onPlot={() => setPlotOpen(!isPlotOpen)}
          />
          <Results
            key={key}
            knowledgebase={knowledgebase}
            name={key}
            run={run}
            isPlotOpen={isPlotOpen}
            onPlotClose={() => setPlotOpen(false)}
            onGoTo={(line, column) => editor.current?.goTo(line, column)}
          />
        </div>
      </div>
    </>
  );
};
