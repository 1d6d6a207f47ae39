// Owns the admin address: loopback HTTP with a token, the contract at /rpc, and the page.
// Never lands a batch: producers have the ingest listener.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RPCHandler } from '@orpc/server/node';
import { AppError } from '../errors.ts';
import { bearerToken, checkHost, ownNames } from '../ingest/admission.ts';
import { sendProblem } from '../ingest/reply.ts';
import { homePaths } from '../knowledgebase/paths.ts';
import { sameSecret } from '../knowledgebase/tokens.ts';
import type { EngineStatus } from '../model.ts';
import type { Core } from '../open-core.ts';
import { exportIdOf, sendExport } from './export-file.ts';
import { isPagePath, sendPageFile } from './page-files.ts';
import { procedures } from './procedures/index.ts';
import { rejectPathOf, sendReject } from './reject-file.ts';
import { adminTokenOf } from './token.ts';

export interface AdminOptions {
  readonly core: Core;
  /** 0 picks a free one. */
  readonly port: number;
  readonly status: () => EngineStatus;
  /** Whether the token that the home keeps is to open nothing any more. */
  readonly newToken?: boolean;
}

export interface Admin {
  /** The page's address; its fragment carries the token, which browsers do not send. */
  readonly url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts the admin address on loopback. Throws `port_taken`. */
export const openAdmin = async (options: AdminOptions): Promise<Admin> => {
  const { core, port, status, newToken } = options;
  const token = adminTokenOf({
    path: homePaths(core.home).adminToken,
    renew: newToken ?? false,
    log: core.log,
  });
  const names = ownNames(HOST);
  const handler = new RPCHandler(procedures);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      checkHost(request, names);
      checkOwnOrigin(request);
      const path = pathOf(request);
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
      const rejectPath = request.method === 'GET' ? rejectPathOf(path) : undefined;
      if (rejectPath) {
        await sendReject(response, core, rejectPath);
        return;
      }
      const context = { core, status };
      const { matched } = await handler.handle(request, response, { prefix: '/rpc', context });
      if (!matched) throw new AppError('no_such_route', 'There is no such procedure.');
    } catch (error) {
      // Without what follows the path: somebody may have put the token there.
      if (!(error instanceof AppError)) core.log.error(error, { path: pathOf(request) });
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

const pathOf = ({ url }: IncomingMessage): string => (url ?? '/').split('?', 1)[0] as string;

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
