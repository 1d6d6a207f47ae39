// Owns how a reject is printed: as --json has it, as a row, with its lines. Never finds or changes one.

import { counted, grouped } from '../counted.ts';
import type { OpenKnowledgebase } from '../engine/open.ts';
import { bodyOf } from '../engine/rejects/bodies.ts';
import type { Reject, RejectDetail } from '../model.ts';
import { lineAt, lineStarts } from '../rejects/lines.ts';
import { showLine } from '../rejects/show-line.ts';
import { ageOf, bytesOf, visible } from './output.ts';

export const HEADS = ['Reject', 'Stream', 'State', 'Code', 'Line', 'What', 'Received'];
export const NUMBERS: ReadonlySet<number> = new Set([4]);

/** A reject as --json prints it. */
export const shownReject = (reject: Reject) => ({
  reject_id: reject.rejectId,
  stream: reject.stream,
  batch_id: reject.batchId,
  state: reject.state,
  code: reject.code,
  line: reject.line,
  column: reject.column,
  message: reject.message,
  error_count: reject.faultCount,
  received_at: reject.receivedAt,
  last_received_at: reject.lastReceivedAt,
  times: reject.times,
  sender: reject.sender,
  body_bytes: reject.bodyBytes,
  sha256: reject.sha256,
  landed_as: reject.landedAs,
  part_of: reject.partOf,
  changed_at: reject.changedAt,
  changed_by: reject.changedBy,
  body_removed_at: reject.bodyRemovedAt,
});

export const rowOf = (reject: Reject): string[] => [
  reject.rejectId,
  reject.stream,
  reject.state,
  reject.code,
  reject.line === null ? '–' : grouped(reject.line),
  reject.message,
  ageOf(reject.lastReceivedAt),
];

/** How much of a faulty line a terminal shows, and how many of them. */
const WIDTH = 200;
const MOST_FAULTS = 20;

/** One reject for people: what, who, when; each fault with its line; each try. */
export const linesOfDetail = (knowledgebase: OpenKnowledgebase, detail: RejectDetail): string[] => {
  const { rejectId, stream, state, batchId, title, sender, times, bodyBytes } = detail;
  const { landedAs, partOf, bodyRemovedAt, hint, faultCount } = detail;
  const body = bodyRemovedAt === null ? bodyOf(knowledgebase, detail) : null;
  const starts = body && lineStarts(body);
  const faults = detail.faults.slice(0, MOST_FAULTS).flatMap(({ message, line }) => {
    const text =
      body && starts && line !== null && line <= starts.length
        ? showLine(lineAt(body, starts, line), WIDTH)
        : null;
    return [`  ${message}`, ...(text ? [`    ${text.text}${text.cut ? '…' : ''}`] : [])];
  });
  const more = faultCount - Math.min(detail.faults.length, MOST_FAULTS);
  return [
    `${rejectId}  ${state}  ${title}`,
    `  stream ${stream}, batch ${batchId}${partOf === null ? '' : ', bad lines of a batch that landed without them'}`,
    `  from ${sender ?? 'a sender not known'}, ${times === 1 ? 'once' : `${grouped(times)} times`}, ${detail.receivedAt}`,
    `  ${bytesOf(bodyBytes)}${bodyRemovedAt === null ? '' : `, removed on ${bodyRemovedAt.slice(0, 10)}`}`,
    ...(landedAs === null ? [] : [`  landed as ${landedAs}`]),
    ...faults,
    ...(more > 0 ? [`  and ${counted(more, 'more faulty line')}`] : []),
    ...(state === 'open' ? [`  ${detail.now?.ok ? 'It would land now, as it came.' : hint}`] : []),
    ...detail.history.map(({ number, at, by, outcome, batchId: landed, rows, fault }) =>
      outcome === 'landed'
        ? `  try ${number}, ${at}, ${by}: landed ${counted(rows ?? 0, 'row')} as ${landed}`
        : `  try ${number}, ${at}, ${by}: ${fault?.message ?? 'failed'}`,
    ),
  ].map(visible);
};
