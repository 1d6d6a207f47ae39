// Owns the files that SQL reads a stream's rejects from: NDJSON, 256 places of the ledger each, replaced whole by the
// desk. Never on a request's path, and never the only place of anything: they can be written anew from ledger and folder.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../durable.ts';
import { makeRejectsFolder } from '../../knowledgebase/create.ts';
import {
  type KnowledgebasePaths,
  rejectChunkFile,
  type StreamPaths,
} from '../../knowledgebase/paths.ts';
import type { Ledger } from '../../ledger/open.ts';
import type { StaleChunk } from '../../ledger/reject-chunks.ts';
import type { Desk } from '../../rejects/desk/desk.ts';

export interface RejectIndex {
  /** Asks for the files to be brought in line, soon; many requests become one. */
  request(): void;
  /** Brings them in line now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** How long changes are gathered. */
const GATHER_MS = 250;

/** An index that does nothing until it is asked. */
export const openRejectIndex = (
  paths: KnowledgebasePaths,
  ledger: () => Ledger,
  desk: Desk,
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
        await bringInLine(desk, paths.stream(now.stream), ledger(), now);
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

const bringInLine = async (
  desk: Desk,
  stream: StreamPaths,
  ledger: Ledger,
  stale: StaleChunk,
): Promise<void> => {
  makeRejectsFolder(stream);
  emptyStrays(stream, () => ledger.rejectChunks.list(stale.stream));
  await desk.run('writeChunk', {
    path: join(stream.rejects, rejectChunkFile(stale.chunk)),
    failed: stream.failed,
    rejects: ledger.rejectChunks.rejects(stale.stream, stale.chunk),
  });
};

/**
 * Files of a ledger that was lost: its places were others. A query that has found one reads it when it gets to it, so
 * that it stays, with nothing in it.
 */
const emptyStrays = ({ rejects }: StreamPaths, chunks: () => readonly number[]): void => {
  const names = readdirSync(rejects);
  // Looked up after the files: the ledger has a place before another process writes its file.
  const ours = new Set([null, ...chunks()].map(rejectChunkFile));
  for (const name of names) {
    const path = join(rejects, name);
    if (name.endsWith('.ndjson') && !ours.has(name) && statSync(path).size > 0) {
      replaceFile(path, '');
    }
  }
};
