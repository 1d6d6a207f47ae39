// Owns handing rejects out: a choice as a tar file with reasons, and the report to a producer's owner.
// Never changes a body on its way.

import { mkdirSync, renameSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskFault, removeQuietly } from '../../durable.ts';
import { AppError } from '../../errors.ts';
import { rejectFiles } from '../../knowledgebase/paths.ts';
import type { Job, Reject, RejectSelection } from '../../model.ts';
import { lineAt, lineStarts } from '../../rejects/lines.ts';
import { type ReportedCause, reportText } from '../../rejects/report.ts';
import { showLine } from '../../rejects/show-line.ts';
import { tarEnd, tarEntry } from '../../rejects/tar.ts';
import { csvLine } from '../../text-formats.ts';
import type { OpenKnowledgebase } from '../open.ts';
import { keptBody, reasonOf } from './bodies.ts';
import type { RejectContext } from './context.ts';
import { chosenRejects } from './find.ts';

/** Starts the job; its result has `path`, `rejects`, `sizeBytes` and `file`. Cancelling leaves no file. */
export const exportRejects = (
  { knowledgebase, jobs }: RejectContext,
  selection: RejectSelection,
  file: string,
  path: string,
): Job =>
  jobs.start(
    {
      kind: 'export',
      title: `Exporting rejects of ${knowledgebase.id}`,
      knowledgebase: knowledgebase.id,
    },
    async (report, signal) => {
      const staged = `${path}.part`;
      try {
        mkdirSync(dirname(path), { recursive: true });
        const handle = await open(staged, 'w');
        let rejects = 0;
        try {
          rejects = await writeAll(knowledgebase, selection, handle, signal, (done) =>
            report({ done, total: null, unit: 'rejects' }),
          );
        } finally {
          await handle.close();
        }
        renameSync(staged, path);
        return { path, rejects, sizeBytes: statSync(path).size, file };
      } catch (error) {
        removeQuietly(staged);
        throw error instanceof AppError ? error : diskFault(error, path);
      }
    },
  );

const HEADS = [
  ...['stream', 'reject_id', 'batch_id', 'state', 'code', 'line', 'column', 'message', 'times'],
  ...['sender', 'received_at', 'last_received_at', 'body_bytes', 'sha256', 'landed_as', 'body'],
];

const writeAll = async (
  knowledgebase: OpenKnowledgebase,
  selection: RejectSelection,
  handle: FileHandle,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<number> => {
  const put = async (name: string, content: Uint8Array): Promise<void> => {
    await handle.writeFile(Buffer.concat(tarEntry(name, content, Date.now())));
  };
  let list = csvLine(HEADS);
  let count = 0;
  for await (const some of chosenRejects(knowledgebase, selection)) {
    for (const reject of some) {
      signal.throwIfAborted();
      const { body: bodyName, reason: reasonName } = rejectFiles(reject.rejectId);
      const body = keptBody(knowledgebase, reject);
      const reason = reasonOf(knowledgebase, reject);
      const folder = `${reject.stream}/`;
      if (body) await put(`${folder}${bodyName}`, body);
      if (reason) {
        await put(`${folder}${reasonName}`, Buffer.from(`${JSON.stringify(reason, null, 2)}\n`));
      }
      list += csvLine(cellsOf(reject, body ? `${folder}${bodyName}` : null));
      count += 1;
      onProgress(count);
    }
  }
  await put('rejects.csv', Buffer.from(list));
  await handle.writeFile(tarEnd());
  return count;
};

const cellsOf = (reject: Reject, body: string | null): (string | null)[] => {
  const text = (value: number | null): string | null => (value === null ? null : String(value));
  return [
    ...[reject.stream, reject.rejectId, reject.batchId, reject.state, reject.code],
    ...[text(reject.line), text(reject.column), reject.message, text(reject.times)],
    ...[reject.sender, reject.receivedAt, reject.lastReceivedAt, text(reject.bodyBytes)],
    ...[reject.sha256, reject.landedAs, body],
  ];
};

/** How many rejects a report is about, and how much of a line it shows. */
const MOST_REPORTED = 10_000;
const WIDTH = 400;

/** The report about a choice of rejects. */
export const reportRejects = async (
  knowledgebase: OpenKnowledgebase,
  selection: RejectSelection,
  withData: boolean,
): Promise<string> => {
  const causes = new Map<string, Reject[]>();
  for await (const some of chosenRejects(knowledgebase, selection, MOST_REPORTED)) {
    for (const reject of some) {
      const key = JSON.stringify([reject.stream, reject.code, reject.field, reject.shape]);
      const of = causes.get(key);
      if (of) of.push(reject);
      else causes.set(key, [reject]);
    }
  }
  const reported = [...causes.values()].map((rejects): ReportedCause => {
    const newest = rejects[0] as Reject;
    return { rejects, line: withData ? lineOf(knowledgebase, newest) : null };
  });
  return reportText(knowledgebase.id, reported, withData);
};

const lineOf = (knowledgebase: OpenKnowledgebase, reject: Reject): string | null => {
  const body = keptBody(knowledgebase, reject);
  const { line } = reject;
  if (!body || line === null) return null;
  const starts = lineStarts(body);
  if (line > starts.length) return null;
  const { text, cut } = showLine(lineAt(body, starts, line), WIDTH);
  return cut ? `${text}…` : text;
};
