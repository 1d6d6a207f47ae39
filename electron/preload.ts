// Owns the bridge between the page and the shell: what is exposed as window.strata. Sole importer of ipcRenderer.
// Never hands the page ipcRenderer itself, a channel's name, or Node.

import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import type { Calls, Control, Events, StrataBridge, TitleBar } from './ipc.ts';

const call = <K extends keyof Calls>(
  channel: K,
  value?: Calls[K]['takes'],
): Promise<Calls[K]['gives']> => ipcRenderer.invoke(channel, value);

const on = <K extends keyof Events>(channel: K, hear: (value: Events[K]) => void): (() => void) => {
  const listen = (_: IpcRendererEvent, value: Events[K]): void => hear(value);
  ipcRenderer.on(channel, listen);
  return () => {
    ipcRenderer.removeListener(channel, listen);
  };
};

/** Tells the present value first, then each new one; a new one that comes sooner stands. */
const onFromNow = <K extends 'engine:state' | 'window:state'>(
  channel: K,
  hear: (value: Events[K]) => void,
): (() => void) => {
  let heard = false;
  let stopped = false;
  const stop = on(channel, (value) => {
    heard = true;
    hear(value);
  });
  void call(channel).then((value) => {
    if (!heard && !stopped) hear(value as Events[K]);
  });
  return () => {
    stopped = true;
    stop();
  };
};

const control = (name: Control) => (): void => {
  void call('window:control', name);
};

const argument = (name: string): string =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '';

const bridge: StrataBridge = {
  platform: process.platform,
  titleBar: argument('strata-bar') as TitleBar,
  versions: {
    strata: argument('strata-version'),
    electron: process.versions.electron ?? '',
    chrome: process.versions.chrome ?? '',
    node: process.versions.node,
  },
  requestPort: () => {
    void call('port:request');
  },
  onEngineState: (hear) => onFromNow('engine:state', hear),
  restartEngine: (change = {}) => call('engine:restart', change),
  onCommand: (hear) => on('command', hear),
  saveDialog: (suggested) => call('dialog:save', suggested),
  openFolderDialog: () => call('dialog:open-folder'),
  reveal: (path) => call('shell:reveal', path),
  revealIn: (place) => call('shell:reveal-in', place),
  getTheme: () => call('theme:get'),
  setTheme: (theme) => call('theme:set', theme),
  openExternal: (url) => call('shell:open-external', url),
  windowControls: {
    minimize: control('minimize'),
    toggleMaximize: control('toggle-maximize'),
    close: control('close'),
    menu: control('menu'),
    onState: (hear) => onFromNow('window:state', hear),
  },
};

contextBridge.exposeInMainWorld('strata', bridge);

// A port cannot cross the bridge; the page hears of it as a message from its own window.
ipcRenderer.on('port', ({ ports }, message: Events['port']) => {
  window.postMessage(message, location.origin, [...ports]);
});
