// Owns the procedures over whole knowledgebases.

import { statfs } from 'node:fs/promises';
import { verify } from '../../engine/verify.ts';
import { AppError } from '../../errors.ts';
import { writeSettings } from '../../knowledgebase/settings.ts';
import type { KnowledgebaseView } from '../../model.ts';
import type { Core } from '../../open-core.ts';
import { os } from './base.ts';

export const knowledgebases = {
  list: os.knowledgebases.list.handler(({ context }) => context.core.listKnowledgebases()),
  create: os.knowledgebases.create.handler(({ context, input }) => {
    const { id, paths } = context.core.createKnowledgebase(input.id);
    return { id, path: paths.root, streams: 0, inHome: true, fault: null };
  }),
  open: os.knowledgebases.open.handler(() => {
    throw new AppError('not_ready', 'Opening a folder elsewhere is not built yet.');
  }),
  forget: os.knowledgebases.forget.handler(() => {
    throw new AppError('not_ready', 'Forgetting a knowledgebase is not built yet.');
  }),
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
  const { paths, settings, streams, id: own } = core.knowledgebase(id);
  const now = settings();
  const { bavail, bsize } = await statfs(paths.root);
  return {
    id: own,
    path: paths.root,
    streams: streams.list().length,
    inHome: true,
    fault: null,
    createdAt: now.created_at,
    createStreamsOnFirstPost: now.create_streams_on_first_post,
    maxBodyBytes: now.max_body_bytes,
    freeBytes: bavail * bsize,
  };
};
