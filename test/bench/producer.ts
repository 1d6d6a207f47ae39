// Owns sending batches as a lean producer would: kept-alive connections, a bounded number at once.
// Never measures; the benches do.

import { Agent, request } from 'node:http';

/** Sends `count` bodies, `atOnce` at a time, and resolves with each answer's latency in ms. Rejects on any answer but 200. */
export const sendAll = async (
  url: string,
  count: number,
  atOnce: number,
  bodyOf: (index: number) => Buffer,
): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const latencies: number[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const body = bodyOf(next++);
      const started = performance.now();
      await sendOne(agent, url, body);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  agent.destroy();
  return latencies;
};

/** One POST; resolves when the 200 is read whole. */
const sendOne = (agent: Agent | undefined, url: string, body: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        ...(agent ? { agent } : {}),
        headers: { 'content-type': 'application/x-ndjson', 'content-length': body.length },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`answered ${response.statusCode}: ${text}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

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
