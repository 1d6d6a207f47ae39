// Owns how the listener's answers look: JSON, and problem documents (RFC 9457).
// Never decides an answer.

import type { ServerResponse } from 'node:http';
import { AppError, CATALOGUE } from '../errors.ts';

/** A problem document's members beyond RFC 9457's own. */
interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly hint: string;
  readonly [extension: string]: unknown;
}

/** Details of an error that a producer is shown. */
const SHOWN = [
  'line',
  'column',
  'errors',
  'error_count',
  'reject_id',
  'batch_id',
  'max_body_bytes',
];

/** Sends a JSON document. */
export const sendJson = (response: ServerResponse, status: number, document: unknown): void =>
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(document));

/** Sends plain text; nothing of it to a HEAD. */
export const sendText = (response: ServerResponse, status: number, text: string): void =>
  send(response, status, 'text/plain; charset=utf-8', text);

/** Sends an error as a problem document. Anything but an AppError is a bug and is shown as `internal`. */
export const sendProblem = (response: ServerResponse, error: unknown): void => {
  const foreseen =
    error instanceof AppError ? error : new AppError('internal', 'Something went wrong inside.');
  const retryAfter = retryAfterOf(foreseen);
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  if (foreseen.status === 401) response.setHeader('www-authenticate', 'Bearer realm="strata"');
  const text = JSON.stringify(problemOf(foreseen));
  send(response, foreseen.status, 'application/problem+json; charset=utf-8', text);
};

/** The problem document of an error. */
export const problemOf = (error: AppError): Problem => {
  const shown = SHOWN.filter((name) => name in error.details);
  return {
    type: `urn:strata:problem:${error.code}`,
    title: CATALOGUE[error.code].title,
    status: error.status,
    detail: error.message,
    code: error.code,
    hint: error.hint,
    ...Object.fromEntries(shown.map((name) => [name, error.details[name]])),
  };
};

const retryAfterOf = (error: AppError): number | undefined => {
  const { retryAfterSeconds } = error.details;
  if (typeof retryAfterSeconds === 'number') return retryAfterSeconds;
  return error.status === 503 ? 1 : undefined;
};

const send = (response: ServerResponse, status: number, type: string, text: string): void => {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  // A string goes out in one write with its head; bytes would take two.
  response.end(response.req.method === 'HEAD' ? undefined : text);
};
