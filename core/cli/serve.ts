// Owns `strata serve`: the engine, its listener and its admin address, from start to SIGTERM.

import { spawn } from 'node:child_process';
import { AppError } from '../errors.ts';
import { type Core, openCore } from '../index.ts';
import { isLoopback } from '../ingest/admission.ts';
import { type Listener, openListener } from '../ingest/listener.ts';
import type { EngineStatus } from '../model.ts';
import { VERSION } from '../version.ts';
import { printJson, printLine } from './output.ts';
import { homeOf, portOf, readWords, secondsOf } from './usage.ts';
import { welcome } from './welcome.ts';
import { logTail, stderrLog } from './with-core.ts';

/** `serve`. Ready when it prints; SIGTERM and SIGINT answer what is under way and exit 0, a second one exits at once. */
export const serve = async (words: readonly string[]): Promise<void> => {
  const { values } = readWords(words, [], {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string' },
    'admin-port': { type: 'string' },
    'header-timeout': { type: 'string' },
    'body-timeout': { type: 'string' },
    open: { type: 'boolean', default: false },
    demo: { type: 'boolean', default: false },
    welcome: { type: 'boolean', default: false },
  });
  const port = portOf(values.port, 7423, 'port');
  const adminPort = portOf(values['admin-port'], 7424, 'admin-port');
  const headerTimeoutMs = secondsOf(values['header-timeout'], 'header-timeout');
  const bodyTimeoutMs = secondsOf(values['body-timeout'], 'body-timeout');
  const core = openCore({
    home: homeOf(values.home),
    log: stderrLog,
    logLines: logTail.lines,
    writing: true,
  });
  try {
    openAll(core);
    if (values.welcome && core.listKnowledgebases().length === 0) core.createKnowledgebase('main');
    if (!isLoopback(values.host)) checkTokens(core, values.host);
    const listener = await openListener({
      ...{ host: values.host, port, intake: core.intake, log: core.log },
      ...(headerTimeoutMs ? { headerTimeoutMs } : {}),
      ...(bodyTimeoutMs ? { bodyTimeoutMs } : {}),
    });
    const status = statusOf(core, listener);
    const { openAdmin } = await import('../admin/listen.ts');
    const admin = await openAdmin({ core, port: adminPort, status }).catch(
      async (error: unknown) => {
        await listener.close();
        throw error;
      },
    );
    stopOnSignals(async () => {
      await listener.close();
      await admin.close();
      await core.close();
    });
    if (values.demo) await (await import('../demo/demo.ts')).landDemo(core);
    if (values.json) {
      printJson({ ingest_url: listener.url, admin_url: admin.url, pid: process.pid });
    } else printLine(welcome(core, listener.url, admin.url));
    if (values.open) openBrowser(admin.url);
  } catch (error) {
    await core.close();
    throw error;
  }
};

/** Opens every knowledgebase before the listener answers. One that cannot be opened is said, and stops no other. */
const openAll = (core: Core): void => {
  for (const { id, fault } of core.listKnowledgebases()) {
    if (fault) process.stderr.write(`strata: ${id} is not served: ${fault}\n`);
  }
};

const checkTokens = (core: Core, host: string): void => {
  const bare = core
    .listKnowledgebases()
    .filter(
      ({ id, fault }) => fault === null && core.knowledgebase(id).settings().tokens.length === 0,
    );
  if (core.listKnowledgebases().length > 0 && bare.length === 0) return;
  const which = bare[0]?.id;
  throw new AppError(
    'token_required',
    which
      ? `${host} can be reached from other machines, and ${which} has no token.`
      : `${host} can be reached from other machines, and there is no knowledgebase with a token.`,
    which ? { hint: `Create one with: strata token create ${which}` } : {},
  );
};

const statusOf = (core: Core, listener: Listener): (() => EngineStatus) => {
  const startedAt = new Date().toISOString();
  return () => ({
    ...{ version: VERSION, pid: process.pid, startedAt, home: core.home, ingestUrl: listener.url },
    waiting: core
      .opened()
      .flatMap(({ id, views }) =>
        views.waitingFor ? [{ knowledgebase: id, reason: views.waitingFor }] : [],
      ),
  });
};

const stopOnSignals = (stop: () => Promise<void>): void => {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          stderrLog.error(error);
          process.exit(1);
        },
      );
    });
  }
};

const openBrowser = (url: string): void => {
  const [command, ...words] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url];
  const child = spawn(command as string, words, { stdio: 'ignore', detached: true });
  child.on('error', () => process.stderr.write(`strata: No browser was found; open ${url}\n`));
  child.unref();
};
