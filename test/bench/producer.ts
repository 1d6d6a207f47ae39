// Owns sending batches as a lean producer would: kept-alive connections, one request at a time on each.
// Never measures; the benches do. It shares the processor with the server it loads, so it speaks HTTP itself: Node's own
// client costs as much as the server that it asks.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Producer {
  /** Sends `count` batches, the bodies in turn. Rejects on any answer but 200. */
  send(count: number): Promise<void>;
  close(): void;
}

/** A producer with `atOnce` connections to a stream; its requests are made beforehand. */
export const openProducer = async (
  url: string,
  bodies: readonly Buffer[],
  atOnce: number,
): Promise<Producer> => {
  const requests = requestsOf(url, bodies);
  const sockets = await Promise.all(Array.from({ length: atOnce }, () => openSocket(url)));

  const send = (count: number): Promise<void> =>
    new Promise((resolve, reject) => {
      let sent = 0;
      let answered = 0;
      for (const socket of sockets) {
        const sendNext = (): void => {
          if (sent === count) return;
          socket.write(requests[sent % requests.length] as Buffer);
          sent += 1;
        };
        const onAnswer = (): void => {
          answered += 1;
          if (answered === count) resolve();
          else sendNext();
        };
        hear(socket, onAnswer, reject);
        sendNext();
      }
    });
  return {
    send,
    close: () => sockets.forEach(hangUp),
  };
};

/**
 * Sends `count` batches, `rate` a second, each when it is due whether or not those before it are answered, the bodies in
 * turn. Resolves with each answer's latency in ms. Rejects on any answer but 200.
 */
export const sendAtRate = async (
  url: string,
  bodies: readonly Buffer[],
  rate: number,
  count: number,
): Promise<number[]> => {
  const requests = requestsOf(url, bodies);
  const free: Socket[] = [];
  const latencies: number[] = [];
  const sendOne = async (index: number, sentAt: number): Promise<void> => {
    const socket = free.pop() ?? (await openSocket(url));
    await new Promise<void>((resolve, reject) => {
      hear(socket, resolve, reject);
      socket.write(requests[index % requests.length] as Buffer);
    });
    latencies.push(performance.now() - sentAt);
    free.push(socket);
  };
  const started = performance.now();
  const sending: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const left = started + (index * 1_000) / rate - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    // A timer that is late is the machine's, not the server's.
    sending.push(sendOne(index, performance.now()));
  }
  await Promise.all(sending);
  free.forEach(hangUp);
  return latencies;
};

const requestsOf = (url: string, bodies: readonly Buffer[]): Buffer[] => {
  const { pathname, host } = new URL(url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-ndjson\r\nContent-Length: `;
  return bodies.map((body) => Buffer.concat([Buffer.from(`${head}${body.length}\r\n\r\n`), body]));
};

const openSocket = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return socket;
};

/** Has a connection's answers heard by who sends on it now. */
const hear = (socket: Socket, onAnswer: () => void, onFault: (error: Error) => void): void => {
  for (const event of ['data', 'error', 'close']) socket.removeAllListeners(event);
  const onWhole = (answer: string): void => {
    if (answer.startsWith('HTTP/1.1 200 ')) onAnswer();
    else onFault(new Error(answer.slice(0, 1_000)));
  };
  socket.on('data', whole(onWhole)).on('error', onFault);
  socket.on('close', () => onFault(new Error('The server closed a connection.')));
};

const hangUp = (socket: Socket): void => void socket.removeAllListeners('close').destroy();

/** Calls `onAnswer` with each answer once it is there whole. */
const whole = (onAnswer: (answer: string) => void): ((bytes: Buffer) => void) => {
  let answer = '';
  return (bytes) => {
    answer += bytes.toString('latin1');
    const headEnd = answer.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(answer)?.[1]);
    if (headEnd < 0 || answer.length < headEnd + 4 + length) return;
    const complete = answer;
    answer = '';
    onAnswer(complete);
  };
};

/** NDJSON of sensor readings: `rows` lines from row number `from` on. */
export const readings = (rows: number, from = 0): Buffer => {
  let text = '';
  for (let row = from; row < from + rows; row += 1) {
    const ts = new Date(1_780_000_000_000 + row * 5_000).toISOString();
    const sensor = `sensor-${String(row % 50).padStart(3, '0')}`;
    const celsius = (Math.sin(row / 500) * 20).toFixed(2);
    const site = row % 2 === 0 ? 'north-basin' : 'south-basin';
    text += `{"ts":"${ts}","sensor_id":"${sensor}","reading_celsius":${celsius},"site":"${site}"}\n`;
  }
  return Buffer.from(text);
};

/** Lands `count` batches, the bodies in turn, on `atOnce` connections. */
export const sendAll = async (
  url: string,
  bodies: readonly Buffer[],
  count: number,
  atOnce: number,
): Promise<void> => {
  const producer = await openProducer(url, bodies, atOnce);
  await producer.send(count);
  producer.close();
};
