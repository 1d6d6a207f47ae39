// Owns what a landing thread keeps of a body that cannot land: all of it, or its bad lines.
// Never decides which.

import crypto from 'node:crypto';
import type { Fault } from '../model.ts';
import { causeOf } from '../rejects/cause.ts';
import { keepReject } from '../rejects/keep.ts';
import { lineAt, lineStarts, sourceOf } from '../rejects/lines.ts';
import type { Job, KeptReject, LandTask } from './protocol.ts';

interface Faults {
  /** At least one. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
}

/** Keeps a whole body with its faults. */
export const keepWhole = (
  job: Job,
  { sha256, faults, faultCount }: Faults & { readonly sha256: string },
  thread: number,
): KeptReject => {
  const { body, place, task } = job;
  const { batchId, receivedAt, sender, contentType } = task;
  const cause = causeOf(body, faults[0] as Fault);
  const facts = { stream: place.stream, batchId, receivedAt, sender, contentType };
  const kept = keepReject(
    place,
    { ...facts, body, sha256, faults, faultCount, cause, partOf: null },
    thread,
  );
  return { ...kept, sha256, bodyBytes: body.length, faults, faultCount, cause };
};

/** Keeps the bad lines of a body that lands without them. Their faults are told by their lines in what is kept. */
export const keepPart = (
  job: Job<LandTask>,
  { badLines, ...told }: Faults & { readonly badLines: readonly number[] },
  thread: number,
): KeptReject => {
  const { place, task } = job;
  const { batchId, receivedAt, sender, contentType, repairs } = task;
  const cause = causeOf(job.body, told.faults[0] as Fault);
  const body = linesOf(job.body, badLines);
  const sha256 = crypto.createHash('sha256').update(body).digest('hex');
  const faults = told.faults.map((fault) => moved(fault, badLines));
  const { faultCount } = told;
  const lines = badLines.map((line) => sourceOf(repairs?.sources ?? null, line));
  const facts = { stream: place.stream, batchId, receivedAt, sender, contentType };
  const kept = keepReject(
    place,
    { ...facts, body, sha256, faults, faultCount, cause, partOf: { batchId, lines } },
    thread,
  );
  return { ...kept, sha256, bodyBytes: body.length, faults, faultCount, cause };
};

/** A fault of a line as a fault of the same line among the bad ones. */
const moved = (fault: Fault, badLines: readonly number[]): Fault => {
  const line = badLines.indexOf(fault.line as number) + 1;
  return { ...fault, line, message: fault.message.replace(/^Line \d+/, `Line ${line}`) };
};

/** Lines of a body, each with a line feed. */
const linesOf = (body: Uint8Array, lines: readonly number[]): Uint8Array => {
  const starts = lineStarts(body);
  const feed = Uint8Array.of(0x0a);
  return new Uint8Array(Buffer.concat(lines.flatMap((line) => [lineAt(body, starts, line), feed])));
};

/** The body with spaces in place of some lines, so that the others keep their numbers. */
export const withoutLines = (body: Uint8Array, lines: readonly number[]): Uint8Array => {
  const starts = lineStarts(body);
  const copy = body.slice();
  for (const line of lines) lineAt(copy, starts, line).fill(0x20);
  return copy;
};
