// Owns the layers of a stream in the panel: its newest files to scale, the older ones as one hatch.
// Never asks for every file of a large stream.

import { useQuery } from '@tanstack/react-query';
import type { FilesPage, StreamSummary } from '../../../core/model.ts';
import { api } from '../../api.ts';
import { rowsEach } from '../../app/compaction-words.ts';
import { useNow } from '../../app/live.ts';
import { addressOf } from '../../app/router.ts';
import { Band } from '../../ui/band.tsx';
import { age, bytes, clock, count } from '../../ui/format.ts';
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
        {files === 1 ? `One file of ${bytes(sizeBytes)}.` : holdingWords(data)}
      </p>
      {data.loose.files > 1 && !isAway ? (
        <a
          className="small"
          href={addressOf({ screen: 'stream', stream: stream.stream, tab: 'files', at: null })}
        >
          Compact…
        </a>
      ) : null}
    </Section>
  );
};

/** 2 compacted files hold 84 % of the rows, 184 loose ones about 20 rows each. */
const holdingWords = ({ compacted, loose }: Pick<FilesPage, 'compacted' | 'loose'>): string => {
  if (compacted.files === 0)
    return `${count(loose.files)} loose files hold ${rowsEach(loose.rows, loose.files)}.`;
  const solid = `${count(compacted.files)} compacted ${compacted.files === 1 ? 'file holds' : 'files hold'}`;
  if (loose.files === 0) return `${solid} every row.`;
  const share = Math.floor((compacted.rows / (compacted.rows + loose.rows)) * 100);
  return loose.files === 1
    ? `${solid} ${share} % of the rows, a loose one the rest.`
    : `${solid} ${share} % of the rows, ${count(loose.files)} loose ones ${rowsEach(loose.rows, loose.files)}.`;
};

/** 13:47 within a day, a date before. */
const momentOf = (at: string | null, now: number): string =>
  at !== null && now - Date.parse(at) < DAY ? clock(at).slice(0, 5) : age(at, now);
