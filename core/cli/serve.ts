// Owns `strata serve`: the engine from start to SIGTERM, and what it prints.

import { spawn } from 'node:child_process';
import { openEngine } from '../open-engine.ts';
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
    'new-admin-token': { type: 'boolean', default: false },
    'header-timeout': { type: 'string' },
    'body-timeout': { type: 'string' },
    open: { type: 'boolean', default: false },
    demo: { type: 'boolean', default: false },
    welcome: { type: 'boolean', default: false },
  });
  const engine = await openEngine({
    home: homeOf(values.home),
    log: stderrLog,
    logLines: logTail.lines,
    host: values.host,
    port: portOf(values.port, 7423, 'port'),
    adminPort: portOf(values['admin-port'], 7424, 'admin-port'),
    newAdminToken: values['new-admin-token'],
    headerTimeoutMs: secondsOf(values['header-timeout'], 'header-timeout'),
    bodyTimeoutMs: secondsOf(values['body-timeout'], 'body-timeout'),
    firstKnowledgebase: values.welcome ? 'main' : undefined,
  });
  const { core, ingestUrl, adminUrl, faults } = engine;
  for (const { id, fault } of faults) {
    process.stderr.write(`strata: ${id} is not served: ${fault}\n`);
  }
  stopOnSignals(engine.close);
  if (values.demo) await (await import('../demo/demo.ts')).landDemo(core);
  if (values.json) printJson({ ingest_url: ingestUrl, admin_url: adminUrl, pid: process.pid });
  else printLine(welcome(core, ingestUrl, adminUrl as string));
  if (values.open) openBrowser(adminUrl as string);
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
