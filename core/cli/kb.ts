// Owns `strata kb`: making and listing knowledgebases.

import { countOf, printJson, printLine, tableOf } from './output.ts';
import { homeOf, readWords, UsageError } from './usage.ts';
import { withCore } from './with-core.ts';

/** `kb create ID` and `kb list`. */
export const kb = async ([verb, ...words]: readonly string[]): Promise<void> => {
  if (verb === 'create') return create(words);
  if (verb === 'list') return list(words);
  throw new UsageError('kb takes create or list.');
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
        countOf(streams),
        fault ? `${path}: ${fault}` : path,
      ]);
      printLine(tableOf(['Knowledgebase', 'Streams', 'Folder'], rows, new Set([1]), 100));
    }
  });
};
