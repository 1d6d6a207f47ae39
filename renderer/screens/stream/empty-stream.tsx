// Owns a stream that nothing has landed in: what to send, ready to copy. Never sends anything.

import type { StreamSummary } from '../../../core/model.ts';
import { Shippers } from '../../app/shippers.tsx';
import { Empty } from '../../ui/parts.tsx';

/** What to do with an empty stream. */
export const EmptyStream = ({
  knowledgebase,
  summary: { stream, registered },
}: {
  knowledgebase: string;
  summary: StreamSummary;
}) => (
  <div className="stream-empty">
    <Empty
      what="Nothing has landed yet"
      why="Send one batch to the address below. It is on disk when you get the answer, and you can query it at once."
    >
      <Shippers knowledgebase={knowledgebase} stream={stream} columns={registered} />
    </Empty>
  </div>
);
