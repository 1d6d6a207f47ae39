// Owns sending batches as a lean producer would: kept-alive connections, one request at a time on each.
// Never measures; the benches do. Node's own client costs as much as the server it asks, so this speaks HTTP itself.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Sends `count` bodies, `atOnce` at a time, and resolves with each answer's latency in ms. Rejects on any answer but 200. */
export const sendAll = async (
  url: string,
  count: number,
  atOnce: number,
  bodyOf: (index: number) => Buffer,
): Promise<number[]> => {
  const latencies: number[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    const line = await openLine(url);
    while (next < count) {
      const body = bodyOf(next++);
      const started = performance.now();
      await line.send(body);
      latencies.push(performance.now() - started);
    }
    line.close();
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return latencies;
};

/**
 * Sends `count` bodies, `rate` a second, each when it is due whether or not those before it are answered; resolves with
 * each answer's latency in ms from when it was due, so that a wait shows on all that it holds up.
 */
export const sendAtRate = async (
  url: string,
  rate: number,
  count: number,
  bodyOf: (index: number) => Buffer,
): Promise<number[]> => {
  const free: Line[] = [];
  const latencies: number[] = [];
  const started = performance.now();
  const sendOne = async (index: number, due: number): Promise<void> => {
    const line = free.pop() ?? (await openLine(url));
    await line.send(bodyOf(index));
    latencies.push(performance.now() - due);
    free.push(line);
  };
  const sending: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const due = started + (index * 1_000) / rate;
    const left = due - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    // A timer that is late is the machine's, not the server's.
    sending.push(sendOne(index, performance.now()));
  }
  await Promise.all(sending);
  for (const line of free) line.close();
  return latencies;
};

interface Line {
  /** POSTs a body; resolves when the 200 is read whole. */
  send(body: Buffer): Promise<void>;
  close(): void;
}

const openLine = async (url: string): Promise<Line> => {
  const { hostname, port, pathname, host } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let answer = '';
  let settle: ((fault: Error | null) => void) | undefined;
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
    const headEnd = answer.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(answer)?.[1]);
    if (answer.length < headEnd + 4 + length) return;
    const isGood = answer.startsWith('HTTP/1.1 200 ');
    settle?.(isGood ? null : new Error(answer.slice(0, 1_000)));
    answer = '';
  });
  socket.on('error', (error) => settle?.(error));
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-ndjson\r\nContent-Length: `;
  return {
    send: (body) =>
      new Promise((resolve, reject) => {
        settle = (fault) => (fault ? reject(fault) : resolve());
        socket.write(Buffer.concat([Buffer.from(`${head}${body.length}\r\n\r\n`), body]));
      }),
    close: () => socket.destroy(),
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
