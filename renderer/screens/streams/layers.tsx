// Owns the layers of a stream in the panel: its newest files to scale, the older ones as one hatch.
// Never asks for every file of a large stream.

import { useQuery } from '@tanstack/react-query';
import type { FileSums, StreamSummary } from '../../../core/model.ts';
import { api } from '../../api.ts';
import { useNow } from '../../app/live.ts';
import { Band } from '../../ui/band.tsx';
import { age, bytes, clock, count, rate } from '../../ui/format.ts';
import { Section } from '../../ui/parts.tsx';
import { layersOf } from './layers.ts';

const WIDTH = 268;
/** More than this cannot be told apart on the band. */
const NEWEST = 200;
const MINUTE = 60_000;
const DAY = 86_400_000;

/** The band and its facts in words. */
export const Layers = ({
  knowledgebase,
  stream,
  isAway,
}: {
  knowledgebase: string;
  stream: StreamSummary;
  isAway: boolean;
}) => {
  const now = useNow();
  const { data } = useQuery(
    api.compaction.files.queryOptions({
      input: { knowledgebase, stream: stream.stream, limit: NEWEST },
      refetchInterval: isAway ? false : 5_000,
    }),
  );
  if (!data) return null;
  const { files, sizeBytes, createdAt, lastLandedAt } = stream;
  return (
    <Section title="Layers" aside={`${count(files)} ${files === 1 ? 'file' : 'files'}`}>
      <Band layers={layersOf(data, stream, WIDTH)} width={WIDTH} height={12} />
      <div className="plot-ends">
        <span>{momentOf(createdAt, now)}</span>
        <span>
          {lastLandedAt && !isAway && now - Date.parse(lastLandedAt) < MINUTE
            ? 'now'
            : momentOf(lastLandedAt, now)}
        </span>
      </div>
      <p className="small ink-2 streams-words">
        {files === 1
          ? `One file of ${bytes(sizeBytes)}.`
          : [compactedWords(data.compacted), looseWords(data.loose)].filter(Boolean).join(' ')}
      </p>
    </Section>
  );
};

const compactedWords = ({ files, rows, sizeBytes }: FileSums): string =>
  files === 0
    ? ''
    : `${count(rows)} rows are compacted in ${files === 1 ? 'one file' : `${count(files)} files`} of ${bytes(sizeBytes)}.`;

const looseWords = ({ files, rows, sizeBytes }: FileSums): string =>
  files === 0
    ? ''
    : `${files === 1 ? 'One batch is' : `${count(files)} batches are`} a file of ${files === 1 ? 'its' : 'their'} own: ${rate(rows / files)} rows and ${bytes(Math.round(sizeBytes / files))} on average.`;

/** 13:47 within a day, a date before. */
const momentOf = (at: string | null, now: number): string =>
  at !== null && now - Date.parse(at) < DAY ? clock(at).slice(0, 5) : age(at, now);
