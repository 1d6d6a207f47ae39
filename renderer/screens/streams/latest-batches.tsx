// Owns the latest batches of a stream in the panel: landed, replayed, rejected. Never shows a body.

import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { useNow } from '../../app/live.ts';
import { addressOf } from '../../app/router.ts';
import { age, clock, count, fullTime } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { latestOf } from './latest.ts';

const SHOWN = 8;
const WORDS = { landed: 'Landed', replayed: 'Replayed', rejected: 'Rejected' } as const;

/** The list; ages become clock times while the engine is away. */
export const LatestBatches = ({
  knowledgebase,
  stream,
  isAway,
}: {
  knowledgebase: string;
  stream: string;
  isAway: boolean;
}) => {
  const now = useNow();
  const input = { knowledgebase, stream, limit: SHOWN };
  const { data: batches } = useQuery(
    api.streams.batches.queryOptions({ input, refetchInterval: isAway ? false : 1_000 }),
  );
  const { data: page } = useQuery(
    api.rejects.list.queryOptions({ input, refetchInterval: isAway ? false : 2_000 }),
  );
  if (!batches || !page) return null;
  const latest = latestOf(batches, page.rejects, SHOWN);
  return (
    <section className={isAway ? 'section latest away' : 'section latest'}>
      <table>
        <thead>
          <tr>
            <th scope="col">Latest batches</th>
            <th scope="col">rows</th>
            <th scope="col">ms</th>
            <th scope="col">{isAway ? 'at' : 'age'}</th>
          </tr>
        </thead>
        <tbody>
          {latest.map(({ key, kind, batchId, rows, ms, at, reason }) => (
            <tr key={key}>
              <td>
                <Mark name={kind} label={WORDS[kind]} />
                {kind === 'rejected' ? (
                  <a
                    className="mono cut"
                    title={reason ?? batchId}
                    href={addressOf({
                      ...{ screen: 'stream', stream, tab: 'rejects' },
                      at: key.slice('x '.length),
                    })}
                  >
                    {batchId}
                  </a>
                ) : (
                  <a
                    className="mono cut"
                    title={batchId}
                    href={addressOf({ screen: 'stream', stream, tab: 'batches', at: batchId })}
                  >
                    {batchId}
                  </a>
                )}
              </td>
              <td>{rows === null ? '–' : count(rows)}</td>
              <td>{ms === null ? '–' : count(ms)}</td>
              <td title={`${fullTime(at)} UTC`}>
                {isAway && now - Date.parse(at) < 86_400_000 ? clock(at) : age(at, now)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
