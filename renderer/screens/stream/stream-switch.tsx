// Owns a switch of a stream's settings; saved at once. Never changes a batch that has landed.

import { Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { StreamSummary } from '../../../core/model.ts';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { useEngine } from '../../app/live.ts';

/** The settings that are on or off. */
type Term = 'recogniseEqualBodies' | 'dateFolders' | 'partialLanding';

/** The switch of one of them. It shows what was asked for; while that is being saved it keeps the focus and takes nothing else. */
export const StreamSwitch = ({
  knowledgebase,
  summary,
  term,
  label,
}: {
  knowledgebase: string;
  summary: StreamSummary;
  term: Term;
  label: string;
}) => {
  const isAway = useEngine().state !== 'ready';
  const { stream } = summary;
  const save = useMutation({
    mutationFn: (isOn: boolean) => client.streams.update({ knowledgebase, stream, [term]: isOn }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: api.streams.key() }),
  });
  return (
    <Switch
      label={label}
      checked={save.isPending ? save.variables : summary[term]}
      disabled={isAway}
      onChange={(event) => {
        if (!save.isPending) save.mutate(event.currentTarget.checked);
      }}
      error={save.error ? faultOf(save.error).message : null}
    />
  );
};
