// Owns the facts of one batch: id, body, POST, file, as sections of a panel. Never fetches it.

import { UnstyledButton } from '@mantine/core';
import type { PlacedBatch } from '../../../core/model.ts';
import { addressOf, type StreamTab } from '../../app/router.ts';
import { viewOf } from '../../app/words.ts';
import { bytes, clock, count, duration, fullTime } from '../../ui/format.ts';
import { CopyButton, Facts, Section, Tag } from '../../ui/parts.tsx';
import { RevealFile } from './reveal.tsx';

interface BatchFactsProps {
  readonly knowledgebase: string;
  readonly batch: PlacedBatch;
  /** Shows its rows. */
  readonly onRows: () => void;
  /** The tab that the panel stands in, to which no link leads. */
  readonly isIn: StreamTab;
}

/** The sections Batch, POST and File. */
export const BatchFacts = ({ knowledgebase, batch, onRows, isIn }: BatchFactsProps) => {
  const { rejectId, partRejectId, linesRejected } = batch;
  const { stream, batchId, rows, bodyBytes, sha256, sender, receivedAt, landedAt } = batch;
  const query = `SELECT *\nFROM ${viewOf(stream)}\nWHERE _batch_id = '${batchId}'\nORDER BY _line`;
  return (
    <>
      <Section
        title="Batch"
        aside={`${count(rows)} ${rows === 1 ? 'row' : 'rows'}, ${bytes(bodyBytes)}`}
      >
        <Facts
          facts={[
            ['Id', <Copied key="id" text={batchId} label="Copy the batch id" />],
            [
              'Body',
              <Copied
                key="body"
                text={sha256}
                shown={`sha256 ${shortHash(sha256)}`}
                label="Copy the hash"
              />,
            ],
            ...(rejectId === null
              ? []
              : ([
                  [
                    'Repaired',
                    <RejectLink
                      key="from"
                      stream={stream}
                      rejectId={rejectId}
                      words="from reject"
                    />,
                  ],
                ] as const)),
            ...(partRejectId === null
              ? []
              : ([
                  [
                    'Bad lines',
                    <RejectLink
                      key="part"
                      stream={stream}
                      rejectId={partRejectId}
                      words={`${count(linesRejected)} in reject`}
                    />,
                  ],
                ] as const)),
          ]}
        />
        <div className="stream-links">
          <UnstyledButton className="stream-link" onClick={onRows}>
            Its rows
          </UnstyledButton>
          <a className="stream-link" href={addressOf({ screen: 'query', sql: query })}>
            Query it
          </a>
          {isIn === 'batches' ? null : (
            <a
              className="stream-link"
              href={addressOf({ screen: 'stream', stream, tab: 'batches', at: batchId })}
            >
              Among batches
            </a>
          )}
        </div>
      </Section>
      <Section
        title="POST"
        aside={batch.recovered ? <Tag>recovered</Tag> : `landed in ${landedIn(batch)}`}
      >
        <Facts
          facts={[
            ['Received', fullTime(receivedAt)],
            ['Landed', fullTime(landedAt)],
            ['From', sender ?? 'not known'],
            ['Replays', replaysOf(batch)],
          ]}
        />
        {batch.recovered ? (
          <p className="small ink-2 cell-panel-none">
            The ledger learned of it from its file, after a crash or a rebuild.
          </p>
        ) : null}
      </Section>
      <Section
        title="File"
        aside={batch.landedFile === null ? bytes(batch.sizeBytes) : 'compacted'}
      >
        <Facts
          facts={[
            ['Path', <Copied key="path" text={`data/${batch.file}`} label="Copy the path" />],
            ...(batch.landedFile === null
              ? []
              : ([
                  ['Its rows', `${count(batch.rowInFile + 1)} to ${count(batch.rowInFile + rows)}`],
                  ['Landed as', `${batch.landedFile}, ${bytes(batch.sizeBytes)}`],
                ] as const)),
          ]}
        />
        <div className="stream-links">
          {isIn === 'files' ? null : (
            <a
              className="stream-link"
              href={addressOf({ screen: 'stream', stream, tab: 'files', at: batchId })}
            >
              Among files
            </a>
          )}
          <RevealFile knowledgebase={knowledgebase} stream={stream} file={batch.file} />
        </div>
      </Section>
    </>
  );
};

/** A link to a reject: what the batch was mended from, or where its bad lines are. */
const RejectLink = ({
  stream,
  rejectId,
  words,
}: {
  stream: string;
  rejectId: string;
  words: string;
}) => (
  <span>
    {words}{' '}
    <a
      className="mono"
      href={addressOf({ screen: 'stream', stream, tab: 'rejects', at: rejectId })}
    >
      {rejectId}
    </a>
  </span>
);

const Copied = ({ text, shown, label }: { text: string; shown?: string; label: string }) => (
  <span className="stream-copied">
    <span className={shown === undefined ? 'mono' : 'mono stream-whole'} title={text}>
      {shown ?? text}
    </span>
    <CopyButton text={text} label={label} />
  </span>
);

/** 9f3c41d0…e21a. */
const shortHash = (sha256: string): string => `${sha256.slice(0, 8)}…${sha256.slice(-4)}`;

/** Time from received to landed; unknown for one that was recovered from its file. */
export const landedIn = ({ receivedAt, landedAt, recovered }: PlacedBatch): string =>
  recovered ? '–' : duration(Math.max(0, Date.parse(landedAt) - Date.parse(receivedAt)));

const replaysOf = ({ replays, lastReplayedAt }: PlacedBatch): string => {
  if (replays === 0) return 'none';
  const times = replays === 1 ? 'once' : `${count(replays)} times`;
  return lastReplayedAt === null ? times : `${times}, last ${clock(lastReplayedAt)}`;
};
