// Owns the offer to replay what columns that were just registered let in. Never replays by itself.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, faultOf } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { addressOf } from '../../app/router.ts';
import { replayMany } from '../../rejects/replay.tsx';
import { count } from '../../ui/format.ts';

/** The offer; nothing where no reject would land. */
export const LetInOffer = ({
  knowledgebase,
  stream,
  columns,
}: {
  knowledgebase: string;
  stream: string;
  columns: readonly string[];
}) => {
  const isReady = useEngine().state === 'ready';
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { data, refetch } = useQuery(
    api.rejects.letIn.queryOptions({
      input: { knowledgebase, stream, columns: [...columns] },
      enabled: columns.length > 0,
    }),
  );
  if (!data || data.count === 0) return null;
  const replay = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      await replayMany(knowledgebase, data.selection, {}, null);
    } catch (error) {
      setFault(faultOf(error).message);
    }
    setBusy(false);
    await refetch();
  };
  return (
    <div className="let-in" role="status">
      <span className="grow">
        {count(data.count)} {data.count === 1 ? 'reject' : 'rejects'} would land now,{' '}
        {count(data.rows)} {data.rows === 1 ? 'row' : 'rows'}.{' '}
        <a href={addressOf({ screen: 'stream', stream, tab: 'rejects', at: null })}>See them</a>
        {fault === null ? null : <span className="bad-text"> {fault}</span>}
      </span>
      <Button disabled={!isReady} loading={isBusy} onClick={() => void replay()}>
        Replay {count(data.count)}
      </Button>
    </div>
  );
};
