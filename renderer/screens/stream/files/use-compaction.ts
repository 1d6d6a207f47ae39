// Owns following a stream's compaction: its job, starting, undoing, cancelling, and renewing what it changes.
// Never shows anything.

import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Job } from '../../../../core/model.ts';
import { api, client, faultOf, queryClient } from '../../../api.ts';
import { progressOf } from '../../../app/compaction-words.ts';
import { useEngine } from '../../../app/live.ts';
import { jobOf, type SeenStep, seenStep } from './steps.ts';

const RUNNING_MS = 500;
const IDLE_MS = 2_000;

/** A compaction as the tab follows it. */
export interface Compacting {
  /** The job that runs, or the last one that this tab has seen to its end; null for none. */
  readonly job: Job | null;
  readonly isRunning: boolean;
  readonly isUndo: boolean;
  readonly seen: SeenStep | null;
  readonly isStarting: boolean;
  readonly isCancelling: boolean;
  /** Why the last thing that was asked for did not begin; null where it did. */
  readonly fault: string | null;
  readonly compact: () => void;
  readonly undo: () => void;
  readonly cancel: () => void;
  /** Puts the result of the last job away. */
  readonly dismiss: () => void;
}

/** Everything that a compaction changes is read again. */
export const renewCompaction = (): void => {
  void queryClient.invalidateQueries({ queryKey: api.compaction.key() });
  void queryClient.invalidateQueries({ queryKey: api.streams.key() });
};

const renewJobs = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: api.jobs.list.key() });

/** Follows the compactions of a stream. */
export const useCompaction = (knowledgebase: string, stream: string): Compacting => {
  const isReady = useEngine().state === 'ready';
  const { data: jobs } = useQuery(
    api.jobs.list.queryOptions({
      refetchInterval: (query) =>
        jobOf(query.state.data, knowledgebase, stream)?.state === 'running' ? RUNNING_MS : IDLE_MS,
    }),
  );
  const newest = jobOf(jobs, knowledgebase, stream) ?? null;
  // Jobs that ended before the tab was opened stand in the history of runs.
  const [followed, setFollowed] = useState<number | null>(null);
  const isRunning = isReady && newest?.state === 'running';
  const job = newest !== null && (isRunning || newest.id === followed) ? newest : null;
  useEffect(() => {
    if (isRunning && newest) setFollowed(newest.id);
  }, [isRunning, newest]);

  const was = useRef(isRunning);
  useEffect(() => {
    if (was.current !== isRunning) renewCompaction();
    was.current = isRunning;
  }, [isRunning]);

  const seen = useRef<SeenStep | null>(null);
  const progress = newest && isRunning ? progressOf(newest) : null;
  seen.current = newest ? seenStep(seen.current, newest, progress, Date.now()) : null;

  const started = {
    onSuccess: async ({ id }: Job) => {
      setFollowed(id);
      await renewJobs();
    },
  };
  const input = { knowledgebase, stream };
  const compact = useMutation({ mutationFn: () => client.compaction.start(input), ...started });
  const undo = useMutation({ mutationFn: () => client.compaction.undo(input), ...started });
  const cancel = useMutation({
    mutationFn: (id: number) => client.jobs.cancel({ id }),
    onSettled: renewJobs,
  });
  const begin = (one: typeof compact, other: typeof compact) => (): void => {
    if (!isReady || isRunning || one.isPending || other.isPending) return;
    other.reset();
    cancel.reset();
    one.mutate();
  };
  const error = compact.error ?? undo.error;
  return {
    ...{ job, isRunning, seen: seen.current },
    isUndo: job?.kind === 'compact-undo',
    isStarting: compact.isPending || undo.isPending,
    isCancelling: cancel.isPending || (cancel.isSuccess && cancel.variables === job?.id),
    fault: error ? `${faultOf(error).message} ${faultOf(error).hint}`.trim() : null,
    compact: begin(compact, undo),
    undo: begin(undo, compact),
    cancel: () => {
      if (newest && isRunning) cancel.mutate(newest.id);
    },
    dismiss: () => {
      setFollowed(null);
      compact.reset();
      undo.reset();
    },
  };
};
