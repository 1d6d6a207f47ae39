// Owns the few file operations whose order makes a change survive a power cut.
// Never knows what the files mean.

import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from './errors.ts';

/** Codes with which a file system says that it has no hard links (FAT, exFAT, some network shares). */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
/** Windows answers with these while a virus scanner or an indexer has the file open. */
const SHARING = new Set(['EBUSY', 'EACCES', 'EPERM']);

/** A new file whose content is written and not yet synced; it is open until `syncNewFile` or `dropNewFile`. */
export interface NewFile {
  readonly path: string;
  readonly fd: number;
}

/** Writes a new file without syncing it. Fails if it exists; what fails half-way leaves nothing. */
export const startNewFile = (path: string, parts: readonly Uint8Array[], mode = 0o666): NewFile => {
  const file = { path, fd: openSync(path, 'wx', mode) };
  try {
    for (const part of parts) writeWhole(file.fd, part);
  } catch (error) {
    dropNewFile(file);
    throw error;
  }
  return file;
};

/** Syncs a new file's content and closes it; the name is durable only after `syncFolder`. What fails leaves no file. */
export const syncNewFile = (file: NewFile): void => {
  try {
    fsyncSync(file.fd);
  } catch (error) {
    dropNewFile(file);
    throw error;
  }
  closeSync(file.fd);
};

/** Closes a new file and removes it. */
const dropNewFile = ({ path, fd }: NewFile): void => {
  closeSync(fd);
  removeQuietly(path);
};

/** Writes a new file and syncs its content; the name is durable only after `syncFolder`. Fails if it exists. */
export const writeNewFile = (path: string, parts: readonly Uint8Array[], mode?: number): void =>
  syncNewFile(startNewFile(path, parts, mode));

/** The same as `writeNewFile` without holding up the event loop: for what may be large. */
export const writeNewFileAsync = async (path: string, bytes: Uint8Array): Promise<void> => {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    removeQuietly(path);
    throw error;
  } finally {
    await file.close();
  }
};

/**
 * Gives a synced file its final name, never replacing one that is there; the old name goes.
 * Returns false when the final name is taken; the file is left where it was.
 *
 * A hard link is the portable way to rename without replacing (link(2): EEXIST). Where the file system has
 * none, the check comes first; only another process landing the same id in the same instant could slip between.
 */
export const publishFile = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') return false;
    if (code === undefined || !NO_LINKS.has(code)) throw error;
    if (statSync(to, { throwIfNoEntry: false })) return false;
    renameRetrying(from, to);
    return true;
  }
  removeQuietly(from);
  return true;
};

/**
 * Writes or replaces a small file so that a reader sees the old one or the new one, and syncs both it and its folder.
 * `mode` is that of a new file (open(2)), as far as the process may give it.
 */
export const replaceFile = (path: string, text: string, mode?: number): void => {
  const staged = `${path}.${process.pid}.new`;
  removeQuietly(staged);
  writeNewFile(staged, [Buffer.from(text)], mode);
  renameRetrying(staged, path);
  syncFolder(dirname(path));
};

/** Writes a small new file durably and whole, with a mode less the process's mask. False when there is one of that name already; it stays as it is. */
export const createFile = (path: string, text: string, mode?: number): boolean => {
  const staged = `${path}.${process.pid}.new`;
  removeQuietly(staged);
  writeNewFile(staged, [Buffer.from(text)], mode);
  const created = publishFile(staged, path);
  if (!created) removeQuietly(staged);
  syncFolder(dirname(path));
  return created;
};

/** Moves a file, replacing what is there, and retries a bounded time where Windows says that it is in use. */
export const renameRetrying = (from: string, to: string): void => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const code = errnoOf(error);
      const worthIt =
        process.platform === 'win32' && code !== undefined && SHARING.has(code) && attempt < 10;
      if (!worthIt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * attempt);
    }
  }
};

/** Makes the names in a folder durable (fsync(2): the entry needs a sync of its own). Windows has no such call. */
export const syncFolder = (path: string): void => {
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
};

/** The same as `syncFolder` without holding up the event loop: after thousands of renames it takes a while. */
export const syncFolderAsync = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Makes a folder and its missing parents, each durable in its parent. */
export const makeFolder = (path: string): void => {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; ; made = dirname(made)) {
    syncFolder(dirname(made));
    if (made === first) return;
  }
};

/** Makes a folder in one that is there, durably; that it is there already is no fault. Throws ENOENT without its parent. */
export const makeOneFolder = (path: string, afterMaking: () => void = () => {}): void => {
  try {
    mkdirSync(path);
    afterMaking();
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
  syncFolder(dirname(path));
};

/** Removes a file; that it is gone already is no fault. */
export const removeQuietly = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
};

/** The system's code of an error (`ENOSPC`, `EEXIST` ...); undefined when it has none. */
export const errnoOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
};

/** Turns a full disk and a read-only folder into AppErrors that say so; gives back any other error as it is. */
export const diskFault = (error: unknown, path: string): unknown => {
  switch (errnoOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('disk_full', 'The disk is full: nothing landed.', {
        details: { path },
        cause: error,
      });
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new AppError('folder_not_writable', `The folder cannot be written: ${path}.`, {
        details: { path },
        cause: error,
      });
    default:
      return error;
  }
};

const writeWhole = (fd: number, bytes: Uint8Array): void => {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done);
  }
};
