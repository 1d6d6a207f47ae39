// Owns running the benches one after another and printing their table. Never fails on a missed bar: it says so.

import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import {
  removeTempFolders,
  type Server,
  startServer,
  strata,
  tempFolder,
} from '../helpers/server.ts';
import { busy } from './busy.ts';
import { coldStart } from './cold-start.ts';
import { againstOneFile, fileCounts, memory } from './compaction.ts';
import { landLarge } from './land-large.ts';
import { landSmall } from './land-small.ts';
import { holds, type Result, tableOf } from './measure.ts';
import { page } from './page.ts';

const root = process.cwd();
const results: Result[] = [];
const only = process.argv[2];

/** Runs a bench unless the command line names another. */
const bench = async (
  name: string,
  run: () => Promise<Result | readonly Result[]>,
): Promise<void> => {
  if (only !== undefined && !name.includes(only)) return;
  process.stderr.write(`${name} ... (load ${(loadavg()[0] ?? 0).toFixed(1)})\n`);
  results.push(...[await run()].flat());
};

/** A bench that needs a server nobody else has used, or that takes minutes: only when it is named. */
const apart = async (
  name: string,
  run: (own: Server) => Promise<Result | readonly Result[]>,
  isLong = false,
): Promise<void> => {
  if (only === undefined ? isLong : !name.includes(only)) return;
  const own = tempFolder();
  await strata(own, ['kb', 'create', 'bench']);
  const one = await startServer({ home: own });
  try {
    await bench(name, () => run(one));
  } finally {
    await one.stop();
  }
};

const home = tempFolder();
await strata(home, ['kb', 'create', 'bench']);
const server = await startServer({ home });
try {
  await bench('large, one at a time', () => landLarge(server, 1));
  await bench('large, four at once', () => landLarge(server, 4));
  await bench('small', () => landSmall(server));
  await bench('page', () => page(server));
} finally {
  await server.stop();
}
await bench('cold start', () => coldStart(root));
await apart('compacted', againstOneFile);
await apart('busy', busy);
await apart('memory', memory, true);
await apart('files', (own) => fileCounts(own, Number(process.argv[3] ?? 100_000), root), true);
removeTempFolders();

const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
const rows = results.map((result) => ({ ...result, holds: holds(result) }));
writeFileSync('bench-results.json', `${JSON.stringify({ machine, results: rows }, null, 2)}\n`);
process.stdout.write(`${tableOf(results)}\n`);
