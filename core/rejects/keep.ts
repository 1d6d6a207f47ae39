// Owns keeping a rejected body: the body as it came and the reason, both durable before the producer's answer.
// Never changes a body, and never replaces one that was kept before.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, publishFile, removeQuietly, syncFolder, writeNewFile } from '../durable.ts';
import { CATALOGUE } from '../errors.ts';
import { rejectFiles } from '../knowledgebase/paths.ts';
import type { Cause, Fault, FaultShape } from '../model.ts';
import { atStep } from '../steps.ts';

/** What is written beside the body, as JSON. */
export interface Reason {
  readonly reject_id: string;
  readonly batch_id: string;
  readonly stream: string;
  readonly code: Fault['code'];
  readonly message: string;
  readonly hint: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly errors: readonly Fault[];
  readonly error_count: number;
  readonly received_at: string;
  readonly sender: string | null;
  readonly content_type: string | null;
  readonly sha256: string;
  readonly body_bytes: number;
  /** See Cause; missing in what an older Strata kept. */
  readonly field?: string | null;
  readonly shape?: FaultShape;
  /** The batch whose bad lines it holds; missing or null where a whole body was rejected. */
  readonly part_of?: string | null;
  /** Then the line in the POST of each line of the body. */
  readonly lines?: readonly number[];
}

/** A body to be kept. */
export interface Rejected {
  readonly stream: string;
  readonly batchId: string;
  readonly body: Uint8Array;
  readonly sha256: string;
  /** At least one. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  readonly receivedAt: string;
  readonly sender: string | null;
  readonly contentType: string | null;
  readonly cause: Cause;
  /** The batch whose bad lines these are, and their numbers in it; null for a whole body. */
  readonly partOf: { readonly batchId: string; readonly lines: readonly number[] } | null;
}

let sequence = 0;

/**
 * Keeps a rejected body in `failed`. Its reject id is the batch id, with `~2`, `~3` ... where another body was
 * rejected under that batch id before; the same body is not kept twice (`repeated`), so a producer that sends it
 * again for ever does not fill the disk. The reason is written last: a body without one was never answered.
 */
export const keepReject = (
  folders: { readonly staging: string; readonly failed: string },
  rejected: Rejected,
  thread: number,
): { rejectId: string; repeated: boolean } => {
  const staged = (part: string): string => {
    sequence += 1;
    return join(folders.staging, `${process.pid}-${thread}-${sequence}.${part}`);
  };
  const body = staged('ndjson');
  writeNewFile(body, [rejected.body]);
  for (let copy = 1; ; copy += 1) {
    const rejectId = copy === 1 ? rejected.batchId : `${rejected.batchId}~${copy}`;
    const names = rejectFiles(rejectId);
    const kept = readReason(join(folders.failed, names.reason));
    if (kept && isSame(kept, rejected)) {
      removeQuietly(body);
      // Its names may be there while the folder is not yet synced by whoever kept it.
      syncFolder(folders.failed);
      return { rejectId, repeated: true };
    }
    if (kept !== undefined) continue;
    const target = join(folders.failed, names.body);
    if (!publishFile(body, target)) {
      // A crash left it before its reason was written and its producer answered; the same body is completed now.
      if (!readFileSync(target).equals(rejected.body)) continue;
      removeQuietly(body);
    }
    atStep('reject');
    const reason = staged('err');
    const text = `${JSON.stringify(reasonOf(rejectId, rejected), null, 2)}\n`;
    writeNewFile(reason, [Buffer.from(text)]);
    const isFirst = publishFile(reason, join(folders.failed, names.reason));
    if (!isFirst) removeQuietly(reason);
    syncFolder(folders.failed);
    return { rejectId, repeated: !isFirst };
  }
};

/** A part of a batch and a whole body are two rejects, also where their bytes are the same. */
const isSame = (kept: Reason, rejected: Rejected): boolean =>
  kept.sha256 === rejected.sha256 &&
  kept.code === rejected.faults[0]?.code &&
  (kept.part_of ?? null) === (rejected.partOf?.batchId ?? null);

/** The reason kept in a file; undefined when there is none, or it is not one of ours. */
export const readReason = (path: string): Reason | undefined => {
  try {
    const reason: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isReason(reason) ? reason : undefined;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const TEXTS = ['reject_id', 'batch_id', 'code', 'message', 'received_at', 'sha256'] as const;
const NUMBERS = ['error_count', 'body_bytes'] as const;

const isReason = (value: unknown): value is Reason => {
  if (typeof value !== 'object' || value === null) return false;
  const reason = value as Partial<Record<keyof Reason, unknown>>;
  const isPlace = (place: unknown): boolean => place === null || typeof place === 'number';
  return (
    TEXTS.every((name) => typeof reason[name] === 'string') &&
    NUMBERS.every((name) => typeof reason[name] === 'number') &&
    (reason.sender === null || typeof reason.sender === 'string') &&
    isPlace(reason.line) &&
    isPlace(reason.column)
  );
};

const reasonOf = (rejectId: string, rejected: Rejected): Reason => {
  const first = rejected.faults[0] as Fault;
  return {
    reject_id: rejectId,
    batch_id: rejected.batchId,
    stream: rejected.stream,
    code: first.code,
    message: first.message,
    hint: CATALOGUE[first.code].hint,
    line: first.line,
    column: first.column,
    errors: rejected.faults,
    error_count: rejected.faultCount,
    received_at: rejected.receivedAt,
    sender: rejected.sender,
    content_type: rejected.contentType,
    sha256: rejected.sha256,
    body_bytes: rejected.body.length,
    field: rejected.cause.field,
    shape: rejected.cause.shape,
    part_of: rejected.partOf?.batchId ?? null,
    ...(rejected.partOf ? { lines: rejected.partOf.lines } : {}),
  };
};
