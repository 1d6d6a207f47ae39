// Owns carrying out the contract's procedures over a Core. Never knows how they are carried: HTTP or MessagePort.

import { implement, ORPCError } from '@orpc/server';
import { contract } from '../contract.ts';
import { verify } from '../engine/verify.ts';
import { AppError } from '../errors.ts';
import type { Core } from '../index.ts';
import { createToken, revokeToken, shownToken } from '../knowledgebase/token-store.ts';
import { queryPage } from '../lake/query.ts';
import type { EngineStatus, StreamSummary } from '../model.ts';
import { pulses } from './pulses.ts';

/** What a procedure works on. */
export interface ProcedureContext {
  readonly core: Core;
  readonly status: () => EngineStatus;
}

const os = implement(contract)
  .$context<ProcedureContext>()
  .use(async ({ context, next }) => {
    try {
      return await next();
    } catch (error) {
      throw shownError(error, context);
    }
  });

/** The router; every handler may throw an AppError, which the caller sees with its code and next step. */
export const procedures = os.router({
  engine: {
    status: os.engine.status.handler(({ context }) => context.status()),
  },
  knowledgebases: {
    list: os.knowledgebases.list.handler(({ context }) => context.core.listKnowledgebases()),
    create: os.knowledgebases.create.handler(({ context, input }) => {
      const { id, paths } = context.core.createKnowledgebase(input.id);
      return { id, path: paths.root, streams: 0, fault: null };
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
  },
  streams: {
    list: os.streams.list.handler(({ context, input }) =>
      context.core.listStreams(input.knowledgebase),
    ),
    create: os.streams.create.handler(({ context, input }) => {
      const { streams } = context.core.knowledgebase(input.knowledgebase);
      const { id } = streams.create(input.stream, input.columns, input.recogniseEqualBodies);
      const list = context.core.listStreams(input.knowledgebase);
      return list.find(({ stream }) => stream === id) as StreamSummary;
    }),
    columns: os.streams.columns.handler(({ context, input }) => {
      const { ledger, streams } = context.core.knowledgebase(input.knowledgebase);
      return ledger().columns.list(streams.get(input.stream).id);
    }),
    batches: os.streams.batches.handler(({ context, input }) => {
      const { ledger, streams } = context.core.knowledgebase(input.knowledgebase);
      return ledger().batches.list(streams.get(input.stream).id, input.limit, input.beforeSeq);
    }),
  },
  rejects: {
    list: os.rejects.list.handler(({ context, input }) => {
      const { ledger, streams } = context.core.knowledgebase(input.knowledgebase);
      const id = input.stream === undefined ? undefined : streams.get(input.stream).id;
      return ledger().rejects.list(id, input.limit);
    }),
  },
  tokens: {
    list: os.tokens.list.handler(({ context, input }) =>
      context.core.knowledgebase(input.knowledgebase).settings().tokens.map(shownToken),
    ),
    create: os.tokens.create.handler(({ context, input }) =>
      createToken(context.core.knowledgebase(input.knowledgebase), input.stream, input.label),
    ),
    revoke: os.tokens.revoke.handler(({ context, input }) =>
      revokeToken(context.core.knowledgebase(input.knowledgebase), input.id),
    ),
  },
  query: {
    run: os.query.run.handler(({ context, input, signal }) => {
      const { knowledgebase, sql, ...options } = input;
      return queryPage(context.core.knowledgebase(knowledgebase).query, sql, {
        ...options,
        ...(signal ? { signal } : {}),
      });
    }),
  },
  live: {
    pulses: os.live.pulses.handler(({ context, signal }) => pulses(context.core.onNews, signal)),
  },
});

const shownError = (error: unknown, { core }: ProcedureContext): unknown => {
  if (error instanceof AppError) return carried(error);
  if (error instanceof ORPCError) {
    return error.code === 'BAD_REQUEST' ? carried(wrongInput(error.data)) : error;
  }
  core.log.error(error, { part: 'procedure' });
  return carried(new AppError('internal', 'Something went wrong inside Strata.'));
};

const carried = ({ code, status, message, hint, details }: AppError): unknown =>
  new ORPCError(code, { status, message, data: { hint, details } });

interface Issue {
  readonly path?: readonly (string | number)[];
  readonly message: string;
}

/** What the contract's validation found, in the catalogue's terms. */
const wrongInput = (data: unknown): AppError => {
  const { issues = [] } = (data ?? {}) as { issues?: readonly Issue[] };
  const found = issues.map(({ path = [], message }) => `${path.join('.') || 'input'}: ${message}.`);
  return new AppError('invalid_argument', ['The input cannot be used.', ...found].join(' '), {
    details: { issues },
  });
};
