// Owns the ingest listener: the server, its limits, and stopping it without losing an answer.
// Never knows what a batch is.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ListenerStatus } from '../model.ts';
import { checkHost, checkOrigin, isLoopback, ownNames } from './admission.ts';
import { type BackpressureLimits, openBackpressure } from './backpressure.ts';
import { type BatchContext, handleBatch } from './handle-batch.ts';
import type { Intake } from './intake.ts';
import { problemOf, sendProblem, sendText } from './reply.ts';
import { routeOf } from './routes.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly intake: Intake;
  readonly log: Log;
  readonly headerTimeoutMs?: number;
  readonly bodyTimeoutMs?: number;
  readonly inFlight?: BackpressureLimits;
}

export interface Listener {
  /** `http://host:port`, as a producer on this machine reaches it. */
  readonly url: string;
  readonly port: number;
  /** Where it is and what it allows. */
  readonly status: ListenerStatus;
  /** Takes no new request (503), lets those under way end, closes. */
  close(): Promise<void>;
}

/** The defaults of every limit. */
const LIMITS = {
  headerTimeoutMs: 10_000,
  bodyTimeoutMs: 60_000,
  keepAliveMs: 65_000,
  inFlight: { maxBatches: 256, maxBytes: 33_554_432 },
} as const;

/** How long a body that was answered early may go on arriving before its connection is cut. */
const LINGER_MS = 5_000;

/** Starts listening. Throws `port_taken`, `invalid_argument` for an address that is not this machine's. */
export const openListener = async (options: ListenerOptions): Promise<Listener> => {
  const names = ownNames(options.host);
  const inFlight = options.inFlight ?? LIMITS.inFlight;
  const headerTimeoutMs = options.headerTimeoutMs ?? LIMITS.headerTimeoutMs;
  const context: BatchContext = {
    intake: options.intake,
    backpressure: openBackpressure(inFlight),
    bodyTimeoutMs: options.bodyTimeoutMs ?? LIMITS.bodyTimeoutMs,
    tokenNeeded: !isLoopback(options.host),
  };
  let closing = false;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      checkHost(request, names);
      checkOrigin(request);
      // A connection that is kept alive closes with this answer.
      if (closing) response.setHeader('connection', 'close');
      if (closing) throw new AppError('shutting_down', 'Strata is shutting down.');
      const route = routeOf(request.url ?? '/');
      if (route.kind === 'ingest') await handleBatch(context, route, request, response);
      else answerHealth(request, response);
    } catch (error) {
      if (!(error instanceof AppError)) options.log.error(error, { url: request.url });
      sendProblem(response, error);
    }
    lingerBriefly(request);
  };

  const server = createServer(
    {
      headersTimeout: headerTimeoutMs,
      // The body's limit is our own, so that its answer is a problem document like any other.
      requestTimeout: 0,
      keepAliveTimeout: LIMITS.keepAliveMs,
      // checkHost answers a missing Host, so that this too is a problem document.
      requireHostHeader: false,
      connectionsCheckingInterval: 1_000,
      noDelay: true,
    },
    (request, response) => void answer(request, response),
  );
  server.on('checkContinue', (request, response) => void answer(request, response));
  server.on('checkExpectation', (request, response) => void answer(request, response));
  server.on('clientError', answerBrokenHttp);
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const shown = ['0.0.0.0', '::'].includes(options.host) ? '127.0.0.1' : options.host;
  const url = `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;

  return {
    url,
    port,
    status: {
      ...{ host: options.host, port, url, headerTimeoutMs, keepAliveMs: LIMITS.keepAliveMs },
      tokenNeeded: context.tokenNeeded,
      bodyTimeoutMs: context.bodyTimeoutMs,
      inFlightBatchesPerStream: inFlight.maxBatches,
      inFlightBytesPerStream: inFlight.maxBytes,
    },
    close: async () => {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      clearInterval(sweep);
    },
  };
};

const listen = (server: Server, { host, port }: ListenerOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        reject(new AppError('port_taken', `Port ${port} of ${host} is taken.`, { cause: error }));
      } else if (error.code === 'EACCES') {
        reject(
          new AppError('port_taken', `Port ${port} needs rights that this user does not have.`, {
            cause: error,
          }),
        );
      } else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
        reject(
          new AppError('invalid_argument', `${host} is not an address of this machine.`, {
            cause: error,
          }),
        );
      } else reject(error);
    });
    server.listen(port, host, resolve);
  });

/** Says that the listener is there; never 200 to a POST, which would count as landed for a shipper with a wrong address. */
const answerHealth = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    throw new AppError('method_not_allowed', `${request.method} is not for this address.`, {
      hint: 'POST batches to /knowledgebase/{kb}/strata/ingest/{stream}.',
    });
  }
  sendText(response, 200, 'Strata is listening.\n');
};

/** A body that nobody reads any more is let in and dropped for a moment, so that the client sees its answer. */
const lingerBriefly = (request: IncomingMessage): void => {
  if (request.complete || request.destroyed) return;
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  request.once('close', () => clearTimeout(timer));
};

const answerBrokenHttp = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const problem = problemOf(
    slow
      ? new AppError('header_timeout', 'The headers did not arrive in time.')
      : new AppError('not_http', `The request is not HTTP: ${error.message}.`),
  );
  const text = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\nConnection: close\r\n` +
      `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
};
