// Owns the switch that makes a stream know a batch by its body. Never changes a batch that has landed.

import { Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { StreamSummary } from '../../../core/model.ts';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { useEngine } from '../../app/live.ts';

/** The switch; saved at once. */
export const EqualBodies = ({
  knowledgebase,
  summary,
}: {
  knowledgebase: string;
  summary: StreamSummary;
}) => {
  const isAway = useEngine().state !== 'ready';
  const { stream } = summary;
  const save = useMutation({
    mutationFn: (recogniseEqualBodies: boolean) =>
      client.streams.update({ knowledgebase, stream, recogniseEqualBodies }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: api.streams.key() }),
  });
  return (
    <Switch
      label="Know a batch by its body"
      checked={save.isPending ? save.variables : summary.recogniseEqualBodies}
      disabled={isAway || save.isPending}
      onChange={(event) => save.mutate(event.currentTarget.checked)}
      error={save.error ? faultOf(save.error).message : null}
    />
  );
};
