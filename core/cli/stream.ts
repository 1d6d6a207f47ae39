// Owns `strata stream`: making a stream before its first batch.

import { printJson, printLine } from './output.ts';
import { homeOf, readWords, UsageError } from './usage.ts';
import { withCore } from './with-core.ts';

/** `stream create KB STREAM [--columns a,b,c] [--recognise-equal-bodies] [--date-folders]`. */
export const stream = async ([verb, ...words]: readonly string[]): Promise<void> => {
  if (verb !== 'create') throw new UsageError('stream takes create.');
  const { values, positionals } = readWords(words, ['KB', 'STREAM'], {
    columns: { type: 'string' },
    'recognise-equal-bodies': { type: 'boolean', default: false },
    'date-folders': { type: 'boolean', default: false },
  });
  const [knowledgebaseId, streamId] = positionals as [string, string];
  const columns = values.columns?.split(',').map((name) => name.trim()) ?? null;
  await withCore({ home: homeOf(values.home), writing: true }, async (core) => {
    const { id, streams, views } = core.knowledgebase(knowledgebaseId);
    const made = streams.create(streamId, columns, {
      recogniseEqualBodies: values['recognise-equal-bodies'],
      dateFolders: values['date-folders'],
    });
    await views.settled(10_000);
    if (values.json) printJson({ knowledgebase: id, stream: made.id, columns });
    else printLine(`Made the stream ${made.id} in ${id}.`);
  });
};
