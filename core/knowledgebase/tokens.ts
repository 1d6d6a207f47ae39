// Owns tokens: making them, hashing them, saying what one opens. Never stores a token itself.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { fold } from '../ids.ts';
import type { KnowledgebaseSettings, Token } from './settings.ts';

/** A new token: 256 random bits, so that a plain hash of it can be stored (no guessing, no need of a slow hash). */
export const newToken = (
  label: string,
  stream: string | null,
): { secret: string; token: Token } => {
  const secret = `strata_${randomBytes(32).toString('base64url')}`;
  const token: Token = {
    id: randomBytes(4).toString('hex'),
    label,
    stream,
    sha256: hashOf(secret).toString('hex'),
    created_at: new Date().toISOString(),
  };
  return { secret, token };
};

/** Whether any token of the knowledgebase covers this stream, so that a POST to it must bring one. */
export const needsToken = (settings: KnowledgebaseSettings, stream: string): boolean =>
  settings.tokens.some((token) => covers(token, stream));

/**
 * What a token that was sent is worth: `opens` this stream, is known but for `another`, or is `unknown`.
 * Every stored hash is compared, each in constant time, so that timing tells nothing.
 */
export const judgeToken = (
  settings: KnowledgebaseSettings,
  stream: string,
  secret: string,
): 'opens' | 'another' | 'unknown' => {
  const sent = hashOf(secret);
  let known = false;
  let opens = false;
  for (const token of settings.tokens) {
    const same = timingSafeEqual(sent, Buffer.from(token.sha256, 'hex'));
    known = known || same;
    opens = opens || (same && covers(token, stream));
  }
  if (opens) return 'opens';
  return known ? 'another' : 'unknown';
};

/** Whether two secrets are the same, in constant time. */
export const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(hashOf(one), hashOf(other));

const covers = (token: Token, stream: string): boolean =>
  token.stream === null || fold(token.stream) === fold(stream);

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
