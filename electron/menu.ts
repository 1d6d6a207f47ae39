// Owns the application's menus and their shortcuts, as each system expects them.
// Never does what an entry says: it hands the page a command.

import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { Command } from './ipc.ts';

const SEPARATOR = { type: 'separator' } as const;

/** Puts the menus in place; `send` hands a command to the page. */
export const setMenu = (send: (command: Command) => void): void => {
  const entry = (label: string, command: Command, accelerator?: string) => ({
    ...{ label, click: () => send(command) },
    ...(accelerator ? { accelerator } : {}),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template(entry)));
};

type Entry = (label: string, command: Command, accelerator?: string) => MenuItemConstructorOptions;

const template = (entry: Entry): MenuItemConstructorOptions[] => {
  const isMac = process.platform === 'darwin';
  const settings = entry('Settings', 'go:settings', 'CmdOrCtrl+,');
  const about = entry('About Strata', 'about');
  const forMac: MenuItemConstructorOptions = {
    label: app.name,
    submenu: [
      ...[about, SEPARATOR, settings, SEPARATOR],
      ...[{ role: 'services' } as const, SEPARATOR],
      ...([{ role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }] as const),
      ...[SEPARATOR, { role: 'quit' } as const],
    ],
  };
  return [
    ...(isMac ? [forMac] : []),
    {
      label: 'File',
      submenu: [
        entry('New stream', 'new-stream', 'CmdOrCtrl+N'),
        entry('Open a knowledgebase', 'open-knowledgebase', 'CmdOrCtrl+O'),
        SEPARATOR,
        ...(isMac
          ? [{ role: 'close' } as const]
          : [settings, SEPARATOR, { role: 'quit' } as const]),
      ],
    },
    {
      label: 'Edit',
      submenu: [
        ...([{ role: 'undo' }, { role: 'redo' }] as const),
        SEPARATOR,
        ...([{ role: 'cut' }, { role: 'copy' }, { role: 'paste' }] as const),
        ...[{ role: 'selectAll' } as const, SEPARATOR],
        entry('Find', 'find', 'CmdOrCtrl+F'),
      ],
    },
    {
      label: 'View',
      submenu: [
        entry('All commands', 'palette', 'CmdOrCtrl+K'),
        SEPARATOR,
        ...([{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }] as const),
        ...[SEPARATOR, { role: 'togglefullscreen' } as const],
        // For developers; a package has no developer tools.
        ...(app.isPackaged ? [] : [SEPARATOR, { role: 'reload' } as const]),
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
      ],
    },
    {
      label: 'Go',
      submenu: [
        entry('Streams', 'go:streams', 'CmdOrCtrl+1'),
        entry('Rejects', 'go:rejects', 'CmdOrCtrl+2'),
        entry('Model', 'go:model', 'CmdOrCtrl+3'),
        entry('Query', 'go:query', 'CmdOrCtrl+4'),
        entry('Activity', 'go:activity', 'CmdOrCtrl+5'),
        entry('Settings', 'go:settings', 'CmdOrCtrl+6'),
      ],
    },
    {
      label: 'Window',
      role: 'window',
      submenu: [
        ...([{ role: 'minimize' }, { role: 'zoom' }] as const),
        ...(isMac ? [SEPARATOR, { role: 'front' } as const] : [{ role: 'close' } as const]),
      ],
    },
    {
      label: 'Help',
      role: 'help',
      submenu: [
        entry('Keyboard shortcuts', 'shortcuts', 'CmdOrCtrl+/'),
        ...(isMac ? [] : [SEPARATOR, about]),
      ],
    },
  ];
};
