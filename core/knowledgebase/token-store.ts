// Owns changing the tokens of a knowledgebase. Never returns a hash, and a secret only once.

import { AppError } from '../errors.ts';
import { checkStreamId } from '../ids.ts';
import type { TokenSummary } from '../model.ts';
import type { KnowledgebasePaths } from './paths.ts';
import { type KnowledgebaseSettings, type Token, writeSettings } from './settings.ts';
import { newToken } from './tokens.ts';

/** A knowledgebase as its tokens need it. */
export interface TokenHolder {
  readonly paths: KnowledgebasePaths;
  settings(): KnowledgebaseSettings;
}

/** Makes a token and stores its hash; the secret is returned here and nowhere else. Throws `invalid_stream_id`. */
export const createToken = (
  { paths, settings }: TokenHolder,
  stream: string | null,
  label: string,
): { token: TokenSummary; secret: string } => {
  if (stream !== null) checkStreamId(stream);
  const { secret, token } = newToken(label, stream);
  const now = settings();
  writeSettings(paths.settings, { ...now, tokens: [...now.tokens, token] });
  return { token: shownToken(token), secret };
};

/** Takes a token back; from then on it opens nothing. Throws `invalid_argument` when there is none with this id. */
export const revokeToken = ({ paths, settings }: TokenHolder, id: string): TokenSummary => {
  const now = settings();
  const token = now.tokens.find((one) => one.id === id);
  if (!token) throw new AppError('invalid_argument', `There is no token "${id.slice(0, 20)}".`);
  writeSettings(paths.settings, { ...now, tokens: now.tokens.filter((one) => one !== token) });
  return shownToken(token);
};

/** A token without its hash. */
export const shownToken = ({ id, label, stream, created_at }: Token): TokenSummary => ({
  id,
  label,
  stream,
  createdAt: created_at,
});
