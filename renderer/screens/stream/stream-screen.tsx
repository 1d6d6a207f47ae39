// Owns the screen of one stream: its head, its tabs, which of them is shown. Never holds a tab's own state but the rows' view.

import type { StreamSummary } from '../../../core/model.ts';
import { rateNow, useEngine, useRates, useStreams } from '../../app/live.ts';
import { addressOf, type StreamTab } from '../../app/router.ts';
import { stateOf } from '../../app/words.ts';
import { rate } from '../../ui/format.ts';
import { Empty, Loading, Marked } from '../../ui/parts.tsx';
import { BatchesTab } from './batches-tab.tsx';
import { EmptyStream } from './empty-stream.tsx';
import { FilesTab } from './files/files-tab.tsx';
import { RejectsTab } from './rejects-tab.tsx';
import { RowsTab } from './rows-tab.tsx';
import { SchemaTab } from './schema-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import './stream.css';
import './stream-panels.css';
import { StreamTabs } from './stream-tabs.tsx';
import { TroubleStrip } from './trouble-strip.tsx';
import { useRowsView } from './use-rows-view.ts';

interface StreamScreenProps {
  readonly knowledgebase: string;
  readonly stream: string;
  readonly tab: StreamTab;
  /** A batch id, or `row:` and a row's number, to show. */
  readonly at: string | null;
}

/** One stream. */
export const StreamScreen = ({ knowledgebase, stream, tab, at }: StreamScreenProps) => {
  const streams = useStreams(knowledgebase);
  const summary = streams?.find((one) => one.stream.toLowerCase() === stream.toLowerCase());
  const view = useRowsView(knowledgebase, summary);
  return (
    <>
      <header className="head stream-head">
        <h1 className="head-title stream-title">
          <a href={addressOf({ screen: 'streams' })}>Streams</a>
          <span className="ink-3">/</span>
          <span className="cut">{summary?.stream ?? stream}</span>
        </h1>
        {summary ? <State {...{ knowledgebase, summary, tab }} /> : null}
        <StreamTabs stream={stream} tab={tab} summary={summary} />
      </header>
      {summary ? <TroubleStrip knowledgebase={knowledgebase} summary={summary} /> : null}
      <div id="tab-content" role="tabpanel" aria-labelledby={`tab-${tab}`} className="stream-work">
        {summary ? (
          <Tab knowledgebase={knowledgebase} summary={summary} tab={tab} at={at} view={view} />
        ) : streams ? (
          <Empty
            what={`There is no stream ${stream}`}
            why="Its address names a stream that is not here."
          >
            <a href={addressOf({ screen: 'streams' })}>All streams</a>
          </Empty>
        ) : (
          <Loading>Reading the stream</Loading>
        )}
      </div>
    </>
  );
};

const State = ({
  knowledgebase,
  summary,
  tab,
}: {
  knowledgebase: string;
  summary: StreamSummary;
  tab: StreamTab;
}) => {
  const isAway = useEngine().state !== 'ready';
  const rates = useRates(knowledgebase);
  const { word, mark } = stateOf(summary, isAway);
  const now = rateNow(rates, summary.stream);
  return (
    <span className="stream-state small">
      <Marked mark={mark}>{word}</Marked>
      {now > 0 && !isAway ? <span className="stream-rate ink-2">{rate(now)} rows/s</span> : null}
      {summary.compactionSuggested && !isAway && tab !== 'files' ? (
        <a
          className="wide-only"
          href={addressOf({ screen: 'stream', stream: summary.stream, tab: 'files', at: null })}
        >
          Compaction pays
        </a>
      ) : null}
    </span>
  );
};

interface TabProps {
  readonly knowledgebase: string;
  readonly summary: StreamSummary;
  readonly tab: StreamTab;
  readonly at: string | null;
  readonly view: ReturnType<typeof useRowsView>;
}

const Tab = ({ knowledgebase, summary, tab, at, view }: TabProps) => {
  const isEmpty = summary.rows === 0;
  switch (tab) {
    case 'settings':
      return <SettingsTab knowledgebase={knowledgebase} summary={summary} />;
    case 'rejects':
      return <RejectsTab knowledgebase={knowledgebase} summary={summary} at={at} />;
    case 'schema':
      return <SchemaTab knowledgebase={knowledgebase} summary={summary} />;
    case 'rows':
      return isEmpty ? (
        <EmptyStream knowledgebase={knowledgebase} summary={summary} />
      ) : (
        <RowsTab knowledgebase={knowledgebase} summary={summary} view={view} at={at} />
      );
    case 'batches':
      return isEmpty ? (
        <EmptyStream knowledgebase={knowledgebase} summary={summary} />
      ) : (
        <BatchesTab knowledgebase={knowledgebase} summary={summary} at={at} />
      );
    case 'files':
      return isEmpty ? (
        <EmptyStream knowledgebase={knowledgebase} summary={summary} />
      ) : (
        <FilesTab knowledgebase={knowledgebase} summary={summary} at={at} />
      );
  }
};
