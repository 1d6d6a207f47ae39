// Owns the table of a stream's compactions: what each did, what is kept of it, its undo or why it failed.
// Never starts one by itself.

import { Button, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import type { CompactionRun, Originals } from '../../../../core/model.ts';
import { sizesOf } from '../../../app/compaction-words.ts';
import { stateOfWork } from '../../../app/words.ts';
import { bytes, count, duration, fullTime } from '../../../ui/format.ts';
import { Mark } from '../../../ui/mark.tsx';
import { leftOf, momentOf, originalsOf, tookOf } from './run-words.ts';

/** So many are shown until all are asked for. */
const FIRST = 6;

/** The table; `canUndo` while nothing runs and the engine is there. */
export const RunsTable = ({
  runs,
  originals,
  now,
  canUndo,
  onUndo,
}: {
  runs: readonly CompactionRun[];
  originals: Originals | undefined;
  now: number;
  canUndo: boolean;
  onUndo: () => void;
}) => {
  const [areAll, setAll] = useState(false);
  const shown = areAll ? runs : runs.slice(0, FIRST);
  const kept = originals?.runs.length ?? 0;
  return (
    <section className="files-section" aria-label="Runs">
      <div className="files-head">
        <h2>Runs</h2>
        {originals && kept > 0 ? (
          <span className="small ink-2">
            originals of {count(kept)} {kept === 1 ? 'run' : 'runs'} are kept,{' '}
            {bytes(originals.kept.sizeBytes)}
          </span>
        ) : null}
      </div>
      {runs.length === 0 ? (
        <p className="small ink-2 files-none">
          It was never compacted: every file holds the batch that it landed with.
        </p>
      ) : (
        <table className="runs">
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col" className="right">
                Files
              </th>
              <th scope="col" className="right">
                Rows
              </th>
              <th scope="col" className="right runs-wide">
                Size
              </th>
              <th scope="col" className="right runs-wide">
                Took
              </th>
              <th scope="col" className="right">
                Swap
              </th>
              <th scope="col">Originals</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {shown.map((run) => (
              <Run key={run.run} run={run} now={now} canUndo={canUndo} onUndo={onUndo} />
            ))}
          </tbody>
        </table>
      )}
      {runs.length > shown.length ? (
        <UnstyledButton className="stream-link files-more" onClick={() => setAll(true)}>
          All {count(runs.length)} runs
        </UnstyledButton>
      ) : null}
    </section>
  );
};

const Run = ({
  run,
  now,
  canUndo,
  onUndo,
}: {
  run: CompactionRun;
  now: number;
  canUndo: boolean;
  onUndo: () => void;
}) => {
  const [isOpen, setOpen] = useState(false);
  const { word, mark } = stateOfWork(run);
  const { state, startedAt, filesBefore, filesAfter, rows, bytesBefore, bytesAfter, heldMs } = run;
  const isRunning = state === 'running';
  return (
    <Fragment>
      <tr className={state === 'done' || isRunning ? '' : 'runs-quiet'}>
        <th scope="row" title={`${fullTime(startedAt)} UTC, by ${BY[run.by]}`}>
          <span className="marked">
            <Mark name={mark} label={word} />
            {isRunning ? <span className="accent-text">{word}</span> : momentOf(startedAt, now)}
          </span>
        </th>
        <td className="right">
          {filesAfter === null
            ? count(filesBefore)
            : `${count(filesBefore)} → ${count(filesAfter)}`}
        </td>
        <td className="right">{count(rows)}</td>
        <td className="right runs-wide">{sizesOf(bytesBefore, bytesAfter)}</td>
        <td className="right runs-wide">{tookOf(run, now)}</td>
        <td className="right">{heldMs === null ? '–' : duration(heldMs)}</td>
        <td>{originalsOf(run, now)}</td>
        <td className="right">
          {run.undoable ? (
            <Button
              variant="default"
              size="compact-xs"
              h={24}
              disabled={!canUndo}
              leftSection={<IconArrowBackUp size={14} stroke={1.6} />}
              title={`Brings the ${count(filesBefore)} originals back. Compact again at any time.`}
              onClick={onUndo}
            >
              Undo
            </Button>
          ) : run.fault !== null ? (
            <UnstyledButton
              className="stream-link"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              Details
            </UnstyledButton>
          ) : null}
        </td>
      </tr>
      {isOpen && run.fault !== null ? (
        <tr className="runs-fault">
          <td colSpan={8}>
            <span className="bad-text">{run.fault}</span>{' '}
            <span className="ink-2">{leftOf(run.fault)}</span>
          </td>
        </tr>
      ) : null}
    </Fragment>
  );
};

const BY = { person: 'a person', policy: 'the policy' } as const;
