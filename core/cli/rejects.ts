// Owns `strata rejects`: listing, showing, landing and putting aside what was not taken in.

import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { counted, grouped } from '../counted.ts';
import { reasonOf } from '../engine/rejects/bodies.ts';
import { rejectDetail } from '../engine/rejects/detail.ts';
import { findReject, listRejects } from '../engine/rejects/find.ts';
import { replayReject } from '../engine/rejects/replay.ts';
import { discardReject, reopenReject } from '../engine/rejects/set-aside.ts';
import { AppError } from '../errors.ts';
import type { Mend, Reject, RejectFilter } from '../model.ts';
import type { Core } from '../open-core.ts';
import { printJson, printLine, tableOf } from './output.ts';
import { HEADS, linesOfDetail, NUMBERS, rowOf, shownReject } from './reject-output.ts';
import { homeOf, readWords, UsageError } from './usage.ts';
import { withCore } from './with-core.ts';

const ACTOR = { by: 'command line', recipeId: null, operation: null };
const STATES = ['open', 'replayed', 'discarded'] as const;

/** `rejects list`, `show`, `replay`, `discard` and `reopen`. */
export const rejects = async ([verb, ...words]: readonly string[]): Promise<void> => {
  switch (verb) {
    case 'list':
      return list(words);
    case 'show':
      return show(words);
    case 'replay':
      return replay(words);
    case 'discard':
    case 'reopen':
      return setAside(words, verb);
    default:
      throw new UsageError('rejects takes list, show, replay, discard or reopen.');
  }
};

const list = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB', '[STREAM]'], {
    state: { type: 'string' },
    code: { type: 'string' },
    limit: { type: 'string' },
  });
  const [id, stream] = positionals as [string, string?];
  const limit = limitOf(values.limit);
  const filter: RejectFilter = { stream, state: stateOf(values.state), code: values.code };
  await withCore({ home: homeOf(values.home), writing: false }, async (core) => {
    const page = await listRejects(core.knowledgebase(id), filter, limit);
    if (values.json) printJson({ rejects: page.rejects.map(shownReject), cursor: page.cursor });
    else if (page.rejects.length === 0) printLine('No reject.');
    else {
      printLine(tableOf(HEADS, page.rejects.map(rowOf), NUMBERS, 100));
      if (page.cursor !== null) printLine(`The newest ${grouped(limit)}; --limit shows more.`);
    }
  });
};

const show = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB', 'ID'], {});
  const [id, name] = positionals as [string, string];
  await withCore({ home: homeOf(values.home), writing: false }, async (core) => {
    const { stream, rejectId } = named(core, id, name);
    const knowledgebase = core.knowledgebase(id);
    const detail = await rejectDetail(knowledgebase, stream, rejectId);
    if (values.json) {
      const { faults, history, now, expects, hint, contentType } = detail;
      const sourceLines = reasonOf(knowledgebase, detail)?.lines ?? null;
      printJson({
        ...shownReject(detail),
        ...{ hint, content_type: contentType, errors: faults, source_lines: sourceLines },
        ...{ attempts: history, now, registered: expects.registered, known: expects.known },
      });
      return;
    }
    for (const line of linesOfDetail(knowledgebase, detail)) printLine(line);
  });
};

const replay = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB', 'ID'], { body: { type: 'string' } });
  const [id, name] = positionals as [string, string];
  const mend = values.body === undefined ? {} : await mendFrom(values.body);
  await withCore({ home: homeOf(values.home), writing: true }, async (core) => {
    const { stream, rejectId } = named(core, id, name);
    const context = core.rejects(id);
    const { landed, attempt } = await replayReject(context, stream, rejectId, mend, ACTOR);
    const reject = findReject(context.knowledgebase, stream, rejectId);
    const { batchId, rows, fault } = attempt;
    if (values.json) printJson({ ...shownReject(reject), landed, rows, fault });
    if (!landed && fault) {
      // It stays as it was; what is wrong now is the answer.
      throw new AppError(fault.code, `The reject ${rejectId} stays open: ${fault.message}`);
    }
    if (!values.json) printLine(`Landed ${counted(rows ?? 0, 'row')} as ${batchId}.`);
    const { views, tell } = context.knowledgebase;
    tell('reject-landed', `The reject ${rejectId} landed as ${batchId} (command line).`, stream);
    if (!(await views.settled(5_000))) {
      process.stderr.write(`strata: The view waits: ${views.waitingFor}\n`);
    }
  });
};

const setAside = async (words: readonly string[], verb: 'discard' | 'reopen'): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB', 'ID'], {});
  const [id, name] = positionals as [string, string];
  await withCore({ home: homeOf(values.home), writing: true }, (core) => {
    const { stream, rejectId } = named(core, id, name);
    const context = core.rejects(id);
    if (verb === 'discard') discardReject(context, stream, rejectId, ACTOR);
    else reopenReject(context, stream, rejectId, ACTOR);
    const reject = findReject(context.knowledgebase, stream, rejectId);
    if (values.json) printJson(shownReject(reject));
    else if (verb === 'discard') {
      printLine(`Discarded ${rejectId}. Its body stays; take it back with: strata rejects reopen`);
    } else printLine(`${rejectId} is open again.`);
  });
};

/** The reject that a word names: its id, or STREAM/ID. Throws `no_such_reject`, `reject_ambiguous`. */
const named = (core: Core, id: string, name: string): Pick<Reject, 'stream' | 'rejectId'> => {
  const knowledgebase = core.knowledgebase(id);
  const slash = name.indexOf('/');
  if (slash >= 0) {
    const [stream, rejectId] = [name.slice(0, slash), name.slice(slash + 1)];
    return findReject(knowledgebase, stream, rejectId);
  }
  const streams = knowledgebase.ledger().rejectLists.streamsWith(name);
  const [stream] = streams;
  if (stream === undefined) {
    throw new AppError('no_such_reject', `There is no reject "${name.slice(0, 140)}" in ${id}.`);
  }
  if (streams.length > 1) {
    const message = `The reject id ${name} is in several streams: ${streams.join(', ')}.`;
    throw new AppError('reject_ambiguous', message, {
      hint: `Name the stream too: ${stream}/${name}.`,
      details: { streams },
    });
  }
  return { stream, rejectId: name };
};

const mendFrom = async (file: string): Promise<Mend> => {
  try {
    const bytes = file === '-' ? await buffer(process.stdin) : await readFile(file);
    return { body: { base64: bytes.toString('base64') } };
  } catch (error) {
    throw new AppError('invalid_argument', `${file} cannot be read: ${(error as Error).message}.`, {
      hint: 'Name a file that is there and may be read.',
      cause: error,
    });
  }
};

const stateOf = (text: string | undefined): RejectFilter['state'] => {
  if (text === undefined) return undefined;
  const state = STATES.find((one) => one === text);
  if (state) return state;
  throw new UsageError(`--state takes open, replayed or discarded, not "${text}".`);
};

const limitOf = (text: string | undefined): number => {
  if (text === undefined) return 10_000;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= 1_000_000) return limit;
  throw new UsageError(`--limit takes a number from 1 to 1,000,000, not "${text}".`);
};
