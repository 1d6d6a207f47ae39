// Owns finding which program listens on a port of this machine, for a message. Linux alone tells; elsewhere none is named.
// Never asks another program.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';

/** `node (process 4711)`, or undefined where it cannot be told. */
export const holderOf = (port: number): string | undefined => {
  if (process.platform !== 'linux') return undefined;
  const inodes = new Set(['tcp', 'tcp6'].flatMap((table) => inodesOf(table, port)));
  if (inodes.size === 0) return undefined;
  for (const pid of entriesOf('/proc')) {
    if (!/^\d+$/.test(pid) || !holds(pid, inodes)) continue;
    return `${textOf(`/proc/${pid}/comm`).trim() || 'a program'} (process ${pid})`;
  }
  return undefined;
};

/** The sockets that listen on a port, by the numbers that /proc gives them. */
const inodesOf = (table: string, port: number): string[] => {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return textOf(`/proc/net/${table}`)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(end) && state === LISTENING)
    .flatMap((fields) => fields[9] ?? []);
};

const holds = (pid: string, inodes: ReadonlySet<string>): boolean =>
  entriesOf(`/proc/${pid}/fd`).some((fd) => {
    try {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [];
      return inode !== undefined && inodes.has(inode);
    } catch {
      return false;
    }
  });

const entriesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
