// Owns the shell's answers to the page. Sole importer of ipcMain.
// Never answers anyone but the top frame of our own page, and never takes what ipc.ts does not allow.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { type BrowserWindow, dialog, ipcMain, Menu, nativeTheme, shell } from 'electron';
import { isOwnFrame } from './guard.ts';
import type { Located } from './host-messages.ts';
import {
  type Calls,
  CHECKS,
  type Control,
  type EngineState,
  type ListenerChange,
  type RevealPlace,
  type Theme,
} from './ipc.ts';
import { pathWithin } from './path-within.ts';
import type { SettingsFile } from './settings.ts';
import { stateOf } from './window.ts';

export interface Handled {
  readonly window: () => BrowserWindow | undefined;
  readonly settings: SettingsFile;
  readonly engineState: () => EngineState;
  readonly restartEngine: (change: ListenerChange) => Promise<void>;
  /** Where a place in a knowledgebase is, as the engine knows it. */
  readonly locate: (place: RevealPlace) => Promise<Located | null>;
  readonly home: () => string;
  readonly connect: (window: BrowserWindow) => void;
}

type Answers = {
  readonly [K in keyof Calls]: (
    value: Calls[K]['takes'],
    window: BrowserWindow,
  ) => Calls[K]['gives'] | Promise<Calls[K]['gives']>;
};

/** Answers the calls of the page. Once. */
export const answerPage = (handled: Handled): void => {
  const answers = answersOf(handled);
  for (const channel of Object.keys(answers) as (keyof Calls)[]) {
    ipcMain.handle(channel, ({ senderFrame }, value: unknown) => {
      const window = handled.window();
      if (!window || !isOwnFrame(senderFrame, window.webContents)) {
        throw new Error(`${channel} is for the page of Strata's window.`);
      }
      if (!CHECKS[channel](value)) throw new Error(`${channel} does not take that.`);
      const answer = answers[channel] as (value: unknown, window: BrowserWindow) => unknown;
      return answer(value, window);
    });
  }
};

const answersOf = (handled: Handled): Answers => {
  const { settings, engineState, restartEngine, connect } = handled;
  // What a person named in a dialog of this window; a page that was taken over names nothing.
  const named = new Set<string>();
  const nameIt = (path: string | undefined): string | null => {
    if (path) named.add(path);
    return path || null;
  };
  return {
    'engine:state': engineState,
    'engine:restart': async (change) => {
      await restartEngine(change);
      return undefined;
    },
    'dialog:save': async (suggested, window) => {
      const { filePath } = await dialog.showSaveDialog(window, {
        // The name alone: a page does not choose the folder.
        defaultPath: join(homedir(), basename(suggested)),
        properties: ['createDirectory', 'showOverwriteConfirmation'],
      });
      return nameIt(filePath);
    },
    'dialog:open-folder': async (_, window) => {
      const { filePaths } = await dialog.showOpenDialog(window, {
        properties: ['openDirectory', 'createDirectory'],
      });
      return nameIt(filePaths[0]);
    },
    'shell:reveal': (path) => {
      const isKnown = named.has(path) || path === handled.home();
      if (!isKnown || !existsSync(path)) throw new Error(`${path} is not there to be shown.`);
      shell.showItemInFolder(path);
      return undefined;
    },
    'shell:reveal-in': async (place) => {
      const shown = pathWithin(await handled.locate(place));
      if (shown === undefined) throw new Error('It is not there to be shown.');
      shell.showItemInFolder(shown);
      return undefined;
    },
    'shell:open-external': async (url) => {
      const { protocol, username, password } = new URL(url);
      if (protocol !== 'https:' || username || password) {
        throw new Error('Only https addresses open in the browser.');
      }
      await shell.openExternal(url);
      return undefined;
    },
    'theme:get': () => settings.get().theme,
    'theme:set': (theme) => {
      settings.change({ theme });
      useTheme(theme);
      return undefined;
    },
    'window:state': (_, window) => stateOf(window),
    'window:control': (name, window) => {
      controls[name](window);
      return undefined;
    },
    'port:request': (_, window) => {
      connect(window);
      return undefined;
    },
  };
};

/** Makes the system's parts of the window follow the chosen theme. */
export const useTheme = (theme: Theme): void => {
  nativeTheme.themeSource = theme === 'auto' ? 'system' : theme;
};

const controls: Readonly<Record<Control, (window: BrowserWindow) => void>> = {
  minimize: (window) => window.minimize(),
  'toggle-maximize': (window) => (window.isMaximized() ? window.unmaximize() : window.maximize()),
  close: (window) => window.close(),
  menu: (window) => Menu.getApplicationMenu()?.popup({ window, x: 8, y: 36 }),
};
