// The whole engine in this process: what is left when it cannot open, and the contract over a MessagePort.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { jsonLog } from '../../core/log.ts';
import { type Engine, type EngineOptions, openEngine } from '../../core/open-engine.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { AdminClient } from '../helpers/admin.ts';
import { codeOf } from '../helpers/core.ts';
import { freePort } from '../helpers/free-port.ts';
import { startLake } from '../helpers/lake.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

const engines: Engine[] = [];
const ports: MessagePort[] = [];
const logged: string[] = [];

afterEach(async () => {
  for (const port of ports.splice(0)) port.close();
  for (const engine of engines.splice(0)) await engine.close();
  expect(logged.splice(0)).toEqual([]);
});
afterAll(removeTempFolders);

const open = async (options: Partial<EngineOptions> = {}): Promise<Engine> => {
  const engine = await openEngine({
    home: tempFolder(),
    log: jsonLog((line) => logged.push(line), 'warn'),
    logLines: () => ['a line'],
    ...{ host: '127.0.0.1', port: 0, adminPort: null, startLake },
    ...options,
  });
  engines.push(engine);
  return engine;
};

const close = async (engine: Engine): Promise<void> => {
  engines.splice(engines.indexOf(engine), 1);
  await engine.close();
};

const portOf = (url: string | null): number => Number(new URL(url as string).port);

const attached = async (engine: Engine): Promise<AdminClient> => {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  await engine.attach(port2);
  return createORPCClient(new RPCLink({ port: port1 }));
};

/** Servers that this process listens with. One that was closed is still counted at the end of that turn. */
const listening = async (): Promise<number> => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
};

describe('an engine that cannot open', () => {
  it.each(['port', 'adminPort'] as const)(
    'its %s is taken, and nothing stays open',
    async (which) => {
      const taken = await freePort();
      const first = await open({ adminPort: 0, [which]: taken });
      const before = await listening();
      const home = tempFolder();
      const options = { home, adminPort: 0, firstKnowledgebase: 'main', [which]: taken };
      expect(await codeOf(open(options))).toBe('port_taken');
      expect(await listening()).toBe(before);
      await close(first);
      const second = await open(options);
      expect(portOf(which === 'port' ? second.ingestUrl : second.adminUrl)).toBe(taken);
      expect(second.core.listKnowledgebases().map(({ id }) => id)).toEqual(['main']);
      await close(second);
      expect(await listening()).toBe(before - 2);
    },
  );

  it('an address for others without a token', async () => {
    const before = await listening();
    const options = { home: tempFolder(), firstKnowledgebase: 'main' };
    expect(await codeOf(open({ ...options, host: '0.0.0.0' }))).toBe('token_required');
    expect(await listening()).toBe(before);
    expect((await open(options)).adminUrl).toBe(null);
  });
});

it('the first knowledgebase that was taken off the list stays off it', async () => {
  const options = { home: tempFolder(), firstKnowledgebase: 'main' };
  const first = await open(options);
  await first.core.forgetKnowledgebase('main');
  await close(first);
  expect((await open(options)).core.listKnowledgebases()).toEqual([]);
});

describe('over a port', () => {
  it('the contract is answered', async () => {
    const engine = await open({ firstKnowledgebase: 'main' });
    const client = await attached(engine);
    expect(await client.engine.status()).toEqual({
      version: manifest.version,
      pid: process.pid,
      startedAt: expect.stringMatching(/Z$/),
      home: engine.core.home,
      ingestUrl: engine.ingestUrl,
      listener: expect.objectContaining({ port: portOf(engine.ingestUrl) }),
      waiting: expect.any(Array),
    });
    expect(await client.engine.status()).toEqual(engine.status());
    expect(await client.engine.log({})).toEqual(['a line']);
    const other = await attached(engine);
    const names = (await other.knowledgebases.list()).map(({ id }) => id);
    expect(names).toEqual(['main']);
  });

  it('an error has its code, message, hint and details', async () => {
    const client = await attached(await open());
    const error = await client.streams.list({ knowledgebase: 'nope' }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ORPCError);
    const { code, status, message, data } = error;
    expect({ code, status, message, data }).toEqual({
      code: 'no_such_knowledgebase',
      status: 404,
      message: 'There is no knowledgebase "nope".',
      data: {
        hint: 'List them with: strata kb list. Create one with: strata kb create ID.',
        details: {},
      },
    });
    await expect(client.knowledgebases.create({ id: '' })).rejects.toMatchObject({
      code: 'invalid_argument',
      status: 400,
    });
  });

  it('aborting a query stops it, and others go on', async () => {
    const engine = await open({ firstKnowledgebase: 'main' });
    const main = { knowledgebase: 'main' };
    const client = await attached(engine);
    const abort = new AbortController();
    const sql = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b';
    const ended = client.query
      .run({ ...main, sql, timeoutMs: 3_600_000 }, { signal: abort.signal })
      .then(
        () => 'it answered',
        (error: Error) => error.name,
      );
    expect((await client.query.run({ ...main, sql: 'SELECT 1' })).rows).toEqual([['1']]);
    abort.abort();
    expect(await ended).toBe('AbortError');
    const [stopped] = await until('the query has stopped', async () => {
      const found = (await client.query.history(main)).filter((run) => run.sql === sql);
      return found.length > 0 && found;
    });
    expect(stopped).toMatchObject({ elapsedMs: null, fault: 'The query was cancelled.' });
  });
});
