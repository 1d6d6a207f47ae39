// Owns the procedures of the query screen: running, history, saved ones, exports.

import { startExport } from '../../engine/export.ts';
import { AppError } from '../../errors.ts';
import { queryPage } from '../../lake/query.ts';
import { os } from './base.ts';

export const query = {
  run: os.query.run.handler(async ({ context, input, signal }) => {
    const { knowledgebase: id, sql, ...options } = input;
    const knowledgebase = context.core.knowledgebase(id);
    const at = new Date().toISOString();
    const note = (elapsedMs: number | null, fault: string | null): void => {
      // A page further on is not another run.
      if (options.offset > 0) return;
      try {
        knowledgebase.ledger().queries.note({ sql, at, elapsedMs, fault });
      } catch (error) {
        // A history that cannot be written (a full disk) does not take the answer with it.
        context.core.log.error(error, { part: 'query history' });
      }
    };
    try {
      const page = await queryPage(knowledgebase.query, sql, {
        ...options,
        ...(signal ? { signal } : {}),
      });
      note(page.elapsedMs, null);
      return page;
    } catch (error) {
      if (error instanceof AppError) note(null, error.message);
      throw error;
    }
  }),
  history: os.query.history.handler(({ context, input }) =>
    context.core.knowledgebase(input.knowledgebase).ledger().queries.history(input.limit),
  ),
  saved: os.query.saved.handler(({ context, input }) =>
    context.core.knowledgebase(input.knowledgebase).ledger().queries.saved(),
  ),
  save: os.query.save.handler(({ context, input }) => {
    const { queries } = context.core.knowledgebase(input.knowledgebase).ledger();
    return queries.save(input.name, input.sql, new Date().toISOString());
  }),
  remove: os.query.remove.handler(({ context, input }) => {
    context.core.knowledgebase(input.knowledgebase).ledger().queries.remove(input.id);
    return { id: input.id };
  }),
  export: os.query.export.handler(({ context, input }) => startExport(context.core, input)),
};

export const jobs = {
  list: os.jobs.list.handler(({ context }) => context.core.jobs.list()),
  cancel: os.jobs.cancel.handler(({ context, input }) => context.core.jobs.cancel(input.id)),
};
