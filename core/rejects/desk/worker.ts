// Owns the entry of the desk's thread: messages in, messages out. Never holds logic; work.ts has it.

import { parentPort } from 'node:worker_threads';
import { carriedOf } from '../../carried-error.ts';
import type { FromDesk, ToDesk } from './protocol.ts';
import { WORK } from './work.ts';

const port = parentPort;
if (!port) throw new Error('worker.ts runs as a worker thread.');

type Task = Exclude<ToDesk, { kind: 'drop' }>;

const waiting: Task[] = [];
let isBusy = false;

const say = (message: FromDesk, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, [...transfer]);

const run = async ({ taskId, kind, input }: Task): Promise<void> => {
  try {
    const output: unknown = await WORK[kind](input as never);
    say({ taskId, output }, buffersOf(output));
  } catch (error) {
    say({ taskId, fault: carriedOf(error) });
  }
};

/** One after the other, so that what nobody waits for any more by then is not begun; a task that takes turns lets others in. */
const next = (): void => {
  isBusy = false;
  const task = waiting.shift();
  if (!task) return;
  isBusy = true;
  void run(task);
  setImmediate(next);
};

port.on('message', (message: ToDesk) => {
  if (message.kind === 'drop') {
    const at = waiting.findIndex(({ taskId }) => taskId === message.taskId);
    if (at >= 0) {
      waiting.splice(at, 1);
      say({ taskId: message.taskId, dropped: true });
    }
    return;
  }
  waiting.push(message);
  if (isBusy) return;
  isBusy = true;
  // Every message that has come by now is heard first.
  setImmediate(next);
});

/** Arrays that are handed over, not copied. */
const buffersOf = (output: unknown): ArrayBuffer[] =>
  typeof output === 'object' && output !== null
    ? Object.values(output).flatMap((value) =>
        ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
      )
    : [];
