// Owns starting the real app for a test, in Electron on a display of its own, and speaking to its engine from its page.
// Never depends on what the page shows: it speaks from an address of ours that has no page.

import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import type { contract } from '../../core/contract.ts';
import type { EngineState, StrataBridge } from '../../electron/ipc.ts';
import {
  type Electron,
  electronAtHand,
  electronEnvironment,
} from '../../scripts/set-up/electron.mjs';
import { hasXvfb } from './display.ts';
import { tempFolder } from './server.ts';

/** Why the app cannot be started here; undefined where it can. */
export const whyNoApp = (): string | undefined => {
  if (!electronAtHand()) return 'there is no Electron; npm test fetches one';
  if (process.platform === 'linux' && !hasXvfb()) return 'there is no Xvfb; npm test installs it';
  return undefined;
};

export interface App {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly home: string;
  readonly userData: string;
  /** From the start of the process to its first window on the screen, in ms. */
  readonly shownAfterMs: number;
  /** Every state of the engine that the page has been told, oldest first. */
  states(): Promise<EngineState[]>;
  /** The contract over a port that the page was handed; a newer port takes over by itself. */
  readonly client: ContractRouterClient<typeof contract>;
  /** How many ports the page was handed. */
  ports(): Promise<number>;
  /** Asks the app to quit; resolves with the exit code of its process. */
  quit(): Promise<number | null>;
}

/** What the app is started with. */
export const appWords = (home: string, userData: string, port: number): string[] => [
  process.cwd(),
  ...['--no-sandbox', '--home', home, '--user-data-dir', userData, '--port', String(port)],
];

/** The environment of the app on this display. */
export const appEnvironment = (electron: Electron, display: string): Record<string, string> => ({
  ...electronEnvironment(electron),
  DISPLAY: display,
});

/** What the page under test keeps in its window. */
interface Probe extends Window {
  strata: StrataBridge;
  probe: { states: EngineState[]; ports: MessagePort[] };
  hearProbe(message: unknown): void;
}

/** Starts the app and waits for its window. */
export const startApp = async (
  display: string,
  options: { readonly port?: number; readonly home?: string } = {},
): Promise<App> => {
  const at = electronAtHand() as Electron;
  const home = options.home ?? tempFolder();
  const userData = tempFolder();
  const started = performance.now();
  const electron = await _electron.launch({
    executablePath: at.program,
    args: appWords(home, userData, options.port ?? 0),
    env: appEnvironment(at, display),
  });
  const page = await electron.firstWindow();
  while (!(await isShown(electron))) await new Promise((resolve) => setTimeout(resolve, 10));
  const shownAfterMs = performance.now() - started;
  const client = await probe(page);
  return {
    ...{ electron, page, home, userData, shownAfterMs, client },
    states: () => page.evaluate(() => (window as unknown as Probe).probe.states),
    ports: () => page.evaluate(() => (window as unknown as Probe).probe.ports.length),
    quit: async () => {
      const child = electron.process();
      const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
      // Its answer may not come: the process is on its way out.
      void electron.evaluate(({ app }) => app.quit()).catch(() => {});
      return gone;
    },
  };
};

const isShown = (electron: ElectronApplication): Promise<boolean> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);

/** Leaves our page for an address of ours without one, and connects from there. */
const probe = async (page: Page): Promise<App['client']> => {
  const listeners: ((event: { data: unknown }) => void)[] = [];
  await page.exposeFunction('hearProbe', (data: unknown) => {
    for (const listen of listeners) listen({ data });
  });
  await page.goto('app://strata/probe');
  await page.evaluate(() => {
    const page = window as unknown as Probe;
    page.probe = { states: [], ports: [] };
    page.addEventListener('message', ({ data, ports, source }) => {
      const [port] = ports;
      if (source !== window || data?.strata !== 'port' || !port) return;
      page.probe.ports.push(port);
      port.onmessage = ({ data: message }) => page.hearProbe(message);
    });
    page.strata.onEngineState((state) => page.probe.states.push(state));
    page.strata.requestPort();
  });
  const port = {
    addEventListener: (name: string, listen: (event: { data: unknown }) => void) => {
      if (name === 'message') listeners.push(listen);
    },
    postMessage: (message: unknown) => {
      // The engine may be ready a moment before its port is here.
      void page.evaluate(async (sent) => {
        const { probe: here } = window as unknown as Probe;
        while (here.ports.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        here.ports.at(-1)?.postMessage(sent);
      }, message);
    },
  };
  return createORPCClient(new RPCLink({ port: port as unknown as MessagePort }));
};
