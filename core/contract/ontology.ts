// Owns the procedures of the ontology: the model, its versions, and promotion from a stream to a new version.
// Never implements one.

import { oc, type } from '@orpc/contract';
import { z } from 'zod';
import type {
  Job,
  ModelDiff,
  ModelView,
  Plan,
  PromotionSummary,
  StoreStatus,
  TypeDetail,
  TypeEffect,
  VersionSummary,
} from '../model.ts';
import { id, knowledgebase, page, stream } from './inputs.ts';

const version = z.number().int().min(1);
const name = z.string().min(1).max(255);
const promotion = knowledgebase.extend({ promotion: z.string().min(1).max(64) });
const who = { by: z.string().min(1).max(120).optional(), why: z.string().max(1_000).optional() };

/** As PlanEdit in core/model/ontology.ts says. */
const edit = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rename'),
    type: name,
    attribute: name.optional(),
    name: z.string().max(1_000),
  }),
  z.object({
    kind: z.literal('retype'),
    type: name,
    attribute: name,
    to: z.string().max(40),
    format: z.string().max(40).nullable().optional(),
  }),
  z.object({
    kind: z.literal('merge'),
    type: name,
    into: name,
    on: z.record(name, name).optional(),
  }),
  z.object({ kind: z.literal('keep-apart'), type: name }),
  z.object({
    kind: z.literal('split'),
    type: name,
    key: z.array(name).min(1).max(8),
    attributes: z.array(name).max(2_000),
    name: z.string().max(1_000),
  }),
  z.object({ kind: z.literal('drop'), type: name, attribute: name.optional() }),
  z.object({ kind: z.literal('key'), type: name, key: z.array(name).max(8) }),
  z.object({ kind: z.literal('refuse'), item: z.string().min(1).max(400) }),
]);

export const ontology = {
  /** The model at a version, the newest unless said, with the open plans. Reads the store, never kb.duckdb. */
  get: oc.input(knowledgebase.extend({ version: version.optional() })).output(type<ModelView>()),
  /** Rows of every type's view now, by type id; null where a view cannot be read. Counts the streams: not for a poll. */
  counts: oc.input(knowledgebase).output(type<Record<string, number | null>>()),
  /** One type of the newest version: its SQL, rows now, a sample, who refers to it. */
  type: oc.input(knowledgebase.extend({ type: name })).output(type<TypeDetail>()),
  /** The model to hand over: a JSON document, or Markdown. Also GET /model/{kb}.json and /model/{kb}.md. */
  document: oc
    .input(
      knowledgebase.extend({ version: version.optional(), format: z.enum(['json', 'markdown']) }),
    )
    .output(type<{ name: string; text: string }>()),

  /** Newest first. */
  versions: oc.input(knowledgebase).output(type<VersionSummary[]>()),
  diff: oc.input(knowledgebase.extend({ from: version, to: version })).output(type<ModelDiff>()),
  /** Makes an old version the newest, as a new version. `model_store_none`, `promotion_running`, `no_such_version`. */
  restore: oc.input(knowledgebase.extend({ version, ...who })).output(type<VersionSummary>()),

  store: oc.input(knowledgebase).output(type<StoreStatus>()),
  /** `none`, `sqlite`, or a PostgreSQL URL. No answer ever has its password. */
  setStore: oc
    .input(knowledgebase.extend({ store: z.string().max(2_000), model: id.nullable().optional() }))
    .output(type<StoreStatus>()),

  /**
   * Starts a promotion: snapshot, profile, match, synthesis. The job's result is `{promotion, state}`; state is
   * `open` with a plan, or `unchanged`. Refused at once with 409: `model_store_none`, `stream_has_no_rows`,
   * `promotion_running` (its `details.holder` names it).
   */
  promote: oc.input(stream.extend({ by: who.by })).output(type<Job>()),
  /** The record of promotions, newest first. */
  promotions: oc.input(knowledgebase.extend(page)).output(type<PromotionSummary[]>()),
  /** An open plan, or the plan of an applied one as it was. `no_such_plan` once it was refused. */
  plan: oc.input(promotion).output(type<Plan>()),
  /** Adds an edit; `edit_not_possible` says why not, and nothing changes then. Undecides the items it touches. */
  edit: oc.input(promotion.extend({ edit })).output(type<Plan>()),
  /** Takes the last edit back. */
  undo: oc.input(promotion).output(type<Plan>()),
  /** Accepts an item, or leaves it undecided again. To refuse one is an edit. */
  decide: oc
    .input(promotion.extend({ item: z.string().min(1).max(400), accepted: z.boolean() }))
    .output(type<Plan>()),
  /** What a type of the plan does to the snapshot's rows: a sample, what fails, what disagrees. */
  effect: oc.input(promotion.extend({ type: name })).output(type<TypeEffect>()),
  /** Everything that applying would run on kb.duckdb, to be read. */
  sql: oc.input(promotion).output(type<{ sql: string }>()),
  /**
   * Applies a plan as the next version; the job's result is `{version}`. `plan_undecided` unless every item is
   * decided or `acceptRest`; `plan_outdated` when another version was applied since.
   */
  apply: oc
    .input(promotion.extend({ ...who, acceptRest: z.boolean().default(false) }))
    .output(type<Job>()),
  /** Refuses the whole plan: its snapshot and evidence go, the record stays. */
  refuse: oc.input(promotion.extend(who)).output(type<PromotionSummary>()),
};
