// Owns the procedures over knowledgebases and their tokens. Never implements one.

import { oc, type } from '@orpc/contract';
import { z } from 'zod';
import type {
  CoreEvent,
  KnowledgebaseSummary,
  KnowledgebaseView,
  Proof,
  Repair,
  TokenSummary,
} from '../model.ts';
import { id, knowledgebase, page } from './inputs.ts';

export const knowledgebases = {
  list: oc.output(type<KnowledgebaseSummary[]>()),
  create: oc.input(z.object({ id })).output(type<KnowledgebaseSummary>()),
  /** Opens the knowledgebase in a folder that is anywhere on the engine's machine, and remembers it. */
  open: oc.input(z.object({ path: z.string().min(1) })).output(type<KnowledgebaseSummary>()),
  /** Takes a knowledgebase off the list, closing it; nothing on disk is touched. Opening it puts it back. */
  forget: oc.input(knowledgebase).output(type<KnowledgebaseSummary>()),
  /** One knowledgebase: its settings, where it is, and the room left on its disk. */
  get: oc.input(knowledgebase).output(type<KnowledgebaseView>()),
  update: oc
    .input(
      knowledgebase.extend({
        createStreamsOnFirstPost: z.boolean().optional(),
        maxBodyBytes: z.number().int().min(1_024).max(64_000_000).optional(),
      }),
    )
    .output(type<KnowledgebaseView>()),
  /** Proves the promises; see Proof. */
  verify: oc.input(knowledgebase).output(type<Proof>()),
  repair: oc.input(knowledgebase).output(type<Repair>()),
  /** Brings the views in line with the folder, now; false when something still holds kb.duckdb. */
  syncViews: oc.input(knowledgebase).output(type<{ done: boolean; waitingFor: string | null }>()),
  /** Newest first. */
  events: oc.input(knowledgebase.extend(page)).output(type<CoreEvent[]>()),
};

export const tokens = {
  list: oc.input(knowledgebase).output(type<TokenSummary[]>()),
  /** The secret is in this answer and nowhere else. */
  create: oc
    .input(
      z.object({
        knowledgebase: id,
        stream: id.nullable().default(null),
        label: z.string().max(80).default(''),
      }),
    )
    .output(type<{ token: TokenSummary; secret: string }>()),
  revoke: oc.input(z.object({ knowledgebase: id, id: z.string() })).output(type<TokenSummary>()),
};
