// Owns the one list of procedures and live events between core and a face, typed and validated once; the parts are in contract/.
// Never implements one; admin/procedures does. Faces import its type alone.

import { compaction } from './contract/compaction.ts';
import { engine, jobs, live } from './contract/engine.ts';
import { knowledgebases, tokens } from './contract/knowledgebases.ts';
import { ontology } from './contract/ontology.ts';
import { query } from './contract/query.ts';
import { rejects } from './contract/rejects.ts';
import { streams } from './contract/streams.ts';

/**
 * The contract. Errors travel with their code of the catalogue, message, and `{hint, details}` as data.
 * Served over loopback HTTP at /rpc with a bearer token; the window speaks the same over a MessagePort.
 */
export const contract = {
  engine,
  knowledgebases,
  streams,
  compaction,
  rejects,
  tokens,
  query,
  ontology,
  jobs,
  live,
};
