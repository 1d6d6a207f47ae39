// Owns opening core in the test's own process over a temp home, with the real landing threads of dist/.
// Never replaces a part of it.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Core, openCore } from '../../core/index.ts';
import { jsonLog } from '../../core/log.ts';
import type { Landing } from '../../core/model.ts';
import { tempFolder } from './server.ts';

/** A core of a test, and what it wrote into its log. */
export interface TestCore extends Core {
  readonly logged: readonly string[];
}

/** Opens core over a home; a reader when `writing` is false. The test closes it. */
export const openTestCore = (
  options: { readonly home?: string; readonly writing?: boolean } = {},
): TestCore => {
  const logged: string[] = [];
  const core = openCore({
    home: options.home ?? tempFolder(),
    writing: options.writing ?? true,
    log: jsonLog((line) => logged.push(line), 'warn'),
    threads: pathToFileURL(join(process.cwd(), 'dist', '/')),
  });
  return { ...core, logged };
};

/** Lands a body in a stream of the knowledgebase `k`, as a POST does. */
export const land = (
  core: Core,
  stream: string,
  body: string | Uint8Array,
  batchId?: string,
): Promise<Landing> =>
  core.land('k', stream, {
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    batchId,
    sender: 'test',
    contentType: 'application/x-ndjson',
    receivedAt: new Date().toISOString(),
  });

/** The code of the error that a promise ends with; fails when it ends well, or with no code. */
export const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    (value) => new Error(`It ended well: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') throw error;
  return code;
};
