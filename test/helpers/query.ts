// Owns running a person's SQL in a test over an empty knowledgebase of its own.
// Never opens a server.

import { createKnowledgebase } from '../../core/knowledgebase/create.ts';
import { lakesHere } from '../../core/lake/apart/here.ts';
import { openGate } from '../../core/lake/gate.ts';
import type { QueryContext } from '../../core/lake/query.ts';
import { syncViews } from '../../core/lake/views.ts';
import { tempFolder } from './server.ts';

/** What a query needs, for a new knowledgebase whose kb.duckdb is there and has no stream. */
export const emptyContext = async (): Promise<QueryContext> => {
  const paths = createKnowledgebase(tempFolder(), 'k');
  await syncViews(paths, []);
  const lake = lakesHere().reading;
  return { paths, gate: openGate(), lake, streams: () => [], refresh: async () => {} };
};
