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
  const { hostname, port, pathname, host } = new URL(url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-ndjson\r\nContent-Length: `;
  const requests = bodies.map((body) =>
    Buffer.concat([Buffer.from(`${head}${body.length}\r\n\r\n`), body]),
  );
  const open = async (): Promise<Socket> => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: atOnce }, open));

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
        const onAnswer = (answer: string): void => {
          answered += 1;
          if (!answer.startsWith('HTTP/1.1 200 ')) reject(new Error(answer.slice(0, 1_000)));
          else if (answered === count) resolve();
          else sendNext();
        };
        const onClose = (): void => reject(new Error('The server closed a connection.'));
        for (const event of ['data', 'error', 'close']) socket.removeAllListeners(event);
        socket.on('data', whole(onAnswer)).on('error', reject).on('close', onClose);
        sendNext();
      }
    });
  return {
    send,
    close: () => {
      for (const socket of sockets) socket.removeAllListeners('close').destroy();
    },
  };
};

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
