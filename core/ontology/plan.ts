// Owns deriving a plan: from what was measured, the model it started from, and what a person changed. Pure.
// Never stores a plan; promote.ts does, as the document that this one reads.

import type { Model, Plan, PlanEdit, PlannedColumn, Profile, PromotionSummary } from '../model.ts';
import { checkHash, fedBy } from './check.ts';
import { diffModels } from './diff.ts';
import { applyEdit } from './edit.ts';
import { matchColumns } from './match.ts';
import type { Derived, PlanDocument } from './plan-document.ts';
import { itemsOf, refusedItems } from './plan-items.ts';
import { propose } from './propose.ts';
import { synthesise } from './synthesise.ts';

/** The model after every edit. Throws `edit_not_possible` when one does not fit what the others left. */
export const deriveModel = (
  document: PlanDocument,
  edits: readonly PlanEdit[] = document.edits,
): Derived => {
  const { base, profile } = document;
  const synthesis = synthesise(profile);
  const matches = matchColumns(profile.stream, profile.columns, base);
  const apart = new Set(edits.flatMap((edit) => (edit.kind === 'keep-apart' ? [edit.type] : [])));
  const proposed = propose({ base, profile, synthesis, matches, apart });
  let { model } = proposed;
  for (const edit of edits) model = applyEdit({ model, base, stream: profile.stream }, edit);
  return { ...proposed, model, synthesis };
};

/** The types whose check is missing or of another definition. */
export const uncheckedTypes = (document: PlanDocument, model: Model) =>
  fedBy(model, document.profile.stream).filter(
    (type) => document.checks[type.id]?.hash !== checkHash(type),
  );

/** The plan as a face shows it. */
export const planOf = (
  document: PlanDocument,
  promotion: PromotionSummary,
  current: number | null,
): Plan => {
  const derived = deriveModel(document);
  const { profile, edits, base, snapshot } = document;
  const items = [
    ...itemsOf(document, derived),
    ...refusedItems(
      document,
      deriveModel(
        document,
        edits.filter(({ kind }) => kind !== 'refuse'),
      ),
    ),
  ];
  return {
    ...{ promotion: { ...promotion, ...countsOf(items) }, snapshot },
    next: promotion.version ?? (current ?? 0) + 1,
    outdated: promotion.state === 'open' && current !== document.baseVersion,
    items,
    columns: profile.columns.map((column) => plannedColumn(document, derived.model, column.column)),
    seen: derived.synthesis.seen,
    ...{ edits, model: withChecks(document, derived.model), before: base },
  };
};

/** How many items there are, and how many are decided. */
export const countsOf = (
  items: readonly { readonly decision: unknown }[],
): { items: number; decided: number } => ({
  items: items.length,
  decided: items.filter(({ decision }) => decision !== null).length,
});

/** The model with what its checks found as evidence. */
export const withChecks = ({ checks, profile }: PlanDocument, model: Model): Model => ({
  ...model,
  types: model.types.map((type) => {
    const check = checks[type.id];
    if (!check || check.hash !== checkHash(type)) return type;
    const onlyHere = type.streams.length === 1;
    return {
      ...type,
      // Of a type that other streams feed too, the snapshot tells a part.
      rows: onlyHere ? check.rows : type.rows,
      repeated: check.repeated,
      attributes: type.attributes.map((attribute) => {
        const found = check.casts[attribute.name];
        if (!attribute.evidence || attribute.evidence.stream !== profile.stream || !found)
          return attribute;
        const { casts, fails } = found;
        const conflicts = check.conflicts[attribute.name] ?? 0;
        return { ...attribute, evidence: { ...attribute.evidence, casts, fails, conflicts } };
      }),
    };
  }),
});

const plannedColumn = (document: PlanDocument, model: Model, column: string): PlannedColumn => {
  const { profile, base, checks } = document;
  const { stream } = profile;
  const evidence = profile.columns.find((one) => one.column === column);
  const places = (of: Model) =>
    of.types.flatMap((type) =>
      type.attributes
        .filter(({ sources }) =>
          sources.some((one) => one.stream === stream && one.column === column),
        )
        .map((attribute) => ({ type, attribute })),
    );
  const found = places(model);
  // A key stands on the fact as well, as a reference; its own type says more.
  const place = found.find(({ attribute }) => attribute.role !== 'reference') ?? found[0];
  const checked = place && checks[place.type.id];
  const check = checked?.columns?.[column] ?? (place && checked?.casts[place.attribute.name]);
  const source = place?.attribute.sources.find(
    (one) => one.stream === stream && one.column === column,
  );
  const cast = check ?? evidence?.readAs;
  return {
    column,
    type: place?.type.id ?? null,
    attribute: place?.attribute.name ?? null,
    readAs: place
      ? { type: place.attribute.type, format: source?.format ?? null }
      : { type: 'VARCHAR', format: null },
    ...{ casts: cast?.casts ?? 0, fails: cast?.fails ?? 0, failing: cast?.failing ?? [] },
    words: wordsOf(evidence),
    flags: evidence?.flags ?? [],
    known: places(base).length > 0,
  };
};

const wordsOf = (evidence: Profile['columns'][number] | undefined): string => {
  if (!evidence) return '';
  const { readAs, from, to, reason, kind, top } = evidence;
  if (readAs.type === 'VARCHAR') {
    const example = top[0]?.value ?? '';
    return kind === 'empty' ? reason : `${example.slice(0, 40)}: ${reason}`;
  }
  return from === to ? (from ?? '') : `${from} to ${to}`;
};

/** Whether there is nothing in a plan for a person to decide. */
export const isUnchanged = (document: PlanDocument): boolean => {
  const derived = deriveModel(document);
  return (
    diffModels(document.base, derived.model).length === 0 && itemsOf(document, derived).length === 0
  );
};
