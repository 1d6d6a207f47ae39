// Owns the files that SQL reads a stream's rejects from: NDJSON, 256 places of the ledger each, replaced whole.
// Never on a request's path, and never the only place of anything: they can be written anew from ledger and folder.

import { readdirSync, readFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { errnoOf, removeQuietly, renameRetrying } from '../../durable.ts';
import { makeRejectsFolder } from '../../knowledgebase/create.ts';
import {
  type KnowledgebasePaths,
  rejectChunkFile,
  rejectFiles,
  type StreamPaths,
} from '../../knowledgebase/paths.ts';
import type { Ledger } from '../../ledger/open.ts';
import type { StaleChunk } from '../../ledger/reject-chunks.ts';
import type { Reject } from '../../model.ts';
import { readReason } from '../../rejects/keep.ts';
import { readSqlRows, type SqlRow, sqlRowsOf, sqlText } from '../../rejects/sql-rows.ts';

export interface RejectIndex {
  /** Asks for the files to be brought in line, soon; many requests become one. */
  request(): void;
  /** Brings them in line now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** How long changes are gathered. */
const GATHER_MS = 250;
/** How many bodies are read between two turns of the event loop. */
const AT_ONCE = 16;

/** An index that does nothing until it is asked. */
export const openRejectIndex = (
  paths: KnowledgebasePaths,
  ledger: () => Ledger,
  onTrouble: (error: unknown) => void,
): RejectIndex => {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let closed = false;
  let wanted = false;

  const writeStale = async (): Promise<void> => {
    for (const chunk of ledger().rejectChunks.stale()) {
      if (closed) return;
      // A chunk that changed while it was written is behind again, and is written again.
      for (let now = chunk; ; ) {
        await writeChunk(paths.stream(now.stream), ledger(), now);
        if (ledger().rejectChunks.written(now)) break;
        const again = ledger()
          .rejectChunks.stale()
          .find(({ stream, chunk: number }) => stream === now.stream && number === now.chunk);
        if (!again) break;
        now = again;
      }
    }
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    wanted = false;
    running = running.then(writeStale).catch(onTrouble);
    return running;
  };

  return {
    request: () => {
      wanted = true;
      if (!closed) timer ??= setTimeout(() => void flush(), GATHER_MS).unref();
    },
    flush,
    close: async () => {
      if (wanted) await flush();
      closed = true;
      await running;
    },
  };
};

const writeChunk = async (
  stream: StreamPaths,
  ledger: Ledger,
  stale: StaleChunk,
): Promise<void> => {
  const path = join(stream.rejects, rejectChunkFile(stale.chunk));
  const before = readSqlRows(readText(path));
  const rows: SqlRow[] = [];
  for (const [at, reject] of ledger.rejectChunks.rejects(stale.stream, stale.chunk).entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await turn();
    const known = before.get(reject.rejectId);
    const isSame = known?.[0]?.received_at === reject.receivedAt && reject.bodyRemovedAt === null;
    rows.push(
      ...(known && isSame
        ? known.map((row) => ({ ...row, state: reject.state }))
        : await readRows(stream, reject)),
    );
  }
  makeRejectsFolder(stream);
  removeStrays(stream, ledger.rejectChunks.list(stale.stream));
  const staged = `${path}.${process.pid}.new`;
  const file = await open(staged, 'w');
  try {
    await file.writeFile(sqlText(rows));
    await file.sync();
  } finally {
    await file.close();
  }
  renameRetrying(staged, path);
};

const readRows = async (stream: StreamPaths, reject: Reject): Promise<SqlRow[]> => {
  const { body, reason } = rejectFiles(reject.rejectId);
  const { code, message, line, column } = reject;
  const faults = readReason(join(stream.failed, reason))?.errors ?? [
    { code, message, line, column },
  ];
  const bytes =
    reject.bodyRemovedAt === null
      ? await readFile(join(stream.failed, body)).catch((error: unknown) => {
          if (errnoOf(error) === 'ENOENT') return null;
          throw error;
        })
      : null;
  return sqlRowsOf(reject, faults, bytes);
};

/** Files of a ledger that was lost: its places were others. */
const removeStrays = ({ rejects }: StreamPaths, chunks: readonly number[]): void => {
  const ours = new Set([null, ...chunks].map(rejectChunkFile));
  for (const name of readdirSync(rejects)) {
    if (name.endsWith('.ndjson') && !ours.has(name)) removeQuietly(join(rejects, name));
  }
};

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return '';
    throw error;
  }
};
