// Owns one row of the list: a stream's state and figures. Never changes a figure's place while it counts.

import type { StreamRates, StreamSummary } from '../../../core/model.ts';
import { rateNow } from '../../app/live.ts';
import { lostOf } from '../../app/lost-time.ts';
import { addressOf } from '../../app/router.ts';
import { stateOf } from '../../app/words.ts';
import { age, bytes, clock, count, duration, fullTime, rate } from '../../ui/format.ts';
import { Lost } from '../../ui/lost.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Tag } from '../../ui/parts.tsx';
import { Spark } from '../../ui/spark.tsx';
import { FilesBand } from './files-band.tsx';
import { isLanding, thinned } from './streams-order.ts';

/** Periods that one point of the sparkline stands for. */
const THIN = 3;

/** The row. A click chooses, a double click opens. */
export const StreamsRow = ({
  knowledgebase,
  stream,
  index,
  top,
  rates,
  now,
  isAway,
  isChosen,
  onChoose,
  onOpen,
}: {
  knowledgebase: string;
  stream: StreamSummary;
  index: number;
  top: number;
  rates: StreamRates | undefined;
  now: number;
  isAway: boolean;
  isChosen: boolean;
  onChoose: () => void;
  onOpen: () => void;
}) => {
  const { word, mark } = stateOf(stream, isAway);
  const isNew = stream.lastLandedAt === null;
  const isSlow = stream.status === 'lagging';
  const at = stream.lastLandedAt;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are virtual, so they are placed, not laid out as a table.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the chosen row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys.
    <div
      id={`streams-row-${index}`}
      className={`streams-line streams-row ${isLanding(stream) || stream.status === 'error' ? '' : 'quiet'} ${isAway ? 'away' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onChoose}
      onDoubleClick={onOpen}
    >
      <Cell of="stream">
        <Mark name={mark} label={word} />
        <span className="streams-name cut" title={stream.stream}>
          {stream.stream}
        </span>
        {isSlow && !isAway ? (
          <>
            <Tag tone="warn">Lagging</Tag>
            <span className="streams-trouble cut warn-text" title={stream.trouble ?? undefined}>
              {stream.trouble}
            </span>
          </>
        ) : null}
        {stream.compactionSuggested && !isAway ? <Tag>compaction pays</Tag> : null}
      </Cell>
      <Cell of="rate">
        <Rate stream={stream} rates={rates} isAway={isAway} />
      </Cell>
      <Cell of="rows">{isNew ? '–' : count(stream.rows)}</Cell>
      <Cell of="files">
        <FilesBand knowledgebase={knowledgebase} stream={stream} />
        <span>{isNew ? '–' : count(stream.files)}</span>
      </Cell>
      <Cell of="sizeBytes" title={`${count(stream.sizeBytes)} bytes`}>
        {isNew ? '–' : bytes(stream.sizeBytes)}
      </Cell>
      <Cell of="lagMs">
        {stream.lagMs === null || isAway ? (
          '–'
        ) : (
          <span className={stream.lagMs > 1_000 ? 'warn-text' : ''}>{duration(stream.lagMs)}</span>
        )}
      </Cell>
      <Cell of="lastLandedAt" title={at === null ? undefined : `${fullTime(at)} UTC`}>
        {at !== null && isAway && now - Date.parse(at) < 86_400_000 ? clock(at) : age(at, now)}
      </Cell>
      <Cell of="openRejects">
        {stream.openRejects > 0 ? (
          <a
            className="streams-open bad-text"
            tabIndex={-1}
            href={addressOf({
              ...{ screen: 'stream', stream: stream.stream, tab: 'rejects', at: null },
            })}
          >
            {count(stream.openRejects)}
          </a>
        ) : (
          '0'
        )}
      </Cell>
    </div>
  );
};

const Cell = ({
  of,
  title,
  children,
}: {
  of: string;
  title?: string | undefined;
  children: React.ReactNode;
}) => (
  // biome-ignore lint/a11y/useSemanticElements: see the row.
  // biome-ignore lint/a11y/useFocusableInteractive: see the row.
  <div className={`streams-cell of-${of}`} role="gridcell" title={title}>
    {children}
  </div>
);

const Rate = ({
  stream,
  rates,
  isAway,
}: {
  stream: StreamSummary;
  rates: StreamRates | undefined;
  isAway: boolean;
}) => {
  if (stream.status === 'error' && !isAway) {
    return (
      <span className="streams-word streams-fault cut" title={stream.trouble ?? undefined}>
        {stream.trouble}
      </span>
    );
  }
  if (!isLanding(stream)) {
    return (
      <span className="streams-word">{stream.lastLandedAt === null ? 'No batch yet' : 'Idle'}</span>
    );
  }
  const end = stream.status === 'lagging' ? 'warn-mark' : 'ok-mark';
  const now = rateNow(rates, stream.stream);
  const all = rates?.rowsPerSecond[stream.stream] ?? [];
  const values = thinned(all.slice(0, -1), THIN);
  const lost = rates ? lostOf(rates) - ((all.length - 1) % THIN) : 0;
  return (
    <>
      <span className="streams-spark">
        <Spark
          values={values}
          lost={Math.min(values.length, Math.max(0, Math.ceil(lost / THIN)))}
          width={isAway ? 72 : 90}
          height={24}
          end={isAway ? undefined : end}
        />
        {isAway ? <Lost width={18} height={24} /> : null}
      </span>
      <span className={now === 0 ? 'zero' : ''}>{rate(now)}</span>
    </>
  );
};
