// Owns the whole engine of one process: core, its listener, its admin address, and ports of windows.
// Never prints; who starts it tells the person.

import { openPolicy } from './engine/compaction/policy.ts';
import { removeOldExports } from './engine/export.ts';
import { applyRetention } from './engine/rejects/retention.ts';
import { AppError } from './errors.ts';
import { isLoopback } from './ingest/admission.ts';
import { type Listener, openListener } from './ingest/listener.ts';
import { forkLake } from './lake/apart/fork.ts';
import type { Log } from './log.ts';
import type { EngineStatus } from './model.ts';
import { type Core, type CoreOptions, openCore } from './open-core.ts';
import { VERSION } from './version.ts';

export interface EngineOptions {
  readonly home: string;
  readonly log: Log;
  readonly logLines: (limit: number) => string[];
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Of the admin address; null for none, where windows speak through ports alone. */
  readonly adminPort: number | null;
  /** Whether the admin token that the home keeps is to open nothing any more. */
  readonly newAdminToken?: boolean;
  readonly headerTimeoutMs?: number | undefined;
  readonly bodyTimeoutMs?: number | undefined;
  /** See CoreOptions; a child of this process unless said. */
  readonly startLake?: CoreOptions['startLake'];
  /** Makes this knowledgebase where there is none at all. */
  readonly firstKnowledgebase?: string | undefined;
}

/** A port of a window: Electron's MessagePortMain, or that of worker_threads. */
export type PortLike = Parameters<
  import('@orpc/server/message-port').RPCHandler<never>['upgrade']
>[0];

export interface Engine {
  readonly core: Core;
  readonly ingestUrl: string;
  /** With its token; null where there is no admin address. */
  readonly adminUrl: string | null;
  status(): EngineStatus;
  /** Knowledgebases that could not be opened, and why. */
  readonly faults: readonly { readonly id: string; readonly fault: string }[];
  /** Serves the contract over a port until it closes. */
  attach(port: PortLike): Promise<void>;
  /** Answers what is under way, then closes everything. */
  close(): Promise<void>;
}

/**
 * Opens core, recovers every knowledgebase, and listens.
 * Throws `port_taken`, `token_required`, `folder_not_writable`, `invalid_argument`; nothing is left open then.
 */
export const openEngine = async (options: EngineOptions): Promise<Engine> => {
  const core = openCore({ startLake: forkLake, ...options, writing: true });
  removeOldExports(core.home);
  const open: { close(): Promise<void> }[] = [core, openPolicy(core)];
  const close = async (): Promise<void> => {
    for (const one of open.splice(0).reverse()) await one.close();
  };
  try {
    const found = core.listKnowledgebases();
    if (options.firstKnowledgebase !== undefined && found.length === 0) {
      makeFirst(core, options.firstKnowledgebase);
    }
    if (!isLoopback(options.host)) checkTokens(core, options.host);
    const { host, port, headerTimeoutMs, bodyTimeoutMs } = options;
    const listener = await openListener({
      ...{ host, port, intake: core.intake, log: core.log },
      ...(headerTimeoutMs ? { headerTimeoutMs } : {}),
      ...(bodyTimeoutMs ? { bodyTimeoutMs } : {}),
    });
    open.push(listener);
    open.push(keepRetention(core));
    const status = statusOf(core, listener);
    let adminUrl: string | null = null;
    if (options.adminPort !== null) {
      const { openAdmin } = await import('./admin/listen.ts');
      const admin = await openAdmin({
        ...{ core, status, port: options.adminPort },
        newToken: options.newAdminToken ?? false,
      });
      open.push(admin);
      adminUrl = admin.url;
    }
    return {
      core,
      ingestUrl: listener.url,
      adminUrl,
      status,
      faults: found.flatMap(({ id, fault }) => (fault ? [{ id, fault }] : [])),
      attach: async (messagePort) => {
        const { carryOverPort } = await import('./admin/carry-over-port.ts');
        carryOverPort(messagePort, { core, status });
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** One of this name that was taken off the list stays off it. */
const makeFirst = (core: Core, id: string): void => {
  try {
    core.createKnowledgebase(id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'knowledgebase_exists') throw error;
  }
};

const HOUR_MS = 3_600_000;

/** Lets bodies of rejects go as the settings say: now, and once an hour. */
const keepRetention = (core: Core): { close(): Promise<void> } => {
  let running = Promise.resolve();
  const applyAll = async (): Promise<void> => {
    for (const { id } of core.opened()) {
      await applyRetention(core.rejects(id)).catch((error: unknown) =>
        core.log.error(error, { part: 'retention' }),
      );
    }
  };
  const apply = (): void => {
    running = running.then(applyAll);
  };
  const first = setImmediate(apply);
  const timer = setInterval(apply, HOUR_MS).unref();
  return {
    close: async () => {
      clearImmediate(first);
      clearInterval(timer);
      await running;
    },
  };
};

const checkTokens = (core: Core, host: string): void => {
  const served = core.listKnowledgebases().filter(({ fault }) => fault === null);
  const bare = served.filter(({ id }) => core.knowledgebase(id).settings().tokens.length === 0);
  if (served.length > 0 && bare.length === 0) return;
  const which = bare[0]?.id;
  throw new AppError(
    'token_required',
    which
      ? `${host} can be reached from other machines, and ${which} has no token.`
      : `${host} can be reached from other machines, and there is no knowledgebase with a token.`,
    which ? { hint: `Create one with: strata token create ${which}` } : {},
  );
};

const statusOf = (core: Core, listener: Listener): (() => EngineStatus) => {
  const startedAt = new Date().toISOString();
  return () => ({
    ...{ version: VERSION, pid: process.pid, startedAt, home: core.home, ingestUrl: listener.url },
    listener: listener.status,
    waiting: core
      .opened()
      .flatMap(({ id, views }) =>
        views.waitingFor ? [{ knowledgebase: id, reason: views.waitingFor }] : [],
      ),
  });
};
