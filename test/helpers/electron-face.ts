// Owns the window of the real app as a journey needs it: our own page, the system's clipboard, the file that is saved.
// Never shows a system dialog: the answer to it is given beforehand.

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PAGE_URL } from '../../electron/ipc.ts';
import { type App, startApp } from './app.ts';
import { type Face, see } from './face.ts';
import { tempFolder } from './server.ts';
import { until } from './until.ts';

export interface AppFace extends Face {
  readonly app: App;
  /** The process of the engine that ran when the app was started. */
  readonly enginePid: number;
}

/** Starts the app on this display and goes to its page. */
export const openAppFace = async (display: string): Promise<AppFace> => {
  const app = await startApp(display);
  const { page, electron } = app;
  page.setDefaultTimeout(15_000);
  await see.poll(async () => (await app.states()).at(-1)?.state).toBe('ready');
  // A call before the port is there would be lost.
  await see.poll(() => app.ports()).toBeGreaterThan(0);
  // One that is lost all the same is made again.
  const { pid, ingestUrl } = await until('the engine has answered', () =>
    Promise.race([
      app.client.engine.status(),
      new Promise<undefined>((resolve) => setTimeout(resolve, 3_000)),
    ]),
  );
  await page.goto(PAGE_URL);
  return {
    app,
    page,
    enginePid: pid,
    ingestUrl: ingestUrl as string,
    home: app.home,
    clipboard: () => electron.evaluate(({ clipboard }) => clipboard.readText()),
    exported: async (start) => {
      const path = join(tempFolder(), 'answer.csv');
      await electron.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath });
      }, path);
      await start();
      await see(page.getByText(/rows to CSV/)).toBeVisible();
      return { name: basename(path), bytes: await readFile(path) };
    },
    openFolder: async (label, path) => {
      await electron.evaluate(({ dialog }, folder) => {
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
      }, path);
      await page.getByRole('button', { name: label }).click();
    },
  };
};
