// Owns the listener's addresses. Never acts on a request.

import { AppError } from '../errors.ts';

/** What an address of the listener stands for. */
export type Route =
  | { readonly kind: 'ingest'; readonly knowledgebase: string; readonly stream: string }
  /** The listener itself; shippers ask it whether it is there. */
  | { readonly kind: 'health' };

const INGEST = /^\/knowledgebase\/([^/]+)\/strata\/ingest\/([^/]+)\/?$/;
const HEALTH = new Set(['/', '/health', '/healthz']);

/** The route of a request's target; a query string is ignored. Throws `no_such_route`. */
export const routeOf = (url: string): Route => {
  const path = url.split('?', 1)[0] as string;
  const match = INGEST.exec(path);
  if (match) {
    const [, knowledgebase, stream] = match as unknown as [string, string, string];
    return { kind: 'ingest', knowledgebase: decoded(knowledgebase), stream: decoded(stream) };
  }
  if (HEALTH.has(path)) return { kind: 'health' };
  throw new AppError('no_such_route', 'There is nothing at this address.');
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw new AppError('no_such_route', 'The address has a broken percent-encoding.', {
      cause: error,
    });
  }
};
