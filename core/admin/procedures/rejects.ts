// Owns the procedures over rejects: what the window does, in the window's name.

import { exportName, exportPath } from '../../engine/export.ts';
import { attemptToRead, bodyToRead } from '../../engine/rejects/bodies.ts';
import { rejectDetail } from '../../engine/rejects/detail.ts';
import { exportRejects, reportRejects } from '../../engine/rejects/export.ts';
import { findReject, listRejects } from '../../engine/rejects/find.ts';
import { groupRejects } from '../../engine/rejects/groups.ts';
import { discardMany, reopenMany, replayMany } from '../../engine/rejects/many.ts';
import { letIn, previewFixes } from '../../engine/rejects/preview.ts';
import {
  createRecipe,
  findRecipe,
  listRecipes,
  recipeAnywhere,
  removeRecipe,
  updateRecipe,
} from '../../engine/rejects/recipes.ts';
import { replayReject } from '../../engine/rejects/replay.ts';
import {
  applyRetention,
  previewRetention,
  retentionOf,
  retentionView,
  updateRetention,
} from '../../engine/rejects/retention.ts';
import { rulesOf } from '../../engine/rejects/rules.ts';
import { discardReject, reopenReject } from '../../engine/rejects/set-aside.ts';
import { os } from './base.ts';

const WINDOW = { by: 'window', recipeId: null, operation: null };

