// Owns what is said above the model while a promotion or an applying runs, and how the last one ended.
// Never starts one.

import { Button } from '@mantine/core';
import { useNow } from '../../app/live.ts';
import { addressOf } from '../../app/router.ts';
import { Mark } from '../../ui/mark.tsx';
import { Strip } from '../../ui/parts.tsx';
import { Progress } from '../../ui/progress.tsx';
import { cancelModelJob, forgetSaid, useModelJob } from './model-jobs.ts';

const LEAVES = 'Cancelling leaves the model and every row as they are.';

/** The strip; nothing where nothing runs and nothing is to be said. */
export const JobStrip = ({ knowledgebase }: { knowledgebase: string }) => {
  const { job, isAsked, fault, said } = useModelJob(knowledgebase);
  const now = useNow();
  const close = (
    <Button variant="default" onClick={() => forgetSaid(knowledgebase)}>
      Close
    </Button>
  );
  if (job) {
    const isPromotion = job.kind === 'promotion';
    return (
      <div className="model-job">
        <Progress
          title={job.words === null ? job.title : `${job.title}: ${job.words}`}
          work={job}
          elapsedMs={now - Date.parse(job.startedAt)}
          {...(isPromotion
            ? { leaves: LEAVES, onCancel: () => cancelModelJob(knowledgebase) }
            : { leaves: 'Version and views are made together or not at all.' })}
        />
      </div>
    );
  }
  if (isAsked) return <output className="model-said">Asking the engine</output>;
  if (fault) {
    const isSettings = fault.code === 'model_store_none';
    return (
      <Strip
        tone={REFUSALS.includes(fault.code) ? 'warn' : 'bad'}
        what={fault.message}
        actions={
          <>
            {isSettings ? <a href={addressOf({ screen: 'settings' })}>Settings</a> : null}
            {close}
          </>
        }
      >
        The model and every row are as they were. {fault.hint}
      </Strip>
    );
  }
  return said === null ? null : (
    <output className="model-said">
      <Mark name="landed" />
      <span className="grow">{said}</span>
      {close}
    </output>
  );
};

/** Refused at once, before anything was done. */
const REFUSALS = ['model_store_none', 'stream_has_no_rows', 'promotion_running', 'plan_undecided'];
