// Owns the only bridge to core: a client of the contract, over the window's port or over HTTP, and what Electron offers.
// Never decides what is shown.

import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink as HttpLink } from '@orpc/client/fetch';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { QueryClient } from '@tanstack/react-query';
import type { contract } from '../core/contract.ts';
import type { StrataBridge } from '../electron/ipc.ts';
import { bridge } from './bridge.ts';
import { afterNews, type EngineState } from './engine-state.ts';

type Client = ContractRouterClient<typeof contract>;

let current: EngineState = { state: 'starting', attempt: 1 };
const watchers = new Set<() => void>();

/** The engine's state and a way to hear of changes, in the shape of useSyncExternalStore. */
export const engine = {
  get: (): EngineState => current,
  watch: (hear: () => void): (() => void) => {
    watchers.add(hear);
    return () => watchers.delete(hear);
  },
};

const setEngine = (next: EngineState): void => {
  const wasReady = current.state === 'ready';
  current = next;
  for (const hear of watchers) hear();
  if (next.state === 'ready' && !wasReady) void queryClient.invalidateQueries();
};

/** Calls fail at once while the engine is away; lists keep what they showed. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 1_000, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

let portClient: Client | undefined;

const overPort = (shell: StrataBridge): Client => {
  // A port cannot cross the bridge: it comes as a message of this window, a new one after each start of the engine.
  window.addEventListener('message', ({ source, data, ports }) => {
    const [port] = ports;
    if (source !== window || (data as { strata?: unknown })?.strata !== 'port' || !port) return;
    portClient = createORPCClient(new PortLink({ port }));
    port.start();
    setEngine({ state: 'ready' });
  });
  shell.onEngineState((state) => {
    if (state.state === 'ready') return;
    portClient = undefined;
    setEngine(afterNews(current, state));
  });
  shell.requestPort();
  // The port changes when the engine is started again; every call takes the one of now.
  const through = (path: readonly string[]): unknown =>
    new Proxy(() => {}, {
      get: (_, name) => through([...path, String(name)]),
      apply: (_, __, args) => {
        let target: unknown = portClient;
        if (!portClient) return Promise.reject(away());
        for (const part of path) target = (target as Record<string, unknown>)[part];
        return (target as (...given: unknown[]) => unknown)(...args);
      },
    });
  return through([]) as Client;
};

/** Takes the token out of the address; whether there was one. `left` is the address it leaves. */
const takeToken = (left: string): boolean => {
  const { hash } = location;
  const token = new URLSearchParams(hash.slice(hash.indexOf('token='))).get('token');
  if (!token) return false;
  // The token is kept for this tab alone, and leaves the address so that a copied link does not carry it.
  sessionStorage.setItem('token', token);
  history.replaceState(null, '', left);
  return true;
};

const overHttp = (): Client => {
  takeToken('#/');
  const client: Client = createORPCClient(
    new HttpLink({
      url: `${location.origin}/rpc`,
      headers: () => ({ authorization: `Bearer ${sessionStorage.getItem('token') ?? ''}` }),
    }),
  );
  void watchOverHttp(client);
  // A server that was started again has another token: its address, opened in this tab, is no other document.
  window.addEventListener('hashchange', ({ oldURL }) => {
    const left = new URL(oldURL).hash || '#/';
    if (takeToken(left) && current.state === 'failed') void watchOverHttp(client);
  });
  return client;
};

const watchOverHttp = async (client: Client): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.engine.status();
      attempt = 0;
      if (current.state !== 'ready') setEngine({ state: 'ready' });
    } catch (error) {
      if (error instanceof ORPCError && error.status === 401) {
        const message = 'The token is missing or wrong.';
        const hint = 'Open the address that strata serve printed; it carries the token.';
        setEngine({ state: 'failed', code: 'admin_token_wrong', message, hint });
        return;
      }
      const at = current.state === 'stopped' ? current.at : new Date().toISOString();
      setEngine({ state: 'stopped', at, reason: 'it does not answer', attempt });
    }
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
};

const away = (): Error => new Error('The engine is away. It is starting again.');

/** The client: `await client.streams.list({ knowledgebase })`. Errors have `code`, `message`, `data.hint`. */
export const client: Client = bridge ? overPort(bridge) : overHttp();

/** Query and mutation options of every procedure for TanStack Query. */
export const api = createTanstackQueryUtils(client);

/** What went wrong, as a sentence and the next step. */
export const faultOf = (error: unknown): { code: string; message: string; hint: string } => {
  if (error instanceof ORPCError) {
    const data = error.data as { hint?: string } | undefined;
    return { code: String(error.code), message: error.message, hint: data?.hint ?? '' };
  }
  const { message } = error as Error;
  // Browsers say it in their own words when nothing answers.
  const isAway = error instanceof TypeError && /fetch|network/i.test(message);
  return { code: 'internal', message: isAway ? away().message : message, hint: '' };
};

/** Fetches what an export left with the engine; browser mode only. */
export const fetchExport = async (jobId: number, fileName: string): Promise<void> => {
  const answer = await fetch(`/exports/${jobId}`, {
    headers: { authorization: `Bearer ${sessionStorage.getItem('token') ?? ''}` },
  });
  if (!answer.ok) throw new Error('The export is not there any more.');
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
};
