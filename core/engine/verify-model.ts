// Owns proving the model of a knowledgebase: every view of it binds, and what it was made from is known.
// Never mends anything.

import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { readKb } from '../lake/kb-file.ts';
import type { ModelProof, ModelVersion } from '../model.ts';
import { viewsOf } from '../ontology/generate.ts';
import { hasStream } from '../ontology/ground.ts';
import { readEvidence } from '../ontology/records.ts';
import { hashOfBatches } from '../ontology/snapshot.ts';
import { viewFaults } from '../ontology/sync-views.ts';
import type { OpenKnowledgebase } from './open.ts';

/** How many batches of one kind are named. */
const NAMED = 20;
/** How often, and how soon, views that do not bind are looked at again. */
const TRIES = 10;
const AGAIN_MS = 200;

/** Verifies the newest version. Null where there is none; what differs goes into `differences`. */
export const verifyModel = async (
  knowledgebase: OpenKnowledgebase,
  differences: string[],
): Promise<ModelProof | null> => {
  const { ontology } = knowledgebase;
  let current: ModelVersion | undefined;
  try {
    current = await ontology.store().current();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    differences.push(`The model cannot be verified: ${error.message}`);
    return null;
  }
  if (!current) return null;
  const { version, model } = current;
  // A version that was applied a moment ago may still wait for its views.
  let faults = await faultsOf(knowledgebase, current);
  for (let tries = 0; faults.length > 0 && tries < TRIES; tries += 1) {
    await wait(AGAIN_MS);
    faults = await faultsOf(knowledgebase, current);
  }
  differences.push(...faults, ...snapshotDifferences(knowledgebase, current));
  const views = viewsOf(model, hasStream(ontology)).length;
  return { version, types: model.types.length, views, bound: views - faults.length };
};

const faultsOf = async (
  { ontology }: OpenKnowledgebase,
  { version, model }: ModelVersion,
): Promise<string[]> => {
  const views = viewsOf(model, hasStream(ontology));
  try {
    return await readKb(ontology, (connection) => viewFaults(connection, views));
  } catch (error) {
    return [`The views of v${version} cannot be looked at: ${(error as Error).message}`];
  }
};

/** Whether every batch of the snapshot is known, and the evidence is as it was signed. */
const snapshotDifferences = (
  { ontology }: OpenKnowledgebase,
  { version, snapshot }: ModelVersion,
): string[] => {
  if (!snapshot) return [];
  const evidence = readEvidence(ontology, snapshot);
  const { batches, promotions } = ontology.ledger();
  if (!evidence) {
    // What another folder measured, that shares the model, is in that folder. So is what a later promotion replaced.
    const mine = promotions.get(snapshot.promotion);
    const isReplaced = promotions
      .inStates(['applied'])
      .some(({ stream, id }) => stream === snapshot.stream && id > snapshot.promotion);
    return mine && !isReplaced ? [`The evidence of v${version} is not in the folder.`] : [];
  }
  if (hashOfBatches(evidence.batches) !== snapshot.batchesSha256) {
    return [`The evidence of v${version} names other batches than the version was made from.`];
  }
  const unknown = evidence.batches.filter((id) => batches.get(snapshot.stream, id) === undefined);
  const named = unknown
    .slice(0, NAMED)
    .map((id) => `The batch ${id}, from which v${version} was made, is not known.`);
  const more = unknown.length - named.length;
  return more > 0 ? [...named, `${more} more batches of v${version} are not known.`] : named;
};
