// Owns the entry of a lake process: it serves whoever started it, Node or Electron, and ends with it.
// Never holds logic, and never outlives the one it works for.

import { type Channel, channelOver, type Port } from './channel.ts';
import { type LakeKind, stepBack } from './priority.ts';
import { serveTasks } from './serve.ts';

/** What Electron gives a process that it starts. */
interface ParentPort {
  once(event: 'message', hear: (event: { ports: readonly Port[] }) => void): void;
}

const { parentPort } = process as unknown as { parentPort?: ParentPort };

stepBack(process.argv[2] as LakeKind);
// Ctrl+C in a terminal reaches every process of the group; who started this one ends it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

const serve = (channel: Channel): void => {
  // Nothing here needs an end: what it writes is staged, what it holds open the system closes. DuckDB would go on
  // with what it does, and an exit would wait for it.
  channel.onClose(() => process.kill(process.pid, 'SIGKILL'));
  serveTasks(channel);
};

if (parentPort) {
  parentPort.once('message', ({ ports }) => serve(channelOver(ports[0] as Port)));
} else {
  serve({
    send: (message) => void process.send?.(message),
    onMessage: (hear) => void process.on('message', hear),
    onClose: (hear) => void process.once('disconnect', () => hear('ended')),
    close: () => process.disconnect(),
  });
}
