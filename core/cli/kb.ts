// Owns `strata kb`: making and listing knowledgebases, opening one that is elsewhere, taking one off the list.

import { resolve } from 'node:path';
import { grouped } from '../counted.ts';
import { printJson, printLine, tableOf } from './output.ts';
import { homeOf, readWords, UsageError } from './usage.ts';
import { withCore } from './with-core.ts';

/** `kb create ID`, `kb list`, `kb open DIR` and `kb forget ID`. */
export const kb = async ([verb, ...words]: readonly string[]): Promise<void> => {
  if (verb === 'create') return create(words);
  if (verb === 'list') return list(words);
  if (verb === 'open') return openFolder(words);
  if (verb === 'forget') return forget(words);
  throw new UsageError('kb takes create, list, open or forget.');
};

const create = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['ID'], {});
  await withCore({ home: homeOf(values.home), writing: true }, async (core) => {
    const { id, paths, views } = core.createKnowledgebase(positionals[0]);
    await views.settled(10_000);
    if (values.json) printJson({ id, path: paths.root });
    else printLine(`Made ${paths.root}`);
  });
};

const openFolder = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['DIR'], {});
  await withCore({ home: homeOf(values.home), writing: true }, async (core) => {
    const { id, views } = await core.openFolder(resolve(positionals[0]));
    await views.settled(10_000);
    const opened = core.listKnowledgebases().find((one) => one.id === id);
    if (values.json) printJson(opened);
    else printLine(`Opened ${id}: ${opened?.path}`);
  });
};

const forget = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['ID'], {});
  await withCore({ home: homeOf(values.home), writing: false }, async (core) => {
    const forgotten = await core.forgetKnowledgebase(positionals[0]);
    if (values.json) printJson(forgotten);
    else {
      printLine(`${forgotten.id} is not in the list any more. Its folder stays: ${forgotten.path}`);
    }
  });
};

const list = async (words: readonly string[]): Promise<void> => {
  const { values } = readWords(words, [], {});
  await withCore({ home: homeOf(values.home), writing: false }, (core) => {
    const found = core.listKnowledgebases();
    if (values.json) {
      printJson({ knowledgebases: found });
      return;
    }
    if (found.length === 0)
      printLine(`No knowledgebase in ${core.home}. Make one: strata kb create ID`);
    else {
      const rows = found.map(({ id, streams, path, fault }) => [
        id,
        grouped(streams),
        fault ? `${path}: ${fault}` : path,
      ]);
      printLine(tableOf(['Knowledgebase', 'Streams', 'Folder'], rows, new Set([1]), 100));
    }
  });
};
