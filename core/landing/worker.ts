// Owns the entry of a landing thread: messages in, messages out. Never holds logic; thread.ts has it.

import { parentPort, threadId, workerData } from 'node:worker_threads';
import { openCodec } from '../lake/parquet/codec.ts';
import type { Fault } from '../model.ts';
import { unpack } from './packing.ts';
import type { FromThread, StreamPlace, ToThread } from './protocol.ts';
import { landingThread } from './thread.ts';

const port = parentPort;
if (!port) throw new Error('worker.ts runs as a worker thread.');

type Named = { landed: readonly string[]; fault: Fault | null };
const waiting = new Map<number, (named: Named) => void>();
const places = new Map<number, StreamPlace>();
const buffer: Uint8Array = workerData;
const say = (message: FromThread): void => port.postMessage(message);

const thread = landingThread(await openCodec(), threadId, (jobId, fields) => {
  say({ kind: 'name', jobId, fields });
  return new Promise<Named>((resolve) => waiting.set(jobId, resolve));
});

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'forget':
      thread.forget();
      break;
    case 'named':
      waiting.get(message.jobId)?.(message);
      waiting.delete(message.jobId);
      break;
    case 'jobs':
      // A rejection here is a bug; unhandled, it ends the thread and the pool fails the group's jobs.
      void thread
        .run(unpack(message.group, buffer, places))
        .then((results) => say({ kind: 'done', results }));
      break;
  }
});
