// Owns the procedures over streams, their rows and batches.

import { profileColumns } from '../../engine/profile-columns.ts';
import { rowsPage } from '../../engine/rows-page.ts';
import { AppError } from '../../errors.ts';
import { checkColumns } from '../../knowledgebase/create.ts';
import { writeSettings } from '../../knowledgebase/settings.ts';
import type { StreamSummary } from '../../model.ts';
import type { Core } from '../../open-core.ts';
import { os } from './base.ts';

export const streams = {
  list: os.streams.list.handler(({ context, input }) =>
    context.core.listStreams(input.knowledgebase),
  ),
  get: os.streams.get.handler(({ context, input }) =>
    summaryOf(context.core, input.knowledgebase, input.stream),
  ),
  create: os.streams.create.handler(({ context, input }) => {
    const { knowledgebase, stream, columns, ...terms } = input;
    context.core.knowledgebase(knowledgebase).streams.create(stream, columns, terms);
    return summaryOf(context.core, knowledgebase, stream);
  }),
  update: os.streams.update.handler(({ context, input }) => {
    const stream = context.core.knowledgebase(input.knowledgebase).streams.get(input.stream);
    const now = stream.settings();
    if (input.columns) checkColumns(input.columns);
    writeSettings(stream.paths.settings, {
      ...now,
      columns: input.columns === undefined ? now.columns : input.columns,
      recognise_equal_bodies: input.recogniseEqualBodies ?? now.recognise_equal_bodies,
      compaction: {
        policy: input.compaction?.policy ?? now.compaction.policy,
        files: input.compaction?.files ?? now.compaction.files,
        retention_days: input.compaction?.retentionDays ?? now.compaction.retention_days,
      },
      date_folders: input.dateFolders ?? now.date_folders,
      partial_landing: input.partialLanding ?? now.partial_landing,
    });
    return summaryOf(context.core, input.knowledgebase, stream.id);
  }),
  acknowledge: os.streams.acknowledge.handler(({ context, input }) => {
    const { ledger, streams: found } = context.core.knowledgebase(input.knowledgebase);
    const { id } = found.get(input.stream);
    ledger().alerts.acknowledge(id, new Date().toISOString());
    return summaryOf(context.core, input.knowledgebase, id);
  }),
  rates: os.streams.rates.handler(({ context, input }) => context.core.rates(input.knowledgebase)),
  columns: os.streams.columns.handler(({ context, input }) => {
    const { ledger, streams: found } = context.core.knowledgebase(input.knowledgebase);
    return ledger().columns.list(found.get(input.stream).id);
  }),
  profile: os.streams.profile.handler(({ context, input }) => {
    const knowledgebase = context.core.knowledgebase(input.knowledgebase);
    return profileColumns(knowledgebase, knowledgebase.streams.get(input.stream));
  }),
  rows: os.streams.rows.handler(({ context, input, signal }) => {
    const { knowledgebase: id, stream, ...request } = input;
    const knowledgebase = context.core.knowledgebase(id);
    return rowsPage(knowledgebase, knowledgebase.streams.get(stream), request, signal);
  }),
  batches: os.streams.batches.handler(({ context, input }) => {
    const { ledger, streams: found } = context.core.knowledgebase(input.knowledgebase);
    return ledger().batches.list(found.get(input.stream).id, input.limit, input.beforeSeq);
  }),
  batch: os.streams.batch.handler(({ context, input }) => {
    const { ledger, streams: found } = context.core.knowledgebase(input.knowledgebase);
    const batch = ledger().batches.place(found.get(input.stream).id, input.batchId);
    if (batch) return batch;
    throw new AppError('invalid_argument', `No batch "${input.batchId.slice(0, 60)}" has landed.`);
  }),
};

const summaryOf = (core: Core, knowledgebase: string, stream: string): StreamSummary => {
  const { id } = core.knowledgebase(knowledgebase).streams.get(stream);
  return core.listStreams(knowledgebase).find((one) => one.stream === id) as StreamSummary;
};
