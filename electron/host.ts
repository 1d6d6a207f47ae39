// Owns the entry of the engine's process: opens the engine, hands it the ports of windows, closes it when asked.
// Never decides when it runs; supervise.ts does.

import { join } from 'node:path';
import { AppError } from '../core/errors.ts';
import {
  type Channel,
  channelOver,
  type Engine,
  type LakeKind,
  openEngine,
} from '../core/index.ts';
import { engineLog } from './engine-log.ts';
import type { FromHost, Located, ToHost } from './host-messages.ts';
import type { RevealPlace } from './ipc.ts';

const { parentPort } = process;
const say = (message: FromHost): void => parentPort.postMessage(message);

let opening: Promise<Engine | undefined> | undefined;

const lakesAsked = new Map<number, (channel: Channel) => void>();
let lakesAskedFor = 0;

/** Only the shell can start a process of Electron's. */
const startLake = (lake: LakeKind): Promise<Channel> =>
  new Promise((resolve) => {
    lakesAskedFor += 1;
    lakesAsked.set(lakesAskedFor, resolve);
    say({ kind: 'start-lake', ask: lakesAskedFor, lake });
  });

const open = async (options: Extract<ToHost, { kind: 'open' }>): Promise<Engine | undefined> => {
  const { home, host, port, logFile } = options;
  const { log, lines } = engineLog(logFile);
  try {
    const engine = await openEngine({
      ...{ home, host, port, log, logLines: lines, startLake },
      adminPort: null,
      firstKnowledgebase: 'main',
    });
    for (const { id, fault } of engine.faults) log.warn(`${id} is not served: ${fault}`);
    say({ kind: 'ready', ingestUrl: engine.ingestUrl });
    return engine;
  } catch (error) {
    log.error(error);
    say(faultOf(error));
    // The message has to leave before the process does.
    setTimeout(() => process.exit(0), 50);
    return undefined;
  }
};

/** By what the engine itself knows of its folders; whether it may be shown the shell decides. */
const locate = (engine: Engine, { knowledgebase, stream, file }: RevealPlace): Located | null => {
  try {
    const { core } = engine;
    if (stream === undefined) {
      const root = core.listKnowledgebases().find(({ id }) => id === knowledgebase)?.path;
      return root === undefined ? null : { root, path: root };
    }
    const { paths, streams } = core.knowledgebase(knowledgebase);
    const { data } = streams.get(stream).paths;
    return { root: paths.root, path: file === undefined ? data : join(data, file) };
  } catch {
    return null;
  }
};

const faultOf = (error: unknown): FromHost =>
  error instanceof AppError
    ? { kind: 'failed', code: error.code, message: error.message, hint: error.hint }
    : {
        kind: 'failed',
        code: 'internal',
        message: error instanceof Error ? error.message : String(error),
        hint: 'The log says more.',
      };

const close = async (): Promise<void> => {
  const engine = await opening;
  await engine?.close();
  say({ kind: 'closed' });
  setTimeout(() => process.exit(0), 50);
};

// Ctrl+C in a terminal reaches every process of the group; the shell says when to close.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

parentPort.on('message', ({ data, ports }) => {
  const message = data as ToHost;
  switch (message.kind) {
    case 'open':
      opening ??= open(message);
      break;
    case 'attach':
      void opening?.then(async (engine) => {
        const port = ports[0];
        if (!engine || !port) return;
        await engine.attach(port);
        // A port keeps what arrived until it is started; its listeners are there now.
        port.start();
      });
      break;
    case 'locate':
      void opening?.then((engine) => {
        const found = engine ? locate(engine, message.place) : null;
        say({ kind: 'located', ask: message.ask, found });
      });
      break;
    case 'lake': {
      const [port] = ports;
      if (port) lakesAsked.get(message.ask)?.(channelOver(port));
      lakesAsked.delete(message.ask);
      break;
    }
    case 'close':
      void close();
      break;
  }
});
