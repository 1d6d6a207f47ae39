// Owns the proof that staging is emptied at start of what dead processes left, and of nothing else.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Filled, filledKnowledgebase, namesIn, withCore } from '../helpers/filled.ts';
import { removeTempFolders } from '../helpers/server.ts';

let filled: Filled;
beforeAll(async () => {
  filled = await filledKnowledgebase();
});
afterAll(removeTempFolders);

const children: { kill(): void }[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

/** A process that runs until the test ends. */
const livingPid = (): number => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  children.push({ kill: () => child.kill('SIGKILL') });
  return child.pid as number;
};

const deadPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid as number;
};

const stage = (name: string, ageMs = 0): string => {
  const path = filled.at('_tmp', name);
  writeFileSync(path, 'half a file');
  const when = new Date(Date.now() - ageMs);
  utimesSync(path, when, when);
  return name;
};

const HOUR = 3_600_000;

/** Opens for writing and says how many strays went. */
const swept = () => withCore(filled.home, (core) => core.knowledgebase('k').recovery?.swept);

it('files of dead processes go', async () => {
  const pid = await deadPid();
  stage(`${pid}-1-1.parquet`);
  stage(`${pid}-2-17.ndjson`);
  stage(`${pid}-1-2.err`);
  expect([await swept(), namesIn(filled.at('_tmp'))]).toEqual([3, []]);
});

it('files of a living process stay, until they are an hour old', async () => {
  const pid = livingPid();
  const fresh = stage(`${pid}-1-1.parquet`);
  const old = stage(`${pid}-1-2.parquet`, HOUR - 60_000);
  stage(`${pid}-1-3.parquet`, HOUR + 60_000);
  expect([await swept(), namesIn(filled.at('_tmp'))]).toEqual([1, [fresh, old].sort()]);
  expect([await swept(), namesIn(filled.at('_tmp'))]).toEqual([0, [fresh, old].sort()]);
});

it('of a process with the number of this one, what is older than this one goes', async () => {
  for (const name of namesIn(filled.at('_tmp'))) stage(name, 2 * HOUR);
  const own = stage(`${process.pid}-1-1.parquet`);
  stage(`${process.pid}-1-2.parquet`, 2 * HOUR);
  expect([await swept(), namesIn(filled.at('_tmp'))]).toEqual([3, [own]]);
});

it('files that no process of Strata named go, folders stay', async () => {
  for (const name of namesIn(filled.at('_tmp'))) stage(name, 2 * HOUR);
  stage('notes.txt');
  stage('-1-1.parquet');
  stage('0-1-1.parquet');
  mkdirSync(filled.at('_tmp', 'folder'));
  expect([await swept(), namesIn(filled.at('_tmp'))]).toEqual([4, ['folder']]);
});
