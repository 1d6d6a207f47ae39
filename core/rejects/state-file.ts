// Owns the small file beside a reject that says what became of it, so that a lost ledger takes nothing with it.
// Never touches the body or the reason.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, replaceFile } from '../durable.ts';
import { rejectFiles } from '../knowledgebase/paths.ts';
import type { Attempt, Reject, RejectState } from '../model.ts';

/** What became of a reject, as it is written. */
export interface RejectStateFile {
  readonly reject_id: string;
  readonly state: RejectState;
  readonly changed_at: string | null;
  readonly changed_by: string | null;
  readonly operation: string | null;
  readonly landed_as: string | null;
  readonly body_removed_at: string | null;
  readonly attempts: readonly Attempt[];
}

/** Writes what became of a reject, durably, over what was written before. */
export const writeState = (
  failed: string,
  reject: Reject,
  operation: string | null,
  attempts: readonly Attempt[],
): void => {
  const file: RejectStateFile = {
    reject_id: reject.rejectId,
    state: reject.state,
    changed_at: reject.changedAt,
    changed_by: reject.changedBy,
    operation,
    landed_as: reject.landedAs,
    body_removed_at: reject.bodyRemovedAt,
    attempts,
  };
  const path = join(failed, rejectFiles(reject.rejectId).state);
  replaceFile(path, `${JSON.stringify(file, null, 2)}\n`);
};

/** What became of a reject; undefined where nothing was written, or something else. */
export const readState = (failed: string, rejectId: string): RejectStateFile | undefined => {
  try {
    const path = join(failed, rejectFiles(rejectId).state);
    const file = JSON.parse(readFileSync(path, 'utf8')) as Partial<RejectStateFile> | null;
    const isOurs = typeof file?.state === 'string' && STATES.has(file.state);
    return isOurs && Array.isArray(file.attempts) ? (file as RejectStateFile) : undefined;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const STATES: ReadonlySet<string> = new Set(['open', 'replayed', 'discarded']);
