// Owns `strata land`: NDJSON files down the same path as a POST.
// Never changes a line; a file over the limit is cut into batches between lines.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { counted } from '../counted.ts';
import { AppError } from '../errors.ts';
import type { Landing } from '../model.ts';
import type { Core } from '../open-core.ts';
import { type Cut, cutBatches } from './cut-batches.ts';
import { bytesOf, printJson } from './output.ts';
import { homeOf, readWords } from './usage.ts';
import { withCore } from './with-core.ts';

/** How one batch of a file ended. */
type Outcome = { readonly file: string; readonly firstLine: number } & (
  | Landing
  | { readonly error: Record<string, unknown> }
);

/**
 * `land KB STREAM FILE...`; `-` is standard input.
 * A file's batches get ids from its content, so landing the same file twice adds nothing; those of standard input
 * get new ones. Exit code 1 when any batch was rejected; the others have landed.
 */
export const land = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB', 'STREAM', 'FILE...'], {});
  const [knowledgebaseId, streamId, ...files] = positionals as [string, string, ...string[]];
  await withCore({ home: homeOf(values.home), writing: true }, async (core) => {
    const outcomes: Outcome[] = [];
    for (const file of files) {
      for await (const outcome of landFile(core, knowledgebaseId, streamId, file)) {
        outcomes.push(outcome);
        if (!values.json) report(outcome);
      }
    }
    await core.recipesSettled();
    if (values.json) printJson({ landings: outcomes });
    if (outcomes.some((outcome) => 'error' in outcome)) process.exitCode = 1;
    const { views } = core.knowledgebase(knowledgebaseId);
    if (!(await views.settled(5_000))) {
      process.stderr.write(`strata: The view waits: ${views.waitingFor}\n`);
    }
  });
};

async function* landFile(
  core: Core,
  knowledgebaseId: string,
  streamId: string,
  file: string,
): AsyncGenerator<Outcome> {
  const { max_body_bytes: maxBytes } = core.knowledgebase(knowledgebaseId).settings();
  const hash = file === '-' ? null : (await hashOf(file)).slice(0, 32);
  let part = 0;
  for await (const cut of cutBatches(inputOf(file), maxBytes, file)) {
    part += 1;
    const batchId = hash === null ? undefined : `file-${hash}-${part}`;
    yield await landCut(core, knowledgebaseId, streamId, file, cut, batchId);
  }
  // An empty file is an empty batch, and is told so.
  if (part === 0) {
    const empty = { bytes: new Uint8Array(0), firstLine: 1 };
    yield await landCut(core, knowledgebaseId, streamId, file, empty, undefined);
  }
}

const landCut = async (
  core: Core,
  knowledgebaseId: string,
  streamId: string,
  file: string,
  { bytes, firstLine }: Cut,
  batchId: string | undefined,
): Promise<Outcome> => {
  try {
    const landing = await core.land(knowledgebaseId, streamId, {
      body: bytes,
      batchId,
      sender: 'command line',
      contentType: 'application/x-ndjson',
      receivedAt: new Date().toISOString(),
    });
    return { file, firstLine, ...landing };
  } catch (error) {
    // Only what is wrong with the batch itself lets the next one go on.
    if (!(error instanceof AppError) || error.details.reject_id === undefined) throw error;
    const { code, message, hint, details } = error;
    return { file, firstLine, error: { code, message, hint, ...details } };
  }
};

const inputOf = (file: string): AsyncIterable<Uint8Array> =>
  file === '-' ? process.stdin : opened(file);

async function* opened(file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk as Uint8Array;
  } catch (error) {
    throw unreadable(file, error);
  }
}

const hashOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of opened(file)) hash.update(chunk);
  return hash.digest('hex');
};

const unreadable = (file: string, error: unknown): AppError =>
  new AppError('invalid_argument', `${file} cannot be read: ${(error as Error).message}.`, {
    hint: 'Name a file that is there and may be read.',
    cause: error,
  });

const report = (outcome: Outcome): void => {
  if ('error' in outcome) {
    const { message, reject_id: rejectId } = outcome.error;
    const from =
      outcome.firstLine > 1 ? ` (its line 1 is line ${outcome.firstLine} of the file)` : '';
    process.stderr.write(
      `strata: ${outcome.file}: ${message}${from} Kept as reject ${rejectId}.\n`,
    );
    return;
  }
  const { file, rows, bytes, batch_id: batchId, replayed, rejected, reject_id: rejectId } = outcome;
  const part = rejected ? `, ${counted(rejected, 'bad line')} kept as reject ${rejectId}` : '';
  const what = `${replayed ? 'has landed before, nothing was added' : 'landed'}${part}`;
  process.stdout.write(
    `${file}: ${counted(rows, 'row')}, ${bytesOf(bytes)}, ${what} (${batchId})\n`,
  );
};
