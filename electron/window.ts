// Owns the one window: how it is made, where it stands, its title bar, and what happens when its page breaks.
// Never knows what the page shows.

import { join } from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import { PAGE_URL, type TitleBar, type WindowState } from './ipc.ts';
import type { SettingsFile, WindowPlace } from './settings.ts';

const SMALLEST = { minWidth: 720, minHeight: 480 };
const FIRST_SIZE = { width: 1_280, height: 820 };
/** The page draws a title bar of this height. */
const TITLE_BAR_HEIGHT = 40;
/** Behind the page until it is drawn, and behind the system's controls. The theme's own values. */
const COLORS = {
  light: { chrome: '#F3F4F5', ink: '#4A535C' },
  dark: { chrome: '#0F1113', ink: '#AAB3BC' },
};

const colors = (): { chrome: string; ink: string } =>
  COLORS[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'];

/** Who draws the window's controls on this system. */
const TITLE_BAR: TitleBar =
  process.platform === 'darwin'
    ? 'traffic-lights'
    : process.platform === 'win32'
      ? 'overlay'
      : 'own';

export interface WindowOptions {
  readonly settings: SettingsFile;
  readonly onState: (state: WindowState) => void;
}

/** Makes the window. It shows itself once its page is drawn. */
export const openWindow = ({ settings, onState }: WindowOptions): BrowserWindow => {
  const place = placeOf(settings.get().window);
  const window = new BrowserWindow({
    ...place,
    ...SMALLEST,
    show: false,
    title: 'Strata',
    backgroundColor: colors().chrome,
    titleBarStyle: 'hidden',
    ...(TITLE_BAR === 'traffic-lights' ? { trafficLightPosition: { x: 14, y: 13 } } : {}),
    ...(TITLE_BAR === 'overlay' ? { titleBarOverlay: overlay() } : {}),
    webPreferences: {
      preload: join(import.meta.dirname, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
      devTools: !app.isPackaged,
      additionalArguments: [`--strata-version=${app.getVersion()}`, `--strata-bar=${TITLE_BAR}`],
    },
  });
  if (settings.get().window?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());

  const tell = (): void => onState(stateOf(window));
  window.on('maximize', tell).on('unmaximize', tell).on('focus', tell).on('blur', tell);
  window.on('enter-full-screen', tell).on('leave-full-screen', tell);
  keepPlace(window, settings);
  keepColors(window);
  keepPage(window);
  void window.loadURL(PAGE_URL);
  return window;
};

/** Shows the window in front of others, where it was put away too. */
export const bringToFront = (window: BrowserWindow): void => {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
};

/** How the window is, for the page's own title bar. */
export const stateOf = (window: BrowserWindow): WindowState => ({
  maximized: window.isMaximized(),
  fullScreen: window.isFullScreen(),
  focused: window.isFocused(),
});

const overlay = () => ({
  color: colors().chrome,
  symbolColor: colors().ink,
  height: TITLE_BAR_HEIGHT - 1,
});

/** The place kept from last time, unless the display that it was on is gone. */
const placeOf = (kept: WindowPlace | null): { width: number; height: number; x?: number } => {
  if (!kept) return FIRST_SIZE;
  const { x, y, width, height } = kept;
  if (x === undefined || y === undefined) return { width, height };
  const seen = screen.getAllDisplays().some(({ workArea }) => {
    const across = Math.min(x + width, workArea.x + workArea.width) - Math.max(x, workArea.x);
    return across >= 100 && y >= workArea.y - 8 && y < workArea.y + workArea.height - 40;
  });
  return seen ? { width, height, x, ...{ y } } : { width, height };
};

const keepPlace = (window: BrowserWindow, settings: SettingsFile): void => {
  let pause: NodeJS.Timeout | undefined;
  const keep = (): void => {
    clearTimeout(pause);
    if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
    settings.change({ window: { ...window.getNormalBounds(), maximized: window.isMaximized() } });
  };
  const soon = (): void => {
    clearTimeout(pause);
    pause = setTimeout(keep, 500);
  };
  window.on('resize', soon).on('move', soon).on('maximize', soon).on('unmaximize', soon);
  window.on('close', keep);
};

const keepColors = (window: BrowserWindow): void => {
  const paint = (): void => {
    if (window.isDestroyed()) return;
    window.setBackgroundColor(colors().chrome);
    if (TITLE_BAR === 'overlay') window.setTitleBarOverlay(overlay());
  };
  nativeTheme.on('updated', paint);
  window.on('closed', () => nativeTheme.off('updated', paint));
};

/** A page that breaks is loaded again once; the second time in a minute a person decides. */
const keepPage = (window: BrowserWindow): void => {
  let lastBroke = 0;
  window.webContents.on('render-process-gone', async (_, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const again = Date.now() - lastBroke < 60_000;
    lastBroke = Date.now();
    if (again && !(await wantsReload(window, reason))) app.quit();
    else if (!window.isDestroyed()) window.webContents.reload();
  });
};

const wantsReload = async (window: BrowserWindow, reason: string): Promise<boolean> => {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The window stopped twice within a minute.',
    detail: `Reason: ${reason}. The engine goes on; batches land.`,
    buttons: ['Load again', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  });
  return response === 0;
};
