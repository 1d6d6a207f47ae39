// Owns the router: every procedure of the contract, in the contract's order.
// Never knows how they are carried: HTTP or MessagePort.

import { createToken, revokeToken, shownToken } from '../../knowledgebase/token-store.ts';
import { pulses } from '../pulses.ts';
import { os } from './base.ts';
import { compaction } from './compaction.ts';
import { knowledgebases } from './knowledgebases.ts';
import { ontology } from './ontology.ts';
import { jobs, query } from './queries.ts';
import { rejects } from './rejects.ts';
import { streams } from './streams.ts';

export type { ProcedureContext } from './base.ts';

export const procedures = os.router({
  engine: {
    status: os.engine.status.handler(({ context }) => context.status()),
    log: os.engine.log.handler(({ context, input }) => context.core.logLines(input.limit)),
  },
  knowledgebases,
  streams,
  compaction,
  rejects,
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
  query,
  ontology,
  jobs,
  live: {
    pulses: os.live.pulses.handler(({ context, signal }) =>
      pulses(context.core.onNewsOfAll, signal),
    ),
  },
});
