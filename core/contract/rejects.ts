// Owns the procedures over rejects. Never implements one.

import { oc, type } from '@orpc/contract';
import type { Reject } from '../model.ts';
import { id, knowledgebase, page } from './inputs.ts';

export const rejects = {
  /** Newest first, of a stream or of all. */
  list: oc.input(knowledgebase.extend({ ...page, stream: id.optional() })).output(type<Reject[]>()),
};
