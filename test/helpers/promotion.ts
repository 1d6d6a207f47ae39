// Owns what the tests of promotion share: landing records, promoting to an open plan, applying it.
// Never looks at what came of it.

import { readFileSync } from 'node:fs';
import type { OpenKnowledgebase } from '../../core/engine/open.ts';
import { queryPage } from '../../core/lake/query.ts';
import type { Plan, PromotionSummary, VersionSummary } from '../../core/model.ts';
import { beginApply } from '../../core/ontology/apply.ts';
import { beginPromotion } from '../../core/ontology/promote.ts';
import { showPlan } from '../../core/ontology/review.ts';
import { land, type TestCore } from './core.ts';
import type { Sent } from './measured.ts';

/** The worked example. */
export const PAY = readFileSync(new URL('../fixtures/pay.ndjson', import.meta.url), 'utf8');
export const EXPECTED = JSON.parse(
  readFileSync(new URL('../fixtures/pay-expected.json', import.meta.url), 'utf8'),
) as {
  readonly object_types: readonly {
    name: string;
    kind: string;
    key: string;
    attributes?: string[];
  }[];
  readonly types: Readonly<Record<string, string>>;
  readonly answer: readonly (readonly [string, number])[];
};

/** The question of the worked example, asked of the ontology. */
export const QUESTION = `
  SELECT d.department, round(avg(f.annual_salary), 2)
  FROM ontology."PayFact" AS f JOIN ontology."Department" AS d ON f.department = d.department
  GROUP BY d.department ORDER BY d.department`;

/** Lands records as one batch of a stream of `k`. */
export const landRecords = (
  core: TestCore,
  stream: string,
  records: readonly Sent[],
  batchId?: string,
) => land(core, stream, records.map((one) => JSON.stringify(one)).join('\n'), batchId);

/** Promotes a stream to its end without applying. */
export const promoteOnly = async (
  kb: OpenKnowledgebase,
  stream: string,
): Promise<PromotionSummary> =>
  (await beginPromotion(kb.ontology, stream, 'analyst')).run(() => {});

/** Promotes a stream; fails unless that leaves an open plan. */
export const promoteToPlan = async (kb: OpenKnowledgebase, stream: string): Promise<Plan> => {
  const { id, state, words } = await promoteOnly(kb, stream);
  if (state !== 'open') throw new Error(`The promotion is ${state}: ${words}`);
  return showPlan(kb.ontology, id);
};

/** Applies an open plan with whatever is undecided. */
export const applyPlan = async (
  kb: OpenKnowledgebase,
  { promotion }: Pick<Plan, 'promotion'>,
  why = 'a test',
): Promise<VersionSummary> =>
  (await beginApply(kb.ontology, promotion.id, { by: 'analyst', why }, true)).run();

/** Promotes a stream and applies its plan. */
export const promoteAndApply = async (
  kb: OpenKnowledgebase,
  stream: string,
): Promise<VersionSummary> => applyPlan(kb, await promoteToPlan(kb, stream));

/** Rows of a query, as a person gets them. */
export const rowsOf = async (kb: OpenKnowledgebase, sql: string): Promise<(string | null)[][]> =>
  (await queryPage(kb.query, sql)).rows as (string | null)[][];
