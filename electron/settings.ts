// Owns the shell's few settings in the user's data folder: window, theme, the listener's port and address, home.
// Never holds anything of a knowledgebase, and a file that cannot be read costs no more than the defaults.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isHost, isPort, isTheme, type Theme } from './ipc.ts';

export interface WindowPlace {
  readonly x?: number;
  readonly y?: number;
  readonly width: number;
  readonly height: number;
  readonly maximized: boolean;
}

export interface Settings {
  readonly theme: Theme;
  readonly window: WindowPlace | null;
  /** The listener's port; null for the default. */
  readonly port: number | null;
  /** The listener's address; null for this machine alone. */
  readonly host: string | null;
  /** Where knowledgebases live; null for the default. */
  readonly home: string | null;
}

export interface SettingsFile {
  get(): Settings;
  /** Writes at once: what is chosen outlives a crash. A disk that refuses is not an error here. */
  change(part: Partial<Settings>): void;
}

/** Opens the settings in `file`. */
export const openSettings = (file: string): SettingsFile => {
  let settings = read(file);
  return {
    get: () => settings,
    change: (part) => {
      settings = { ...settings, ...part };
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(`${file}.next`, `${JSON.stringify(settings, null, 2)}\n`);
        renameSync(`${file}.next`, file);
      } catch {
        // They hold until the app ends.
      }
    },
  };
};

const read = (file: string): Settings => {
  let found: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof parsed === 'object' && parsed !== null) found = parsed as Record<string, unknown>;
  } catch {
    // The first start, or a file that a person broke.
  }
  return {
    theme: isTheme(found.theme) ? found.theme : 'auto',
    window: placeOf(found.window),
    port: isPort(found.port) ? found.port : null,
    host: isHost(found.host) ? found.host : null,
    home: typeof found.home === 'string' && found.home !== '' ? found.home : null,
  };
};

const placeOf = (value: unknown): WindowPlace | null => {
  if (typeof value !== 'object' || value === null) return null;
  const { x, y, width, height, maximized } = value as Record<string, unknown>;
  if (!isSize(width) || !isSize(height)) return null;
  const at = Number.isInteger(x) && Number.isInteger(y) ? { x: x as number, y: y as number } : {};
  return { ...at, width, height, maximized: maximized === true };
};

const isSize = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) < 100_000;
