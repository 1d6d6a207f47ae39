// Owns finding a port that nothing has, for who is to listen on it later.
// Never one of those that the system hands out by itself: such a one may be another's by then.

import { createServer } from 'node:net';

/** Below what Linux, macOS and Windows give to who asks for any port, or connects from one. */
const FIRST = 20_000;
const COUNT = 10_000;

/** A free port of this machine. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
