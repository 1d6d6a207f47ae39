// Owns the procedures of compaction.

import { listRuns } from '../../engine/compaction/history.ts';
import { listOriginals, removeOriginals } from '../../engine/compaction/originals.ts';
import { planCompaction } from '../../engine/compaction/plan.ts';
import { startCompaction } from '../../engine/compaction/run.ts';
import { startUndo } from '../../engine/compaction/undo.ts';
import type { Core } from '../../open-core.ts';
import { os } from './base.ts';

interface Named {
  readonly knowledgebase: string;
  readonly stream: string;
}

const find = (core: Core, { knowledgebase: id, stream: streamId }: Named) => {
  const knowledgebase = core.knowledgebase(id);
  return { knowledgebase, stream: knowledgebase.streams.get(streamId) };
};

export const compaction = {
  plan: os.compaction.plan.handler(({ context, input }) => {
    const { knowledgebase, stream } = find(context.core, input);
    return planCompaction(knowledgebase, stream, input.measure);
  }),
  start: os.compaction.start.handler(({ context, input }) =>
    startCompaction(context.core, input.knowledgebase, input.stream),
  ),
  undo: os.compaction.undo.handler(({ context, input }) =>
    startUndo(context.core, input.knowledgebase, input.stream),
  ),
  runs: os.compaction.runs.handler(({ context, input }) => {
    const { knowledgebase, stream } = find(context.core, input);
    return listRuns(knowledgebase.ledger(), stream, input.limit);
  }),
  originals: os.compaction.originals.handler(({ context, input }) =>
    listOriginals(find(context.core, input).stream, input.retentionDays),
  ),
  removeOriginals: os.compaction.removeOriginals.handler(({ context, input }) => {
    const { knowledgebase, stream } = find(context.core, input);
    return removeOriginals(knowledgebase, stream, input.run);
  }),
  files: os.compaction.files.handler(({ context, input }) => {
    const { knowledgebase, stream } = find(context.core, input);
    const { batches, compactedFiles } = knowledgebase.ledger();
    const loose = batches.looseSums(stream.id);
    const compacted = compactedFiles.sums(stream.id);
    return {
      files: compactedFiles.page(stream.id, input.kind, input.limit, input.before),
      total:
        (input.kind === 'compacted' ? 0 : loose.files) +
        (input.kind === 'loose' ? 0 : compacted.files),
      ...{ loose, compacted },
    };
  }),
  cost: os.compaction.cost.handler(({ context, input }) => {
    const { knowledgebase, stream } = find(context.core, input);
    const { queryCosts, compactions } = knowledgebase.ledger();
    const since = input.since ?? '';
    const compacted = compactions
      .list(stream.id, 1_000)
      .flatMap(({ run, state, endedAt }) =>
        (state === 'done' || state === 'undone') && endedAt !== null && endedAt >= since
          ? [{ at: endedAt, run }]
          : [],
      );
    return { points: queryCosts.list(stream.id, since), compactions: compacted.reverse() };
  }),
};
