// Owns the short text about rejects that is sent to the owner of a producer. Pure.
// Never has a line, a message or a value of a body unless data is wanted: then one line of each cause.

import { CATALOGUE } from '../errors.ts';
import type { Reject } from '../model.ts';
import { titleOf } from './cause.ts';

/** Rejects of one stream and cause. */
export interface ReportedCause {
  /** Newest first; at least one. */
  readonly rejects: readonly Reject[];
  /** The faulty line of the newest, as text; null without one. */
  readonly line: string | null;
}

const MOST_IDS = 10;

/** The report as Markdown. */
export const reportText = (
  knowledgebase: string,
  causes: readonly ReportedCause[],
  withData: boolean,
): string => {
  const total = causes.reduce((sum, { rejects }) => sum + rejects.length, 0);
  const head = [
    `# Rejected batches in ${knowledgebase}`,
    '',
    total === 0
      ? 'No batch was rejected.'
      : `${total} ${total === 1 ? 'batch was' : 'batches were'} rejected. Each body was kept as it came; none of it was lost.`,
  ];
  return `${[...head, ...causes.flatMap((cause) => section(cause, withData))].join('\n')}\n`;
};

const section = ({ rejects, line }: ReportedCause, withData: boolean): string[] => {
  const newest = rejects[0] as Reject;
  const oldest = rejects.at(-1) as Reject;
  const times = rejects.reduce((sum, reject) => sum + reject.times, 0);
  const open = rejects.filter(({ state }) => state === 'open').length;
  const senders = [...new Set(rejects.map(({ sender }) => sender ?? 'not known'))];
  const place =
    newest.line === null
      ? 'the whole body'
      : `line ${newest.line}${newest.column === null ? '' : `, column ${newest.column}`}`;
  const ids = rejects.slice(0, MOST_IDS).map(({ batchId }) => `\`${batchId}\``);
  const more = rejects.length > MOST_IDS ? ` and ${rejects.length - MOST_IDS} more` : '';
  return [
    '',
    `## ${titleOf(newest)}`,
    '',
    `- Stream: ${newest.stream}`,
    `- Answer: ${CATALOGUE[newest.code].status} \`${newest.code}\``,
    `- Batches: ${rejects.length}, sent ${times} times, ${open} still open`,
    `- From ${oldest.receivedAt} to ${newest.receivedAt}`,
    `- Senders: ${senders.join('; ')}`,
    `- Where, in the newest: ${place}`,
    `- What to do: ${CATALOGUE[newest.code].hint}`,
    `- Batch ids: ${ids.join(', ')}${more}`,
    ...(withData ? dataLines(newest, line) : []),
  ];
};

const dataLines = ({ message }: Reject, line: string | null): string[] => [
  `- What was found: ${message}`,
  // Indented, so that nothing in it is Markdown.
  ...(line === null ? [] : ['', `      ${line.replace(/[\r\n]/g, ' ')}`]),
];
