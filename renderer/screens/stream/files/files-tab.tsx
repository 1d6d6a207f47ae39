// Owns the Files tab of a stream: its head, the plots, runs and files in one scroll, and the panel beside them.
// Never decides what is compacted.

import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { StreamFile, StreamSummary } from '../../../../core/model.ts';
import { api, faultOf } from '../../../api.ts';
import { useAsked } from '../../../app/asked.ts';
import { filesOf, rowsEach } from '../../../app/compaction-words.ts';
import { useShortcuts } from '../../../app/keys.ts';
import { useEngine, useNow } from '../../../app/live.ts';
import { go } from '../../../app/router.ts';
import { bytes, count } from '../../../ui/format.ts';
import { Loading, Strip } from '../../../ui/parts.tsx';
import { RevealFolder } from '../reveal.tsx';
import { CompactionPanel, useHistory } from './compaction-panel.tsx';
import { type CostSpan, likelySpan, SPANS } from './cost-data.ts';
import { CostPlots } from './cost-plots.tsx';
import { FilePanel } from './file-panel.tsx';
import './files.css';
import './compaction.css';
import { FilesList } from './files-list.tsx';
import { RunsTable } from './runs-table.tsx';
import { useCompaction } from './use-compaction.ts';
import { nameOf, useChosenFile, useCompactedFiles, useFiles } from './use-files.ts';

interface FilesTabProps {
  readonly knowledgebase: string;
  readonly summary: StreamSummary;
  /** The batch of the chosen file, or `file:` and the name of a compacted one. */
  readonly at: string | null;
}

const WIDE = '(width >= 1100px)';
/** The plots grow this often. */
const PLOT_MS = 10_000;

/** The tab. */
export const FilesTab = ({ knowledgebase, summary, at }: FilesTabProps) => {
  const { stream } = summary;
  const isReady = useEngine().state === 'ready';
  const now = useNow();
  const scroller = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(() => matchMedia(WIDE).matches);
  const [span, setSpan] = useState<CostSpan | null>(null);
  const followed = useCompaction(knowledgebase, stream);
  const { isRunning, cancel, compact, undo } = followed;
  const { runs, originals } = useHistory(knowledgebase, stream, isRunning);
  const { files, sums, error, isFetching, onEnd, refetch } = useFiles(knowledgebase, stream);
  const compacted = useCompactedFiles(knowledgebase, stream);
  const chosen = useChosenFile(knowledgebase, stream, at, files);
  const { data: cost } = useQuery(
    api.compaction.cost.queryOptions({ input: { knowledgebase, stream } }),
  );
  useAsked(stream, (what) => {
    setOpen(true);
    if (what === 'compact') compact();
    else undo();
  });
  const choose = (place: string | null): void => {
    if (place !== at) go({ screen: 'stream', stream, tab: 'files', at: place });
  };
  const open = (file: StreamFile): void => {
    if (file.batchId === null) choose(nameOf(file));
    else go({ screen: 'stream', stream, tab: 'batches', at: file.batchId });
  };
  const unchoose = (): void => choose(null);
  useShortcuts({ 'mod+.': cancel, ...(at === null ? {} : { Escape: unchoose }) });
  // A run by the policy, or by another process, makes other files of those that are listed.
  const newest = runs?.[0];
  const version = `${newest?.run} ${newest?.state}`;
  const seen = useRef(version);
  useEffect(() => {
    if (runs !== undefined && seen.current !== version && !seen.current.startsWith('undefined')) {
      void refetch();
    }
    seen.current = version;
  }, [runs, version, refetch]);

  if (files === undefined || sums === undefined) {
    return error && isReady ? (
      <Strip tone="bad" what={faultOf(error).message}>
        {faultOf(error).hint}
      </Strip>
    ) : (
      <Loading>Reading the files</Loading>
    );
  }
  const shownSpan = span ?? (cost ? likelySpan(cost, now) : 'all');
  const added = summary.files - sums.total;
  return (
    <div className="split stream-split files-split">
      <div className="files-work">
        <div className="toolbar">
          <span className="strong files-count">{filesOf(summary.files)}</span>
          <span className="ink-2 cut">
            {bytes(summary.sizeBytes)}, {count(summary.rows)} rows
          </span>
          <span className="ink-3 cut">{looseWords(summary, sums.compacted.rows)}</span>
          <span className="grow" />
          {added > 0 ? (
            <Button
              variant="default"
              disabled={!isReady || isFetching}
              onClick={() => void refetch()}
            >
              {count(added)} new
            </Button>
          ) : null}
          <RevealFolder {...{ knowledgebase, stream }} />
          <SegmentedControl
            aria-label="Time shown"
            data={[...SPANS]}
            value={shownSpan}
            onChange={(value) => setSpan(value as CostSpan)}
          />
          {isOpen || at !== null ? null : (
            <Button variant="default" onClick={() => setOpen(true)}>
              Compaction
            </Button>
          )}
        </div>
        <div ref={scroller} className="files-scroll">
          <CostPlots
            {...{ knowledgebase, summary }}
            runs={runs ?? []}
            span={shownSpan}
            now={Math.floor(now / PLOT_MS) * PLOT_MS}
          />
          {runs ? (
            <RunsTable
              runs={runs}
              originals={originals}
              now={now}
              canUndo={isReady && !isRunning && !followed.isStarting}
              onUndo={() => {
                setOpen(true);
                choose(null);
                undo();
              }}
            />
          ) : null}
          <div className="files-head files-list-head">
            <h2>Files on disk</h2>
            <span className="small ink-2">newest first</span>
          </div>
          <FilesList
            {...{ stream, files, now, scroller, onEnd }}
            chosen={at}
            onChoose={choose}
            onOpen={open}
          />
        </div>
      </div>
      {at !== null ? (
        chosen ? (
          <FilePanel
            key={chosen.file}
            {...{ knowledgebase, stream }}
            file={chosen}
            onClose={() => choose(null)}
          />
        ) : chosen === null ? (
          <Gone onClose={() => choose(null)} />
        ) : null
      ) : isOpen && runs ? (
        <CompactionPanel
          {...{ knowledgebase, summary, followed, originals, compacted, isReady, now }}
          runs={runs}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </div>
  );
};

const Gone = ({ onClose }: { onClose: () => void }) => (
  <aside className="panel compaction-panel" aria-label="The chosen file">
    <p className="small ink-2 compaction-note">
      The file of this address is not there any more: compaction or its undo made another of it.
    </p>
    <div className="compaction-note">
      <Button variant="default" onClick={onClose}>
        All files
      </Button>
    </div>
  </aside>
);

/** What the loose files hold: what the compacted ones do not. */
const looseWords = ({ files, looseFiles, rows }: StreamSummary, compactedRows: number): string => {
  if (looseFiles === 0) return 'all compacted';
  const each = rowsEach(Math.max(0, rows - compactedRows), looseFiles);
  return looseFiles === files ? each : `${count(looseFiles)} of them loose, ${each}`;
};
