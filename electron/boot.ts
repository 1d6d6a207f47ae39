// Owns the app from start to end: one instance, one window, one engine, and the order they come and go in.
// Never does data work; the engine has a process of its own.

import { join } from 'node:path';
import { app, type BrowserWindow } from 'electron';
import { guardPages, guardSession } from './guard.ts';
import { answerPage, useTheme } from './handlers.ts';
import type { Events } from './ipc.ts';
import { setMenu } from './menu.ts';
import { registerPageScheme, servePage } from './page.ts';
import { openSettings } from './settings.ts';
import { homeOf, hostOf, portOf, readStartWords } from './start-words.ts';
import { type EngineChoice, superviseEngine } from './supervise.ts';
import { bringToFront, openWindow } from './window.ts';

const said = readStartWords(process.argv.slice(1));
app.setName('Strata');
if (said.userData) app.setPath('userData', said.userData);

if (app.requestSingleInstanceLock()) boot();
else {
  process.stderr.write('Strata is running; its window is in front now.\n');
  app.exit(0);
}

function boot(): void {
  registerPageScheme();
  guardPages();

  const settings = openSettings(join(app.getPath('userData'), 'settings.json'));
  let window: BrowserWindow | undefined;
  let port = portOf(said, settings.get().port);
  let host = hostOf(said, settings.get().host);
  const tell = <K extends keyof Events>(channel: K, value: Events[K]): void => {
    if (window && !window.isDestroyed()) window.webContents.send(channel, value);
  };

  const engine = superviseEngine((state) => tell('engine:state', state));
  const choice = (): EngineChoice => ({
    ...{ home: homeOf(said, settings.get().home), host, port },
    logFile: join(app.getPath('userData'), 'logs', 'engine.log'),
  });

  const open = (): void => {
    window = openWindow({
      settings,
      onState: (state) => tell('window:state', state),
    });
    window.once('closed', () => {
      window = undefined;
    });
  };
  const show = (): void => (window ? bringToFront(window) : open());

  app.on('second-instance', show);
  app.on('activate', show);
  // On a Mac an app goes on without a window, and its engine with it.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  quitDrained(() => engine.close());

  void app.whenReady().then(() => {
    useTheme(settings.get().theme);
    servePage();
    guardSession();
    answerPage({
      ...{ window: () => window, settings, engineState: engine.state },
      connect: ({ webContents }) => engine.connect(webContents),
      locate: engine.locate,
      home: () => choice().home,
      restartEngine: async (change) => {
        port = change.port ?? port;
        host = change.host ?? host;
        settings.change(change);
        await engine.restart(choice());
      },
    });
    engine.start(choice());
    open();
    setMenu((command) => tell('command', command));
  });
}

/** Lets the app end only when the engine has answered what was under way. */
function quitDrained(drain: () => Promise<void>): void {
  let drained = false;
  let draining = false;
  app.on('will-quit', (event) => {
    if (drained) return;
    event.preventDefault();
    if (draining) return;
    draining = true;
    void drain().finally(() => {
      drained = true;
      app.quit();
    });
  });
}
