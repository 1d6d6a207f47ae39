// Owns the proof that verify holds beside a process that is landing: what is on its way is no difference.

import { afterAll, expect, it, onTestFinished } from 'vitest';
import { verify } from '../../core/engine/verify.ts';
import { openTestCore } from '../helpers/core.ts';
import { post, removeTempFolders, startServer, strataJson } from '../helpers/server.ts';

afterAll(removeTempFolders);

it('holds at every moment of a load', { timeout: 120_000 }, async () => {
  const server = await startServer();
  onTestFinished(server.kill);
  const { home } = server;
  await strataJson(home, ['kb', 'create', 'k']);
  const url = server.stream('k', 's');
  await post(url, '{"a":1}\n{"a":2}\n');
  let isOver = false;
  let landed = 1;
  const send = async (status: number, body: string, id: string): Promise<void> => {
    const response = await post(url, body, { 'idempotency-key': id });
    expect([response.status, await response.text()]).toEqual([status, expect.anything()]);
  };
  const producer = async (number: number): Promise<void> => {
    for (let count = 0; !isOver && count < 80; count += 1) {
      const id = `${number}-${count}`;
      landed += 1;
      await send(200, '{"a":1}\n{"a":2}\n', id);
      if (count % 5 === 0) await send(200, '{"a":1}\n{"a":2}\n', id);
      if (count % 5 > 1) await send(400, '{"a":', `${id}-bad`);
    }
  };
  const load = Promise.all([0, 1, 2, 3].map(producer)).finally(() => {
    isOver = true;
  });
  load.catch(() => {});
  const reader = openTestCore({ home, writing: false });
  onTestFinished(() => {
    isOver = true;
  });
  const proofs: unknown[] = [];
  while (!isOver) {
    const { holds, streams, differences } = await verify(reader.knowledgebase('k'));
    const found = [...differences, ...streams.flatMap((one) => one.differences)];
    proofs.push({ holds, differences: found });
  }
  await load;
  expect(proofs).toEqual(proofs.map(() => ({ holds: true, differences: [] })));
  const [proof] = (await verify(reader.knowledgebase('k'))).streams;
  expect([proof?.totals.landed, proof?.viewRows]).toEqual([landed, landed * 2]);
  await reader.close();
  expect(reader.logged).toEqual([]);
  expect([await server.stop(), server.stderr()]).toEqual([0, '']);
});
