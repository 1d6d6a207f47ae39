// Owns the procedures of the ontology: the model, its versions, and promotion.

import { setModelStore } from '../../engine/model-store.ts';
import { startApply, startPromotion } from '../../engine/promotion.ts';
import type { PlanEdit } from '../../model.ts';
import { restoreVersion } from '../../ontology/apply.ts';
import { accountName, type Ground } from '../../ontology/ground.ts';
import { shownPromotion } from '../../ontology/records.ts';
import {
  decideItem,
  editPlan,
  refusePlan,
  showEffect,
  showPlan,
  showSql,
  undoEdit,
} from '../../ontology/review.ts';
import {
  countTypes,
  diffVersions,
  modelDocument,
  showModel,
  showType,
} from '../../ontology/show.ts';
import type { Core } from '../../open-core.ts';
import { os } from './base.ts';

const groundOf = (core: Core, id: string): Ground => core.knowledgebase(id).ontology;

export const ontology = {
  get: os.ontology.get.handler(({ context, input }) =>
    showModel(groundOf(context.core, input.knowledgebase), input.version),
  ),
  counts: os.ontology.counts.handler(({ context, input }) =>
    countTypes(groundOf(context.core, input.knowledgebase)),
  ),
  type: os.ontology.type.handler(({ context, input }) =>
    showType(groundOf(context.core, input.knowledgebase), input.type),
  ),
  document: os.ontology.document.handler(({ context, input }) =>
    modelDocument(groundOf(context.core, input.knowledgebase), input.format, input.version),
  ),
  versions: os.ontology.versions.handler(({ context, input }) =>
    groundOf(context.core, input.knowledgebase).store().versions(),
  ),
  diff: os.ontology.diff.handler(({ context, input }) =>
    diffVersions(groundOf(context.core, input.knowledgebase), input.from, input.to),
  ),
  restore: os.ontology.restore.handler(({ context, input }) =>
    restoreVersion(groundOf(context.core, input.knowledgebase), input.version, {
      by: input.by ?? accountName(),
      why: input.why ?? `Restored v${input.version}.`,
    }),
  ),
  store: os.ontology.store.handler(({ context, input }) =>
    groundOf(context.core, input.knowledgebase).store().status(),
  ),
  setStore: os.ontology.setStore.handler(({ context, input }) =>
    setModelStore(context.core.knowledgebase(input.knowledgebase), input.store, input.model),
  ),
  promote: os.ontology.promote.handler(({ context, input }) =>
    startPromotion(context.core, input.knowledgebase, input.stream, input.by),
  ),
  promotions: os.ontology.promotions.handler(({ context, input }) =>
    groundOf(context.core, input.knowledgebase)
      .ledger()
      .promotions.list(input.limit)
      .map(shownPromotion),
  ),
  plan: os.ontology.plan.handler(({ context, input }) =>
    showPlan(groundOf(context.core, input.knowledgebase), input.promotion),
  ),
  edit: os.ontology.edit.handler(({ context, input }) =>
    // The type of a retype is checked when the edit is made; as text it says what is wrong with it.
    editPlan(groundOf(context.core, input.knowledgebase), input.promotion, input.edit as PlanEdit),
  ),
  undo: os.ontology.undo.handler(({ context, input }) =>
    undoEdit(groundOf(context.core, input.knowledgebase), input.promotion),
  ),
  decide: os.ontology.decide.handler(({ context, input }) =>
    decideItem(
      groundOf(context.core, input.knowledgebase),
      input.promotion,
      input.item,
      input.accepted,
    ),
  ),
  effect: os.ontology.effect.handler(({ context, input }) =>
    showEffect(groundOf(context.core, input.knowledgebase), input.promotion, input.type),
  ),
  sql: os.ontology.sql.handler(({ context, input }) => ({
    sql: showSql(groundOf(context.core, input.knowledgebase), input.promotion),
  })),
  apply: os.ontology.apply.handler(({ context, input }) =>
    startApply(context.core, input.knowledgebase, input.promotion, input, input.acceptRest),
  ),
  refuse: os.ontology.refuse.handler(({ context, input }) =>
    refusePlan(
      groundOf(context.core, input.knowledgebase),
      input.promotion,
      input.by ?? accountName(),
      input.why ?? '',
    ),
  ),
};
