// Owns the facts of a chosen file and the way from it to its batches. Never changes one.

import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { PlacedBatch, StreamFile } from '../../../../core/model.ts';
import { api, faultOf } from '../../../api.ts';
import { addressOf } from '../../../app/router.ts';
import { bytes, count, fullTime } from '../../../ui/format.ts';
import { CopyButton, Facts, Loading, Section } from '../../../ui/parts.tsx';
import { RevealFile } from '../reveal.tsx';

const PAGE = 50;

interface FilePanelProps {
  readonly knowledgebase: string;
  readonly stream: string;
  readonly file: StreamFile;
  readonly onClose: () => void;
}

/** The panel. */
export const FilePanel = ({ knowledgebase, stream, file, onClose }: FilePanelProps) => {
  const { kind, rows, sizeBytes, batches, firstLandedAt, lastLandedAt, run } = file;
  const name = file.file.slice(file.file.lastIndexOf('/') + 1);
  return (
    <aside className="panel compaction-panel" aria-label="The chosen file">
      <div className="panel-head">
        <h2 className="mono file-name cut grow" title={name}>
          {name}
        </h2>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label="Close the file"
          onClick={onClose}
        >
          <IconX size={16} stroke={1.6} />
        </ActionIcon>
      </div>
      <Section title="File" aside={`${count(rows)} rows, ${bytes(sizeBytes)}`}>
        <Facts
          facts={[
            [
              'Path',
              <span key="path" className="stream-copied">
                <span className="mono">data/{file.file}</span>
                <CopyButton text={`data/${file.file}`} label="Copy the path" />
              </span>,
            ],
            [
              'Is',
              kind === 'loose'
                ? 'one batch, as it landed'
                : `compacted from ${count(batches)} batches`,
            ],
            ...(run === null
              ? []
              : ([
                  [
                    'Run',
                    <span key="run" className="mono">
                      {run}
                    </span>,
                  ],
                ] as const)),
            ...(firstLandedAt === lastLandedAt
              ? ([['Landed', fullTime(lastLandedAt)]] as const)
              : ([
                  ['First landed', fullTime(firstLandedAt)],
                  ['Last landed', fullTime(lastLandedAt)],
                ] as const)),
          ]}
        />
        <RevealFile {...{ knowledgebase, stream }} file={file.file} />
      </Section>
      <Batches knowledgebase={knowledgebase} stream={stream} file={file} />
    </aside>
  );
};

const Batches = ({ knowledgebase, stream, file }: Omit<FilePanelProps, 'onClose'>) => {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    api.streams.batches.infiniteOptions({
      input: (beforeSeq: number) => ({ knowledgebase, stream, limit: PAGE, beforeSeq }),
      initialPageParam: file.place + 1,
      getNextPageParam: (page, pages) =>
        page.length < PAGE || inFile(pages.flat(), file).length >= file.batches
          ? undefined
          : page.at(-1)?.seq,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  const found = inFile(data?.pages.flat() ?? [], file);
  return (
    <Section
      title={file.batches === 1 ? 'Batch' : 'Batches'}
      aside={file.batches === 1 ? null : `newest ${count(found.length)} of ${count(file.batches)}`}
    >
      {data ? null : error ? (
        <p className="small ink-2 compaction-words">{faultOf(error).message}</p>
      ) : (
        <Loading>Reading its batches</Loading>
      )}
      <ul className="file-batches">
        {found.map(({ batchId, rows, landedAt }) => (
          <li key={batchId}>
            <a
              className="mono cut grow"
              href={addressOf({ screen: 'stream', stream, tab: 'batches', at: batchId })}
            >
              {batchId}
            </a>
            <span className="ink-2">
              {count(rows)} {rows === 1 ? 'row' : 'rows'}
            </span>
            <span className="ink-2">{fullTime(landedAt).slice(0, -4)}</span>
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <UnstyledButton
          className="stream-link"
          disabled={isFetching}
          onClick={() => void fetchNextPage()}
        >
          {count(PAGE)} more
        </UnstyledButton>
      ) : null}
    </Section>
  );
};

/** Those of the batches that are in the file, newest first. */
const inFile = (batches: readonly PlacedBatch[], { file }: StreamFile): PlacedBatch[] =>
  batches.filter((batch) => batch.file === file);
