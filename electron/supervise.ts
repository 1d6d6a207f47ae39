// Owns the engine's process: started, watched, started again after a pause when it dies, and drained at the end.
// Never does its work, and never sees a batch: each window talks to it over a port of its own.

import { join } from 'node:path';
import {
  MessageChannelMain,
  type UtilityProcess,
  utilityProcess,
  type WebContents,
} from 'electron';
import type { FromHost, Located, ToHost } from './host-messages.ts';
import type { EngineState, RevealPlace } from './ipc.ts';
import { lakesOf } from './lakes.ts';
import { holderOf } from './port-holder.ts';

const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 10_000];
/** A run this long counts as a good one: the next pause is the shortest again. */
const RAN_WELL_MS = 60_000;
const DRAINED_WITHIN_MS = 15_000;
const LOCATED_WITHIN_MS = 5_000;

export interface EngineChoice {
  readonly home: string;
  /** The listener's address. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly logFile: string;
}

export interface Supervisor {
  state(): EngineState;
  /** The engine's process, for tests and the log. */
  pid(): number | undefined;
  start(choice: EngineChoice): void;
  /** Drains the running engine, then starts one by this choice. */
  restart(choice: EngineChoice): Promise<void>;
  /** Hands this page a port now or when there is an engine, and another after each start. */
  connect(page: WebContents): void;
  /** Where a place is, as the engine knows it; null where there is none, or no engine that answers. */
  locate(place: RevealPlace): Promise<Located | null>;
  /** Answers what is under way and ends the engine, by force after 15 s. No other is started. */
  close(): Promise<void>;
}

/** A supervisor that tells `hear` of every change. */
export const superviseEngine = (hear: (state: EngineState) => void): Supervisor => {
  let state: EngineState = { state: 'starting', attempt: 1 };
  let choice: EngineChoice | undefined;
  let engine: UtilityProcess | undefined;
  let attempt = 1;
  let pause: NodeJS.Timeout | undefined;
  let draining = false;
  let ended = false;
  const pages = new Set<WebContents>();
  const asked = new Map<number, (found: Located | null) => void>();
  let asks = 0;

  const set = (next: EngineState): void => {
    state = next;
    hear(next);
  };

  const hand = (page: WebContents): void => {
    if (!engine || state.state !== 'ready' || page.isDestroyed()) return;
    if (page.isCrashed()) return;
    const { port1, port2 } = new MessageChannelMain();
    engine.postMessage({ kind: 'attach' } satisfies ToHost, [port1]);
    page.postMessage('port', { strata: 'port' }, [port2]);
  };

  const launch = (): void => {
    if (!choice || ended) return;
    set({ state: 'starting', attempt });
    const started = utilityProcess.fork(join(import.meta.dirname, 'host.mjs'), [], {
      serviceName: 'Strata engine',
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    engine = started;
    const lakes = lakesOf(started);
    const startedAt = Date.now();
    let failed = false;
    started.on('message', (message: FromHost) => {
      if (engine !== started) return;
      if (message.kind === 'start-lake') lakes.start(message);
      if (message.kind === 'ready') {
        set({ state: 'ready', ingestUrl: message.ingestUrl });
        for (const page of pages) hand(page);
      }
      if (message.kind === 'located') asked.get(message.ask)?.(message.found);
      if (message.kind === 'failed') {
        failed = true;
        set(failureOf(message, choice?.port ?? 0));
      }
    });
    started.on('exit', (code) => {
      lakes.end();
      if (engine !== started) return;
      engine = undefined;
      if (draining || ended || failed) return;
      if (Date.now() - startedAt > RAN_WELL_MS) attempt = 1;
      const wait = PAUSES_MS[Math.min(attempt, PAUSES_MS.length) - 1];
      attempt += 1;
      const at = new Date().toISOString();
      set({ state: 'stopped', at, reason: `its process ended with code ${code}`, attempt });
      pause = setTimeout(launch, wait);
    });
    started.postMessage({ kind: 'open', ...choice } satisfies ToHost);
  };

  /** Ends the engine that runs, or the pause before the next. */
  const drain = async (): Promise<void> => {
    clearTimeout(pause);
    const running = engine;
    if (!running) return;
    draining = true;
    const gone = new Promise<void>((resolve) => running.once('exit', () => resolve()));
    running.postMessage({ kind: 'close' } satisfies ToHost);
    const force = setTimeout(() => running.kill(), DRAINED_WITHIN_MS);
    await gone;
    clearTimeout(force);
    draining = false;
  };

  const supervisor: Supervisor = {
    state: () => state,
    pid: () => engine?.pid,
    start: (chosen) => {
      choice = chosen;
      launch();
    },
    restart: async (chosen) => {
      if (draining || ended) return;
      await drain();
      attempt = 1;
      supervisor.start(chosen);
    },
    connect: (page) => {
      if (!pages.has(page)) page.once('destroyed', () => pages.delete(page));
      pages.add(page);
      hand(page);
    },
    locate: (place) =>
      new Promise((resolve) => {
        if (!engine || state.state !== 'ready') return resolve(null);
        asks += 1;
        const ask = asks;
        const answer = (found: Located | null): void => {
          clearTimeout(patience);
          asked.delete(ask);
          resolve(found);
        };
        const patience = setTimeout(() => answer(null), LOCATED_WITHIN_MS);
        asked.set(ask, answer);
        engine.postMessage({ kind: 'locate', ask, place } satisfies ToHost);
      }),
    close: async () => {
      ended = true;
      await drain();
    },
  };
  return supervisor;
};

/** A failure as the window tells it: one about a port names who has it, where that can be found. */
const failureOf = (
  { code, message, hint }: Extract<FromHost, { kind: 'failed' }>,
  port: number,
): EngineState => {
  const holder = code === 'port_taken' ? holderOf(port) : undefined;
  return {
    ...{ state: 'failed', code },
    message: holder ? `${message.replace(/\.$/, '')} by ${holder}.` : message,
    hint: code === 'port_taken' ? 'Choose another port, or end that program.' : hint,
  };
};
