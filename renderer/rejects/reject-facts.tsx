// Owns the facts of one reject: its batch, when and who, the answer, the body; what the stream takes; what was tried.
// Never changes it.

import type { ReactNode } from 'react';
import type { Attempt, RejectDetail } from '../../core/model.ts';
import { addressOf } from '../app/router.ts';
import { CellValue } from '../ui/cell.tsx';
import { bytes, clock, count, fullTime } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { CopyButton, Tag } from '../ui/parts.tsx';
import { fixesWords } from './choices.ts';
import { Sentence } from './segment-view.tsx';

interface RejectFactsProps {
  readonly detail: RejectDetail;
  /** The attempt whose body is shown; null for the body as it came. */
  readonly attempt: number | null;
  readonly onAttempt: (attempt: number | null) => void;
}

/** The facts, and beside them what the stream takes. */
export const RejectFacts = ({ detail, attempt, onAttempt }: RejectFactsProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: long facts scroll by keys.
  <section className="reject-facts" aria-label="Facts" tabIndex={0}>
    <dl>
      {factsOf(detail).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    <div className="reject-expects">
      <Expects detail={detail} />
      <Alike detail={detail} />
    </div>
    {detail.history.length === 0 ? null : (
      <History history={detail.history} detail={detail} attempt={attempt} onAttempt={onAttempt} />
    )}
  </section>
);

const BatchLink = ({ stream, batchId }: { stream: string; batchId: string }) => (
  <a className="mono" href={addressOf({ screen: 'stream', stream, tab: 'batches', at: batchId })}>
    {batchId}
  </a>
);

const Known = ({ sender }: { sender: string | null }) =>
  sender === null ? <span className="ink-3">not known</span> : <CellValue value={sender} />;

const factsOf = (detail: RejectDetail): (readonly [string, ReactNode])[] => {
  const { batchId, receivedAt, lastReceivedAt, times, sender, status, code, sha256 } = detail;
  const { landedAs, partOf, stream, changedAt, changedBy, state, contentType } = detail;
  const again = times > 1 ? `, came ${count(times)} times, last ${clock(lastReceivedAt)}` : '';
  return [
    [
      'Batch id',
      <span key="id" className="reject-copied">
        <span className="mono cut" title={batchId}>
          {batchId}
        </span>
        <CopyButton text={batchId} label="Copy the batch id" />
      </span>,
    ],
    ['Received', `${fullTime(receivedAt)}${again}`],
    [
      'Sender',
      <span key="sender">
        <Known sender={sender} />
      </span>,
    ],
    [
      'Answer',
      <span key="answer">
        {status} <code>{code}</code>
        {status === 200 ? ', the good lines landed' : ''}
      </span>,
    ],
    [
      'Body',
      <span key="body" className="reject-copied">
        <span className="mono cut" title={sha256}>
          sha256 {sha256.slice(0, 8)}…{sha256.slice(-4)}
        </span>
        <CopyButton text={sha256} label="Copy the hash" />
      </span>,
    ],
    ...(contentType === null || contentType === 'application/x-ndjson'
      ? []
      : ([['Type', <CellValue key="type" value={contentType} />]] as const)),
    ...(partOf === null
      ? []
      : ([['Part of', <BatchLink key="part" stream={stream} batchId={partOf} />]] as const)),
    ...(landedAs === null
      ? []
      : ([['Landed as', <BatchLink key="landed" stream={stream} batchId={landedAs} />]] as const)),
    ...(changedAt === null
      ? []
      : ([
          [
            state === 'discarded' ? 'Discarded' : state === 'replayed' ? 'Replayed' : 'Changed',
            `${fullTime(changedAt)}${changedBy === null ? '' : ` by ${changedBy}`}`,
          ],
        ] as const)),
  ];
};

const SHOWN_COLUMNS = 24;

const Expects = ({ detail }: { detail: RejectDetail }) => {
  const { registered, known } = detail.expects;
  const names = registered ?? known;
  const words =
    registered === null
      ? known.length === 0
        ? 'any field; it has none yet'
        : `any field; ${count(known.length)} known`
      : `${count(registered.length)} registered ${registered.length === 1 ? 'column' : 'columns'}`;
  return (
    <>
      <p className="ink-2">
        What {detail.stream} takes: {words}
      </p>
      {names.length === 0 ? null : (
        <p className="reject-columns">
          {names.slice(0, SHOWN_COLUMNS).map((name) => (
            <Tag key={name}>
              <CellValue value={name} />
            </Tag>
          ))}
          {names.length > SHOWN_COLUMNS ? (
            <a
              href={addressOf({ screen: 'stream', stream: detail.stream, tab: 'schema', at: null })}
            >
              {count(names.length - SHOWN_COLUMNS)} more
            </a>
          ) : null}
        </p>
      )}
    </>
  );
};

const Alike = ({ detail }: { detail: RejectDetail }) => {
  const { open, ofSender, firstOfSenderAt } = detail.alike;
  if (open <= 1 && ofSender <= 1) {
    return <p className="ink-2">No other reject has this cause.</p>;
  }
  return (
    <p className="ink-2">
      {count(open)} open of this cause. This producer had {count(ofSender)}, the first{' '}
      {fullTime(firstOfSenderAt).slice(0, -7)}.
    </p>
  );
};

const History = ({
  history,
  detail,
  attempt,
  onAttempt,
}: {
  history: readonly Attempt[];
  detail: RejectDetail;
  attempt: number | null;
  onAttempt: (attempt: number | null) => void;
}) => (
  <div className="reject-history">
    <h3>Tried {history.length === 1 ? 'once' : `${count(history.length)} times`}</h3>
    <ol>
      {history.toReversed().map((one) => (
        <li key={one.number}>
          <Mark
            name={one.outcome === 'landed' ? 'landed' : 'rejected'}
            label={one.outcome === 'landed' ? 'Landed' : 'Failed'}
          />
          <span>
            {fullTime(one.at).slice(0, -4)} by {one.by}: {didWords(one)}.{' '}
            {one.outcome === 'landed' && one.batchId !== null ? (
              <>
                Landed as <BatchLink stream={detail.stream} batchId={one.batchId} />,{' '}
                {count(one.rows ?? 0)} {one.rows === 1 ? 'row' : 'rows'}.
              </>
            ) : one.fault ? (
              <>
                <Sentence text={one.fault.message} />
                {one.faultCount > 1 ? ` ${count(one.faultCount)} faults.` : ''}
              </>
            ) : null}{' '}
            {one.hasBody ? (
              <button
                type="button"
                className="link"
                onClick={() => onAttempt(attempt === one.number ? null : one.number)}
              >
                {attempt === one.number
                  ? 'Show the body as it came'
                  : `Show its body, ${bytes(one.bodyBytes)}`}
              </button>
            ) : null}
          </span>
        </li>
      ))}
    </ol>
  </div>
);

const didWords = ({ edited, fixes }: Attempt): string => {
  const parts = [
    ...(edited ? ['edited by hand'] : []),
    ...(fixes.length > 0 ? [fixesWords(fixes)] : []),
  ];
  return parts.length === 0 ? 'as it came' : parts.join(', ');
};
