// Owns a file system without hard links, as sticks have them (FAT, exFAT), in a file of its own, mounted.
// Never a must: where this machine cannot (no root, no tools, no driver), there is none.

import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './server.ts';

/** A mounted stick. */
export interface Stick {
  readonly folder: string;
  unmount(): void;
}

const run = (command: string, ...words: string[]): string =>
  execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Debian: dosfstools, or exfatprogs and exfat-fuse. */
const KINDS: readonly (readonly [make: string, mount: string])[] = [
  ['mkfs.vfat', 'mount'],
  ['mkfs.exfat', 'mount'],
  ['mkfs.exfat', 'mount.exfat-fuse'],
];

/** Mounts a stick; undefined where that cannot be done. */
export const mountStick = (): Stick | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  for (const [make, mount] of KINDS) {
    const folder = tempFolder();
    const image = join(tempFolder(), 'stick.img');
    writeFileSync(image, '');
    truncateSync(image, 64 * 1_048_576);
    let device: string | undefined;
    try {
      run(make, image);
      device = run('losetup', '--find', '--show', image);
      run(mount, device, folder);
    } catch {
      if (device !== undefined) run('losetup', '--detach', device);
      continue;
    }
    const loop = device;
    return {
      folder,
      unmount: () => {
        run('umount', folder);
        run('losetup', '--detach', loop);
      },
    };
  }
  return undefined;
};
