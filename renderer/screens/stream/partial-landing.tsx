// Owns the switch that lands the good lines of a batch while its bad ones become a reject. Never changes what has landed.

import { Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { StreamSummary } from '../../../core/model.ts';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { useEngine } from '../../app/live.ts';

/** The switch; saved at once. */
export const PartialLanding = ({
  knowledgebase,
  summary,
}: {
  knowledgebase: string;
  summary: StreamSummary;
}) => {
  const isAway = useEngine().state !== 'ready';
  const { stream } = summary;
  const save = useMutation({
    mutationFn: (partialLanding: boolean) =>
      client.streams.update({ knowledgebase, stream, partialLanding }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: api.streams.key() }),
  });
  const isOn = save.isPending ? save.variables : summary.partialLanding;
  return (
    <>
      <Switch
        label="Land the good lines of a batch"
        checked={isOn}
        disabled={isAway || save.isPending}
        onChange={(event) => save.mutate(event.currentTarget.checked)}
        error={save.error ? faultOf(save.error).message : null}
      />
      <p className="small ink-2">
        {isOn ? (
          <>
            The answer is 200 with <code>rows</code>, <code>rejected</code> and{' '}
            <code>reject_id</code>. A producer that reads only the status takes the batch as done:
            the bad lines wait under Rejects.
          </>
        ) : (
          'One bad line rejects its whole batch with 400, and nothing of it lands.'
        )}
      </p>
    </>
  );
};
