// Owns the line that waits for a stream's first batch and turns when one lands or is rejected.
// Never says that something landed before the ledger does.

import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { count, duration } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { useStreams } from './live.ts';

/** The line. Its words are announced when they turn. */
export const FirstBatch = ({
  knowledgebase,
  stream,
}: {
  knowledgebase: string;
  stream: string;
}) => {
  const found = useStreams(knowledgebase)?.find(
    (one) => one.stream.toLowerCase() === stream.toLowerCase(),
  );
  return (
    <span className="first-batch" role="status">
      {found && found.landed > 0 ? (
        <Landed knowledgebase={knowledgebase} stream={found.stream} rows={found.rows} />
      ) : found && found.openRejects > 0 ? (
        <Rejected knowledgebase={knowledgebase} stream={found.stream} times={found.rejected} />
      ) : (
        <>
          <Mark name="new" />
          <span>
            Waiting for the first batch of <strong>{stream}</strong>
          </span>
        </>
      )}
    </span>
  );
};

const Landed = ({
  knowledgebase,
  stream,
  rows,
}: {
  knowledgebase: string;
  stream: string;
  rows: number;
}) => {
  const { data } = useQuery(
    api.streams.batches.queryOptions({ input: { knowledgebase, stream, limit: 1 } }),
  );
  const batch = data?.[0];
  const ms = batch ? Date.parse(batch.landedAt) - Date.parse(batch.receivedAt) : null;
  return (
    <>
      <Mark name="landed" />
      <span>
        The first batch of <strong>{stream}</strong> has landed: {count(rows)}{' '}
        {rows === 1 ? 'row' : 'rows'}
        {ms === null ? '' : `, on disk in ${duration(ms)}`}
      </span>
    </>
  );
};

const Rejected = ({
  knowledgebase,
  stream,
  times,
}: {
  knowledgebase: string;
  stream: string;
  times: number;
}) => {
  // The count is part of the question, so that a further reject is read at once.
  const options = api.rejects.list.queryOptions({ input: { knowledgebase, stream, limit: 1 } });
  const { data } = useQuery({ ...options, queryKey: [...options.queryKey, times] });
  const reject = data?.rejects[0];
  return (
    <>
      <Mark name="rejected" />
      <span>
        A batch of <strong>{stream}</strong> was rejected and kept
        {reject ? `: ${reject.message}` : '.'}
      </span>
    </>
  );
};