export const rejects = {
  list: os.rejects.list.handler(({ context, input, signal }) => {
    const { knowledgebase, limit, cursor, ...filter } = input;
    return listRejects(context.core.knowledgebase(knowledgebase), filter, limit, cursor, signal);
  }),
  groups: os.rejects.groups.handler(({ context, input, signal }) => {
    const { knowledgebase, ...filter } = input;
    return groupRejects(context.core.knowledgebase(knowledgebase), filter, signal);
  }),
  get: os.rejects.get.handler(({ context, input, signal }) => {
    const { stream, rejectId } = input;
    return rejectDetail(context.core.knowledgebase(input.knowledgebase), stream, rejectId, signal);
  }),
  body: os.rejects.body.handler(({ context, input, signal }) => {
    const knowledgebase = context.core.knowledgebase(input.knowledgebase);
    const reject = findReject(knowledgebase, input.stream, input.rejectId);
    const { attempt } = input;
    const body =
      attempt === undefined
        ? bodyToRead(knowledgebase, reject)
        : attemptToRead(knowledgebase, reject, attempt);
    return knowledgebase.desk.run('page', { body, range: input.range }, signal);
  }),
  check: os.rejects.check.handler(({ context, input, signal }) => {
    const knowledgebase = context.core.knowledgebase(input.knowledgebase);
    const reject = findReject(knowledgebase, input.stream, input.rejectId);
    const { body, edits, fixes } = input;
    const task = {
      body: bodyToRead(knowledgebase, reject),
      ...{ mend: { body, edits, fixes }, rules: rulesOf(knowledgebase, reject) },
    };
    return knowledgebase.desk.run('check', task, signal);
  }),
  preview: os.rejects.preview.handler(({ context, input, signal }) =>
    previewFixes(
      context.core.knowledgebase(input.knowledgebase),
      input.selection,
      input.fixes ?? [],
      signal,
    ),
  ),
  replay: os.rejects.replay.handler(async ({ context, input }) => {
    const { stream, rejectId, recipe, body, edits, fixes } = input;
    const rejectContext = context.core.rejects(input.knowledgebase);
    const { knowledgebase } = rejectContext;
    const used = recipe === undefined ? undefined : findRecipe(knowledgebase, stream, recipe);
    const actor = used ? { ...WINDOW, by: `recipe ${used.name}`, recipeId: used.id } : WINDOW;
    const mend = { body, edits, fixes: fixes ?? used?.fixes };
    const done = await replayReject(rejectContext, stream, rejectId, mend, actor);
    const reject = await rejectDetail(knowledgebase, stream, rejectId);
    if (done.landed) {
      const message = `The reject ${rejectId} landed as ${reject.landedAs} (${actor.by}).`;
      knowledgebase.tell('reject-landed', message, reject.stream);
    }
    return { ...done, reject };
  }),
  replayMany: os.rejects.replayMany.handler(({ context, input }) => {
    const { selection, fixes, recipe } = input;
    const rejectContext = context.core.rejects(input.knowledgebase);
    const { knowledgebase } = rejectContext;
    const used = recipe === undefined ? undefined : recipeAnywhere(knowledgebase, recipe);
    const actor = used ? { by: `recipe ${used.name}`, recipeId: used.id } : WINDOW;
    return replayMany(rejectContext, selection, fixes ?? used?.fixes ?? [], actor);
  }),
  discard: os.rejects.discard.handler(({ context, input }) => {
    const { stream, rejectId } = input;
    const rejectContext = context.core.rejects(input.knowledgebase);
    discardReject(rejectContext, stream, rejectId, WINDOW);
    return rejectDetail(rejectContext.knowledgebase, stream, rejectId);
  }),
  reopen: os.rejects.reopen.handler(({ context, input }) => {
    const { stream, rejectId } = input;
    const rejectContext = context.core.rejects(input.knowledgebase);
    reopenReject(rejectContext, stream, rejectId, WINDOW);
    return rejectDetail(rejectContext.knowledgebase, stream, rejectId);
  }),
  discardMany: os.rejects.discardMany.handler(({ context, input }) =>
    discardMany(context.core.rejects(input.knowledgebase), input.selection, WINDOW),
  ),
  reopenMany: os.rejects.reopenMany.handler(({ context, input }) =>
    reopenMany(context.core.rejects(input.knowledgebase), input.selection, WINDOW),
  ),
  letIn: os.rejects.letIn.handler(({ context, input, signal }) =>
    letIn(context.core.knowledgebase(input.knowledgebase), input.stream, input.columns, signal),
  ),
  export: os.rejects.export.handler(({ context, input }) => {
    const file = exportName(input.name, 'tar');
    const path = exportPath(context.core, input.path, file);
    return exportRejects(context.core.rejects(input.knowledgebase), input.selection, file, path);
  }),
  report: os.rejects.report.handler(async ({ context, input }) => {
    const knowledgebase = context.core.knowledgebase(input.knowledgebase);
    return { text: await reportRejects(knowledgebase, input.selection, input.withData) };
  }),
  recipes: {
    list: os.rejects.recipes.list.handler(({ context, input }) =>
      listRecipes(context.core.knowledgebase(input.knowledgebase), input.stream),
    ),
    create: os.rejects.recipes.create.handler(({ context, input }) =>
      createRecipe(context.core.knowledgebase(input.knowledgebase), input, input),
    ),
    update: os.rejects.recipes.update.handler(({ context, input }) => {
      const { knowledgebase, stream, id, ...change } = input;
      return updateRecipe(context.core.knowledgebase(knowledgebase), stream, id, change);
    }),
    remove: os.rejects.recipes.remove.handler(({ context, input }) => {
      removeRecipe(context.core.knowledgebase(input.knowledgebase), input.stream, input.id);
      return { id: input.id };
    }),
  },
  retention: {
    get: os.rejects.retention.get.handler(({ context, input }) =>
      retentionView(context.core.knowledgebase(input.knowledgebase)),
    ),
    update: os.rejects.retention.update.handler(({ context, input }) => {
      const knowledgebase = context.core.knowledgebase(input.knowledgebase);
      updateRetention(knowledgebase, input);
      return retentionView(knowledgebase);
    }),
    preview: os.rejects.retention.preview.handler(({ context, input }) => {
      const knowledgebase = context.core.knowledgebase(input.knowledgebase);
      const now = retentionOf(knowledgebase);
      const { days = now.days, bytes = now.bytes } = input;
      return previewRetention(knowledgebase, { days, bytes });
    }),
    apply: os.rejects.retention.apply.handler(({ context, input }) =>
      applyRetention(context.core.rejects(input.knowledgebase)),
    ),
  },
};
