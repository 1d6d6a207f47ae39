// Owns the switch that lands the good lines of a batch while its bad ones become a reject. Never changes what has landed.

import type { StreamSummary } from '../../../core/model.ts';
import { StreamSwitch } from './stream-switch.tsx';

/** The switch, and what holds for a batch that is sent now: the words follow what is saved, never what is being saved. */
export const PartialLanding = ({
  knowledgebase,
  summary,
}: {
  knowledgebase: string;
  summary: StreamSummary;
}) => (
  <>
    <StreamSwitch
      knowledgebase={knowledgebase}
      summary={summary}
      term="partialLanding"
      label="Land the good lines of a batch"
    />
    <p className="small ink-2">
      {summary.partialLanding ? (
        <>
          The answer is 200 with <code>rows</code>, <code>rejected</code> and <code>reject_id</code>
          . A producer that reads only the status takes the batch as done: the bad lines wait under
          Rejects.
        </>
      ) : (
        'One bad line rejects its whole batch with 400, and nothing of it lands.'
      )}
    </p>
  </>
);
