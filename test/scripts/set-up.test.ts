// Owns the proof that set-up runs each step once, stays quiet where there is nothing to do, and explains a failed step.
// Never installs or builds anything: npm and vite are stand-ins that write down that they were called.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const HERE = fileURLToPath(new URL('../../', import.meta.url));
const NPM = `#!/bin/sh
echo npm >> calls
sleep 0.3
mkdir -p node_modules/vite/bin
cp vite-stand-in.mjs node_modules/vite/bin/vite.js
cp package-lock.json node_modules/.package-lock.json
`;
const VITE = `import { appendFileSync, writeFileSync } from 'node:fs';
appendFileSync('calls', 'vite\\n');
const out = process.argv[process.argv.indexOf('--outDir') + 1];
writeFileSync(out + '/cli.mjs', 'export const run = async (argv) => console.log(argv.join());');
`;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'strata-clone-'));
  for (const folder of ['bin', 'scripts']) {
    cpSync(join(HERE, folder), join(clone, folder), { recursive: true });
  }
  write('core/index.ts', '');
  write('package.json', '{}');
  write('package-lock.json', '{ "packages": {} }');
  write('vite-stand-in.mjs', VITE);
  write('path/npm', NPM);
});
afterEach(() => rmSync(clone, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), text);
  chmodSync(join(clone, path), 0o755);
}

function start(...args: string[]): ChildProcess {
  const env: NodeJS.ProcessEnv = {
    PATH: `${join(clone, 'path')}:/usr/bin:/bin`,
    XDG_CACHE_HOME: join(clone, 'cache'),
    STRATA_SQLITE_BINDING: join(clone, 'package.json'),
  };
  return spawn(process.execPath, args, { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

function end(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (text) => {
    stdout += text;
  });
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

const strata = (): Promise<Ended> => end(start('bin/strata.mjs', 'a', 'b'));
const calls = (): string[] => readFileSync(join(clone, 'calls'), 'utf8').trim().split('\n');

test('a fresh clone is set up, with its progress on stderr alone; then there is nothing to do', async () => {
  const first = await strata();
  expect(first.stderr).toMatch(
    /^Installing packages \.\.\. done, [\d.]+ s\nBuilding \.\.\. done, [\d.]+ s\n$/,
  );
  expect(first).toMatchObject({ code: 0, stdout: 'a,b\n' });
  expect(await strata()).toEqual({ code: 0, stdout: 'a,b\n', stderr: '' });
  expect(calls()).toEqual(['npm', 'vite']);
});

test('two set-ups at once take each step once', async () => {
  const both = await Promise.all([strata(), strata()]);
  expect(both.map(({ code, stdout }) => [code, stdout])).toEqual([
    [0, 'a,b\n'],
    [0, 'a,b\n'],
  ]);
  expect(calls()).toEqual(['npm', 'vite']);
});

test('a changed source leads to a build, a changed lock to an installation', async () => {
  await strata();
  write('core/more.ts', '//');
  await strata();
  expect(calls()).toEqual(['npm', 'vite', 'vite']);
  write('package-lock.json', '{ "packages": { "node_modules/a": { "version": "1.0.0" } } }');
  await strata();
  expect(calls()).toEqual(['npm', 'vite', 'vite', 'npm', 'vite']);
});

test('a change of package.json that asks for no other package installs nothing', async () => {
  await strata();
  write('package.json', '{ "version": "1.0.1" }');
  await strata();
  expect(calls()).toEqual(['npm', 'vite', 'vite']);
});

test('a lock whose holder was killed is taken over', async () => {
  const killed = start('bin/strata.mjs');
  await expect.poll(() => existsSync(join(clone, 'calls'))).toBe(true);
  killed.kill('SIGKILL');
  expect(await strata()).toMatchObject({ code: 0, stdout: 'a,b\n' });
});

test('a set-up that is told to stop takes npm with it and gives the lock back', async () => {
  write('path/npm', '#!/bin/sh\necho $$ > pid\nsleep 60\n');
  const stopped = start('bin/strata.mjs');
  await expect.poll(() => existsSync(join(clone, 'pid'))).toBe(true);
  stopped.kill('SIGTERM');
  expect((await end(stopped)).code).toBe(143);
  const pid = Number(readFileSync(join(clone, 'pid'), 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  write('path/npm', NPM);
  expect((await strata()).stderr).not.toContain('Waiting');
});

test('a set-up that is told to stop as soon as npm runs does the same', async () => {
  write('path/npm', '#!/bin/sh\necho $$ > pid\nkill -TERM $PPID\nsleep 60\n');
  for (let n = 0; n < 10; n += 1) {
    expect((await strata()).code).toBe(143);
    const pid = Number(readFileSync(join(clone, 'pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  }
});

test.each([
  ['npm error code ENOTFOUND', 'The package registry did not answer.'],
  ['npm error code ENOSPC', 'The disk is full.'],
  ['npm error code EUNKNOWN', 'Correct what npm says above'],
])('an installation that fails with %s says: %s', async (output, advice) => {
  write('path/npm', `#!/bin/sh\necho "${output}" >&2\nexit 1\n`);
  const { code, stdout, stderr } = await strata();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`    ${output}\nThe packages could not be installed: npm ci failed.\n`);
  expect(stderr).toContain(advice);
});

test('a build that fails says so, and the next start tries again', async () => {
  write('vite-stand-in.mjs', 'console.error("no such file: a.ts"); process.exit(1);');
  expect(await strata()).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('    no such file: a.ts\nThe build failed.\n'),
  });
  write('node_modules/vite/bin/vite.js', VITE);
  appendFileSync(join(clone, 'core/index.ts'), ' ');
  expect((await strata()).code).toBe(0);
});

test('whoever says that set-up is done is believed', async () => {
  await strata();
  write('core/more.ts', '//');
  const env = { ...process.env, STRATA_SET_UP: 'done' };
  const child = spawn(process.execPath, ['bin/strata.mjs', 'c'], { cwd: clone, env });
  expect(await end(child)).toEqual({ code: 0, stdout: 'c\n', stderr: '' });
});
