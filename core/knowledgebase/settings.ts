// Owns what is written in knowledgebase.json and stream.json: reading, checking, replacing them.
// Never shows a secret: tokens are stored as hashes, and a file with a password is for its owner alone.

import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { createFile, errnoOf, replaceFile } from '../durable.ts';
import { AppError } from '../errors.ts';
import { hasSecret } from './store-address.ts';

/** The version of the folder's format that this Strata writes. */
export const FORMAT = 1;

const tokenSchema = z.object({
  id: z.string(),
  label: z.string(),
  /** The stream it is for; null for the whole knowledgebase. */
  stream: z.string().nullable(),
  /** SHA-256 of the token, hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created_at: z.string(),
});

const knowledgebaseSchema = z.object({
  id: z.string(),
  name: z.string(),
  format: z.number().int(),
  created_at: z.string(),
  /** Whether a POST to a stream that is not there creates it. */
  create_streams_on_first_post: z.boolean().default(true),
  /** The largest body, unpacked. */
  max_body_bytes: z.number().int().min(1_024).max(64_000_000).default(1_048_576),
  /** Bodies of rejects go after so many days; null keeps them. */
  reject_days: z.number().int().min(1).nullable().default(null),
  /** Bodies of rejects go until the rest is no larger, those of closed ones first, the oldest first; null for no limit. */
  reject_bytes: z.number().int().min(0).nullable().default(null),
  tokens: z.array(tokenSchema).default([]),
  /** Where the model is kept: `none`, `sqlite` (the ledger), or a PostgreSQL URL, which a team shares. */
  model_store: z.string().default('sqlite'),
  /** The model's name in a shared store; null for the knowledgebase's id. */
  model_name: z.string().nullable().default(null),
});

/** When a stream is compacted: as suggested at 2,000 loose files, which is where a query begins to take a second. */
const compactionSchema = z.object({
  policy: z.enum(['off', 'suggested', 'automatic']).default('suggested'),
  /** From how many loose files on. */
  files: z.number().int().min(2).max(1_000_000).default(2_000),
  /** How long what a compaction replaced is kept. */
  retention_days: z.number().int().min(0).max(3_650).default(7),
});

const streamSchema = z.object({
  id: z.string(),
  created_at: z.string(),
  /** Registered columns: fields outside them are a fault. Null where any field is welcome. */
  columns: z.array(z.string()).nullable().default(null),
  /** Whether a batch without an id of its own is known by its body, so that sending the same body again is a replay. */
  recognise_equal_bodies: z.boolean().default(false),
  /** Whether a batch lands in `data/dt=YYYY-MM-DD/`, the day (UTC) on which it lands. */
  date_folders: z.boolean().default(false),
  /** Whether good lines of a batch land while its bad ones become a reject. */
  partial_landing: z.boolean().default(false),
  compaction: compactionSchema.prefault({}),
});

export type Token = z.infer<typeof tokenSchema>;
export type KnowledgebaseSettings = z.infer<typeof knowledgebaseSchema>;
export type StreamSettings = z.infer<typeof streamSchema>;

/**
 * Reads knowledgebase.json.
 * Throws `not_a_knowledgebase` when it is missing or wrong, `format_too_new` when a newer Strata wrote it.
 */
export const readKnowledgebaseSettings = (path: string): KnowledgebaseSettings => {
  const settings = read(path, knowledgebaseSchema, {
    code: 'not_a_knowledgebase',
    hint: 'Put back the file from a copy of the folder.',
  });
  if (settings.format > FORMAT) {
    throw new AppError(
      'format_too_new',
      `The folder has format ${settings.format}; this Strata knows ${FORMAT}: ${path}.`,
    );
  }
  return settings;
};

/** Reads stream.json. Throws `stream_broken` when it is missing or wrong, with the reason in `details`. */
export const readStreamSettings = (path: string): StreamSettings =>
  read(path, streamSchema, { code: 'stream_broken' });

/** How often this process has replaced a watched file: its own change is seen at once, also within one turn. */
let replaced = 0;

/** Replaces a file that `watchSettings` reads, durably. */
export const replaceWatched = (path: string, text: string, mode?: number): void => {
  replaceFile(path, text, mode);
  replaced += 1;
};

/** Replaces knowledgebase.json or stream.json, durably. */
export const writeSettings = (
  path: string,
  settings: KnowledgebaseSettings | StreamSettings,
): void => {
  const isSecret = 'model_store' in settings && hasSecret(settings.model_store);
  replaceWatched(path, textOf(settings), isSecret ? 0o600 : undefined);
};

/** Writes a new stream.json, durably. False when another process made one first; it stays as it is. */
export const createSettings = (path: string, settings: StreamSettings): boolean =>
  createFile(path, textOf(settings));

const textOf = (settings: KnowledgebaseSettings | StreamSettings): string =>
  `${JSON.stringify(settings, null, 2)}\n`;

/**
 * A reader that reads a settings file again only when it has changed. It looks once a turn of the event loop, however
 * many requests the turn serves.
 */
export const watchSettings = <T>(path: string, readNow: (path: string) => T): (() => T) => {
  let stamp = '';
  let value: T | undefined;
  let lookedAt = -1;
  const lookAgain = (): void => {
    lookedAt = -1;
  };
  return () => {
    if (value !== undefined && lookedAt === replaced) return value;
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    const now = `${stat?.mtimeNs}:${stat?.size}:${stat?.ino}`;
    if (value === undefined || now !== stamp) {
      value = readNow(path);
      stamp = now;
    }
    if (lookedAt < 0) setImmediate(lookAgain);
    lookedAt = replaced;
    return value;
  };
};

/** What a settings file is told to be that cannot be read; `hint` where the catalogue's is not for a file that is there. */
interface Unreadable {
  readonly code: 'not_a_knowledgebase' | 'stream_broken';
  readonly hint?: string;
}

const read = <T>(path: string, schema: z.ZodType<T>, { code, hint }: Unreadable): T => {
  const name = basename(path);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const isMissing = errnoOf(error) === 'ENOENT';
    const reason = isMissing
      ? `Its ${name} is missing.`
      : `Its ${name} cannot be read: ${brief(error)}`;
    const message = isMissing ? `There is no ${path}.` : `${path} cannot be read: ${brief(error)}`;
    throw new AppError(code, message, { details: { reason }, cause: error });
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError(code, `${path} is not as Strata wrote it: ${brief(error)}`, {
      ...(hint ? { hint } : {}),
      details: { reason: `Its ${name} cannot be read: ${brief(error)}` },
      cause: error,
    });
  }
};

const brief = (error: unknown): string => {
  if (error instanceof z.ZodError) {
    const issue = error.issues[0];
    return `${issue?.path.join('.') || 'the file'}: ${issue?.message}.`;
  }
  return `${(error as Error).message}.`;
};
