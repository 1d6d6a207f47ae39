// Owns who may speak to a listener: Host and Origin rules and bearer tokens.
// Never reads a body.

import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { AppError } from '../errors.ts';
import type { IntakeTarget } from './intake.ts';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const ANY_ADDRESS = new Set(['0.0.0.0', '::', '']);

/** Whether an address can be reached from this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * The names a listener bound to `host` answers to. A page that points its own name at 127.0.0.1 (DNS rebinding)
 * sends that name as Host, so it is refused. Ports are not compared: a tunnel has another one.
 */
export const ownNames = (host: string): Set<string> => {
  const names = new Set(LOOPBACK_NAMES);
  if (isLoopback(host)) return names.add(bracketed(host));
  names.add(hostname().toLowerCase());
  for (const addresses of Object.values(networkInterfaces())) {
    for (const { address } of addresses ?? []) {
      if (ANY_ADDRESS.has(host) || address === host) names.add(bracketed(address.toLowerCase()));
    }
  }
  if (!ANY_ADDRESS.has(host)) names.add(bracketed(host.toLowerCase()));
  return names;
};

/** Throws `forbidden_host` unless the Host header (RFC 9110, 7.2) is one of the listener's own names, `not_http` without one. */
export const checkHost = (request: IncomingMessage, names: ReadonlySet<string>): void => {
  const { host } = request.headers;
  // RFC 9112, 3.2: such a request is answered with 400.
  if (host === undefined) throw new AppError('not_http', 'The request has no Host header.');
  const name = /^(\[[0-9a-f:.]+\]|[^:]*)(:\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
  if (name === undefined || !names.has(name)) {
    throw new AppError('forbidden_host', 'The Host header is not a name of this listener.');
  }
};

/** Throws `forbidden_origin` when the request comes from a web page: browsers send Origin with every POST (Fetch, 3.2). */
export const checkOrigin = (request: IncomingMessage): void => {
  if (request.headers.origin !== undefined) {
    throw new AppError('forbidden_origin', 'A web page sent this request.');
  }
};

/** Throws `token_missing`, `token_unknown` or `token_wrong_stream` unless the request may write to the target. */
export const checkToken = (
  request: IncomingMessage,
  target: IntakeTarget,
  alwaysNeeded: boolean,
): void => {
  const secret = bearerToken(request);
  if (secret === undefined) {
    if (alwaysNeeded || target.needsToken()) {
      throw new AppError('token_missing', 'This stream takes batches with a token only.');
    }
    return;
  }
  switch (target.judgeToken(secret)) {
    case 'opens':
      return;
    case 'another':
      throw new AppError('token_wrong_stream', 'The token that was sent is for another stream.');
    case 'unknown':
      throw new AppError('token_unknown', 'The token that was sent is not known here.');
  }
};

/** The token of an `Authorization: Bearer` header (RFC 6750, 2.1); undefined when there is none. */
export const bearerToken = (request: IncomingMessage): string | undefined => {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  return /^Bearer +([\w~+/.=-]+)$/i.exec(header)?.[1] ?? '';
};

const bracketed = (address: string): string =>
  address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
