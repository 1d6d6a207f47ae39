// Owns `strata token`: tokens that let producers write from other machines.

import { createToken, revokeToken, shownToken } from '../knowledgebase/token-store.ts';
import { printJson, printLine, tableOf } from './output.ts';
import { homeOf, readWords, UsageError } from './usage.ts';
import { withCore } from './with-core.ts';

/** `token create KB [STREAM]`, `token list KB`, `token revoke KB ID`. */
export const token = async ([verb, ...words]: readonly string[]): Promise<void> => {
  if (verb === 'create') return create(words);
  if (verb === 'list') return list(words);
  if (verb === 'revoke') return revoke(words);
  throw new UsageError('token takes create, list or revoke.');
};

const create = async (words: readonly string[]): Promise<void> => {
  const options = { label: { type: 'string', default: '' } } as const;
  const { values, positionals } = readWords(words, ['KB', '[STREAM]'], options);
  await withCore({ home: homeOf(values.home), writing: false }, (core) => {
    const knowledgebase = core.knowledgebase(positionals[0]);
    const made = createToken(knowledgebase, positionals[1] ?? null, values.label);
    if (values.json) printJson({ ...made.token, secret: made.secret });
    else {
      printLine(made.secret);
      printLine('Keep it: only its hash is stored. Producers send it as Authorization: Bearer.');
    }
  });
};

const list = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB'], {});
  await withCore({ home: homeOf(values.home), writing: false }, (core) => {
    const tokens = core.knowledgebase(positionals[0]).settings().tokens.map(shownToken);
    if (values.json) printJson({ tokens });
    else if (tokens.length === 0) printLine('No token. Make one: strata token create KB');
    else {
      const rows = tokens.map(({ id, stream, label, createdAt }) => [
        id,
        stream ?? 'every stream',
        label,
        createdAt,
      ]);
      printLine(tableOf(['Token', 'For', 'Label', 'Made'], rows));
    }
  });
};

const revoke = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB', 'ID'], {});
  const [knowledgebaseId, id] = positionals as [string, string];
  await withCore({ home: homeOf(values.home), writing: false }, (core) => {
    const revoked = revokeToken(core.knowledgebase(knowledgebaseId), id);
    if (values.json) printJson(revoked);
    else printLine(`The token ${revoked.id} opens nothing any more.`);
  });
};
