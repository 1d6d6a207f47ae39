// Owns how far work over rejects is, and cancelling it. Never starts any.

import { useState } from 'react';
import type { Job } from '../../core/model.ts';
import { client, faultOf } from '../api.ts';
import { useNow } from '../app/live.ts';
import { Progress } from '../ui/progress.tsx';

/** The progress of a job. */
export const WorkProgress = ({ job }: { job: Job }) => {
  const now = useNow();
  const [fault, setFault] = useState<string | null>(null);
  const leaves =
    job.kind === 'export'
      ? 'Cancelling leaves no file.'
      : 'Cancelling stops between two rejects; what is done stays done.';
  return (
    <>
      <Progress
        title={job.title}
        work={job}
        elapsedMs={Math.max(0, now - Date.parse(job.startedAt))}
        leaves={leaves}
        onCancel={() => {
          setFault(null);
          client.jobs.cancel({ id: job.id }).catch((error: unknown) => {
            setFault(faultOf(error).message);
          });
        }}
      />
      {fault === null ? null : <p className="small bad-text">{fault}</p>}
    </>
  );
};
