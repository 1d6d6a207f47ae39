// Owns a display without a screen for a test: Xvfb on a number of its own. Never uses the person's display.

import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';

/** Whether a display can be made here. */
export const hasXvfb = (): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, 'Xvfb'), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

export interface Display {
  /** `:99`, for the environment. */
  readonly name: string;
  close(): void;
}

/** Starts a display of 1600 by 1000; it chooses a free number itself. */
export const openDisplay = async (): Promise<Display> => {
  const words = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'];
  const child: ChildProcess = spawn('Xvfb', words, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    let said = '';
    (child.stdio[3] as Readable).setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('\n')) resolve(said.trim());
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}.`)));
  });
  return { name: `:${number}`, close: () => child.kill() };
};
