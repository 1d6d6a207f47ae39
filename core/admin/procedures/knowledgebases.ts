// Owns the procedures over whole knowledgebases.

import { statfs } from 'node:fs/promises';
import { verify } from '../../engine/verify.ts';
import { writeSettings } from '../../knowledgebase/settings.ts';
import type { KnowledgebaseSummary, KnowledgebaseView } from '../../model.ts';
import type { Core } from '../../open-core.ts';
import { os } from './base.ts';

export const knowledgebases = {
  list: os.knowledgebases.list.handler(({ context }) => context.core.listKnowledgebases()),
  create: os.knowledgebases.create.handler(({ context, input }) => {
    const { id } = context.core.createKnowledgebase(input.id);
    return summaryOf(context.core, id);
  }),
  open: os.knowledgebases.open.handler(async ({ context, input }) => {
    const { id } = await context.core.openFolder(input.path);
    return summaryOf(context.core, id);
  }),
  forget: os.knowledgebases.forget.handler(({ context, input }) =>
    context.core.forgetKnowledgebase(input.knowledgebase),
  ),
  get: os.knowledgebases.get.handler(({ context, input }) =>
    viewOf(context.core, input.knowledgebase),
  ),
  update: os.knowledgebases.update.handler(({ context, input }) => {
    const { settings, paths } = context.core.knowledgebase(input.knowledgebase);
    const now = settings();
    writeSettings(paths.settings, {
      ...now,
      create_streams_on_first_post:
        input.createStreamsOnFirstPost ?? now.create_streams_on_first_post,
      max_body_bytes: input.maxBodyBytes ?? now.max_body_bytes,
    });
    return viewOf(context.core, input.knowledgebase);
  }),
  verify: os.knowledgebases.verify.handler(({ context, input, signal }) =>
    verify(context.core.knowledgebase(input.knowledgebase), signal ? { signal } : {}),
  ),
  repair: os.knowledgebases.repair.handler(({ context, input }) =>
    context.core.repair(input.knowledgebase),
  ),
  syncViews: os.knowledgebases.syncViews.handler(async ({ context, input }) => {
    const { views } = context.core.knowledgebase(input.knowledgebase);
    views.request();
    const done = await views.settled(10_000);
    return { done, waitingFor: views.waitingFor };
  }),
  events: os.knowledgebases.events.handler(({ context, input }) =>
    context.core.knowledgebase(input.knowledgebase).ledger().events.list(input.limit),
  ),
};

const viewOf = async (core: Core, id: string): Promise<KnowledgebaseView> => {
  const { paths, settings, id: own } = core.knowledgebase(id);
  const now = settings();
  const { bavail, bsize } = await statfs(paths.root);
  return {
    ...summaryOf(core, own),
    createdAt: now.created_at,
    createStreamsOnFirstPost: now.create_streams_on_first_post,
    maxBodyBytes: now.max_body_bytes,
    freeBytes: bavail * bsize,
  };
};

const summaryOf = (core: Core, id: string): KnowledgebaseSummary =>
  core.listKnowledgebases().find((one) => one.id === id) as KnowledgebaseSummary;
