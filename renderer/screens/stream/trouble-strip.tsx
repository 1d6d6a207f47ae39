// Owns the strip on a stream that needs a person, or is slow: what happened, what is safe, what to do.
// Never closes an alert by itself.

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { StreamSummary } from '../../../core/model.ts';
import { api, faultOf, queryClient } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { go } from '../../app/router.ts';
import { Strip } from '../../ui/parts.tsx';
import { Toast } from '../../ui/toast.tsx';
import { adviceOn } from './advice.ts';

/** The strip; nothing while all is well, or while the engine is away and nothing is known. */
export const TroubleStrip = ({
  knowledgebase,
  summary,
}: {
  knowledgebase: string;
  summary: StreamSummary;
}) => {
  const isAway = useEngine().state !== 'ready';
  const { stream, status, trouble } = summary;
  const acknowledge = useMutation(
    api.streams.acknowledge.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: api.streams.key() });
        const toast = notifications.show({
          closeButtonProps: { 'aria-label': 'Close' },
          message: (
            <Toast
              mark="landed"
              action="Show"
              onAction={() => {
                notifications.hide(toast);
                go({ screen: 'activity' });
              }}
            >
              Acknowledged; the events keep it
            </Toast>
          ),
        });
      },
    }),
  );
  if (trouble === null || isAway) return null;
  const isError = status === 'error';
  return (
    <Strip
      tone={isError ? 'bad' : 'warn'}
      what={`${trouble}.`}
      actions={
        isError ? (
          <>
            <Button variant="default" onClick={() => go({ screen: 'activity' })}>
              Show events
            </Button>
            <Button
              variant="default"
              loading={acknowledge.isPending}
              onClick={() => acknowledge.mutate({ knowledgebase, stream })}
            >
              Acknowledge
            </Button>
          </>
        ) : null
      }
    >
      {acknowledge.error ? faultOf(acknowledge.error).message : adviceOn(trouble)}
    </Strip>
  );
};
