// Owns handing rejects out: a choice as a tar file with reasons, and the report to a producer's owner.
// Never changes a body on its way.

import { mkdirSync, renameSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskFault, errnoOf, removeQuietly } from '../../durable.ts';
import { AppError } from '../../errors.ts';
import { rejectFiles } from '../../knowledgebase/paths.ts';
import type { Job, Reject, RejectSelection } from '../../model.ts';
import { type ReportedCause, reportText } from '../../rejects/report.ts';
import { tarEnd, tarHead, tarPadding } from '../../rejects/tar.ts';
import { csvLine } from '../../text-formats.ts';
import type { OpenKnowledgebase } from '../open.ts';
import { keptFiles } from './bodies.ts';
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
  let list = csvLine(HEADS);
  let count = 0;
  for await (const some of chosenRejects(knowledgebase, selection)) {
    for (const reject of some) {
      signal.throwIfAborted();
      const { body, reason } = keptFiles(knowledgebase, reject);
      const names = rejectFiles(reject.rejectId);
      const bodyName = `${reject.stream}/${names.body}`;
      const hasBody = body !== null && (await packFile(handle, bodyName, body));
      await packFile(handle, `${reject.stream}/${names.reason}`, reason);
      list += csvLine(cellsOf(reject, hasBody ? bodyName : null));
      count += 1;
      onProgress(count);
    }
  }
  const bytes = Buffer.from(list);
  const head = tarHead('rejects.csv', bytes.length, Date.now());
  for (const part of [...head, bytes, tarPadding(bytes.length), tarEnd()]) {
    await handle.writeFile(part);
  }
  return count;
};

/** How much of a file is in memory at once. */
const PIECE_BYTES = 1_048_576;

/** Writes a file into the archive, piece by piece. False where it is gone. */
const packFile = async (archive: FileHandle, name: string, path: string): Promise<boolean> => {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return false;
  try {
    const { size } = await file.stat();
    for (const part of tarHead(name, size, Date.now())) await archive.writeFile(part);
    const piece = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES));
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, size - at), at);
      if (bytesRead === 0) throw new Error(`${path} became shorter while it was read.`);
      await archive.writeFile(piece.subarray(0, bytesRead));
      at += bytesRead;
    }
    await archive.writeFile(tarPadding(size));
    return true;
  } finally {
    await file.close();
  }
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
  const reported: ReportedCause[] = [];
  for (const rejects of causes.values()) {
    const line = withData ? await lineOf(knowledgebase, rejects[0] as Reject) : null;
    reported.push({ rejects, line });
  }
  return reportText(knowledgebase.id, reported, withData);
};

const lineOf = async (knowledgebase: OpenKnowledgebase, reject: Reject): Promise<string | null> => {
  const { body } = keptFiles(knowledgebase, reject);
  const { line } = reject;
  if (body === null || line === null) return null;
  const shown = await knowledgebase.desk.run('line', { body, line, width: WIDTH });
  return shown && (shown.cut ? `${shown.text}…` : shown.text);
};
