// Owns the admin address: loopback HTTP with a token, the contract at /rpc, and the page.
// Never lands a batch: producers have the ingest listener.

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RPCHandler } from '@orpc/server/node';
import { AppError } from '../errors.ts';
import { bearerToken, checkHost, ownNames } from '../ingest/admission.ts';
import { sendProblem } from '../ingest/reply.ts';
import { sameSecret } from '../knowledgebase/tokens.ts';
import type { EngineStatus } from '../model.ts';
import type { Core } from '../open-core.ts';
import { exportIdOf, sendExport } from './export-file.ts';
import { modelPathOf, sendModel } from './model-file.ts';
import { isPagePath, sendPageFile } from './page-files.ts';
import { procedures } from './procedures/index.ts';

export interface AdminOptions {
  readonly core: Core;
  /** 0 picks a free one. */
  readonly port: number;
  readonly status: () => EngineStatus;
}

export interface Admin {
  /** The page's address; its fragment carries the token, which browsers do not send. */
  readonly url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts the admin address on loopback. Throws `port_taken`. */
export const openAdmin = async ({ core, port, status }: AdminOptions): Promise<Admin> => {
  const token = randomBytes(24).toString('base64url');
  const names = ownNames(HOST);
  const handler = new RPCHandler(procedures);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      checkHost(request, names);
      checkOwnOrigin(request);
      const path = (request.url ?? '/').split('?', 1)[0] as string;
      if (request.method === 'GET' && isPagePath(path)) {
        await sendPageFile(response, path);
        return;
      }
      if (!sameSecret(bearerToken(request) ?? '', token)) {
        throw new AppError('admin_token_wrong', 'This address needs the token that was printed.');
      }
      const exportId = exportIdOf(path);
      if (exportId !== undefined) {
        await sendExport(response, core, exportId);
        return;
      }
      const model = modelPathOf(request.method, path);
      if (model) {
        await sendModel(response, core, model);
        return;
      }
      const context = { core, status };
      const { matched } = await handler.handle(request, response, { prefix: '/rpc', context });
      if (!matched) throw new AppError('no_such_route', 'There is no such procedure.');
    } catch (error) {
      if (!(error instanceof AppError)) core.log.error(error, { url: request.url });
      sendProblem(response, error);
    }
  };

  // checkHost answers a missing Host, so that this too is a problem document.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    void answer(request, response);
  });
  await listen(server, port);
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/#token=${token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Live events never end by themselves.
        server.closeAllConnections();
      }),
  };
};

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      const message = `Port ${port} of ${HOST} is taken; it is for the admin address.`;
      const hint = 'Choose another with --admin-port, or 0 for any.';
      reject(taken ? new AppError('port_taken', message, { hint, cause: error }) : error);
    });
    server.listen(port, HOST, resolve);
  });

/** The page may call its own address; no other page may. */
const checkOwnOrigin = (request: IncomingMessage): void => {
  const { origin, host } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new AppError('forbidden_origin', 'Another web page sent this request.');
  }
};
