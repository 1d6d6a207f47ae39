// Owns what passes between the window's page, the shell and the engine's process: every channel and its payload.
// Never sends or receives; it has the types, and the checks of what a page may send.

/** Where the page is: the one address that the shell trusts. */
export const PAGE_ORIGIN = 'app://strata';
export const PAGE_URL = `${PAGE_ORIGIN}/index.html`;

/** How the engine is, as the shell sees it. `attempt` counts starts since it last ran well, from 1. */
export type EngineState =
  | { readonly state: 'starting'; readonly attempt: number }
  | { readonly state: 'ready'; readonly ingestUrl: string }
  | {
      readonly state: 'stopped';
      readonly at: string;
      readonly reason: string;
      readonly attempt: number;
    }
  | {
      readonly state: 'failed';
      /** A code of core's catalogue. */
      readonly code: string;
      readonly message: string;
      readonly hint: string;
    };

export type Theme = 'light' | 'dark' | 'auto';

export interface WindowState {
  readonly maximized: boolean;
  readonly fullScreen: boolean;
  readonly focused: boolean;
}

/** Where the engine is to listen from now on. */
export interface ListenerChange {
  readonly port?: number;
  /** An address of this machine; `0.0.0.0` for all. */
  readonly host?: string;
}

/** A place in a knowledgebase's folder, by names: the engine says where it is. */
export interface RevealPlace {
  readonly knowledgebase: string;
  readonly stream?: string;
  /** Relative to the stream's data folder. */
  readonly file?: string;
}

/** What a menu asks of the page. */
export const COMMANDS = [
  'go:streams',
  'go:rejects',
  'go:model',
  'go:query',
  'go:activity',
  'go:settings',
  'palette',
  'shortcuts',
  'new-stream',
  'open-knowledgebase',
  'find',
  'about',
] as const;
export type Command = (typeof COMMANDS)[number];

/** Who draws the window's controls: macOS, Windows over the title bar's right end, or the page itself. */
export type TitleBar = 'traffic-lights' | 'overlay' | 'own';

/**
 * What the preload script exposes to the page as `window.strata`.
 * Each `on...` answers a function that stops it; onEngineState and onState tell the present state first.
 */
export interface StrataBridge {
  readonly platform: string;
  readonly titleBar: TitleBar;
  readonly versions: {
    readonly strata: string;
    readonly electron: string;
    readonly chrome: string;
    readonly node: string;
  };
  /**
   * Asks for a port to the engine. One comes now or when the engine is ready, and a new one after each of its starts.
   * A port cannot cross this bridge: it arrives as a `message` event of the window, from the window itself,
   * with PortMessage as data and the port as `ports[0]`.
   */
  requestPort(): void;
  onEngineState(hear: (state: EngineState) => void): () => void;
  /** Starts the engine again, at another port or address where one is given; both are kept. Answers once it has been asked. */
  restartEngine(change?: ListenerChange): Promise<void>;
  onCommand(hear: (command: Command) => void): () => void;
  /** Answers a path, or null where the person changed their mind. `suggested` is a file name. */
  saveDialog(suggested: string): Promise<string | null>;
  openFolderDialog(): Promise<string | null>;
  /** Shows in the system's file manager what a dialog of this window named, or the home; nothing else. */
  reveal(path: string): Promise<void>;
  /** Shows the folder of a knowledgebase or stream, or a file of it; nothing outside the knowledgebase's folder. */
  revealIn(place: RevealPlace): Promise<void>;
  getTheme(): Promise<Theme>;
  setTheme(theme: Theme): Promise<void>;
  /** Opens an https address in the system's browser; anything else is refused. */
  openExternal(url: string): Promise<void>;
  readonly windowControls: {
    minimize(): void;
    toggleMaximize(): void;
    close(): void;
    /** Pops up the application's menu, where no menu bar shows. */
    menu(): void;
    onState(hear: (state: WindowState) => void): () => void;
  };
}

/** What a `message` event with a port in it says. */
export interface PortMessage {
  readonly strata: 'port';
}

const CONTROLS = ['minimize', 'toggle-maximize', 'close', 'menu'] as const;
export type Control = (typeof CONTROLS)[number];

/** Calls of the page with an answer: what each takes and gives. */
export interface Calls {
  'engine:state': { takes: undefined; gives: EngineState };
  'engine:restart': { takes: ListenerChange; gives: undefined };
  'dialog:save': { takes: string; gives: string | null };
  'dialog:open-folder': { takes: undefined; gives: string | null };
  'shell:reveal': { takes: string; gives: undefined };
  'shell:reveal-in': { takes: RevealPlace; gives: undefined };
  'shell:open-external': { takes: string; gives: undefined };
  'theme:get': { takes: undefined; gives: Theme };
  'theme:set': { takes: Theme; gives: undefined };
  'window:state': { takes: undefined; gives: WindowState };
  'window:control': { takes: Control; gives: undefined };
  'port:request': { takes: undefined; gives: undefined };
}

/** What the shell tells the page unasked. A port comes on `port`. */
export interface Events {
  'engine:state': EngineState;
  'window:state': WindowState;
  command: Command;
  port: PortMessage;
}

const nothing = (value: unknown): boolean => value === undefined;
const text =
  (most: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value.length > 0 && value.length <= most && !value.includes('\0');
const oneOf =
  (values: readonly string[]) =>
  (value: unknown): boolean =>
    values.includes(value as string);

/** Whether a port can be listened on; 0 lets the system choose. */
export const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535;

export const isTheme = (value: unknown): value is Theme => oneOf(['light', 'dark', 'auto'])(value);

/** Whether it reads as an address or name of a machine; what it means the engine finds out. */
export const isHost = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$|^[0-9A-Fa-f:.]{2,45}$/.test(value);

/** An object with these fields and no others; one that is left out is none, not undefined. */
const fields =
  (checks: Readonly<Record<string, (value: unknown) => boolean>>) =>
  (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([key, one]) => Object.hasOwn(checks, key) && checks[key]?.(one));

const isPlace = (value: unknown): boolean =>
  fields({ knowledgebase: text(63), stream: text(63), file: text(4_096) })(value) &&
  Object.hasOwn(value as object, 'knowledgebase') &&
  (!Object.hasOwn(value as object, 'file') || Object.hasOwn(value as object, 'stream'));

/** Whether what came with a call is what it takes. A page that was taken over may send anything. */
export const CHECKS: { readonly [K in keyof Calls]: (value: unknown) => boolean } = {
  'engine:state': nothing,
  'engine:restart': fields({ port: isPort, host: isHost }),
  'dialog:save': text(255),
  'dialog:open-folder': nothing,
  'shell:reveal': text(4_096),
  'shell:reveal-in': isPlace,
  'shell:open-external': text(2_048),
  'theme:get': nothing,
  'theme:set': isTheme,
  'window:state': nothing,
  'window:control': oneOf(CONTROLS),
  'port:request': nothing,
};
