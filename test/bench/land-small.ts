// Owns the bench of 100-row POSTs, durable, against a loop of write, fsync, rename, fsync of the folder.

import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '../helpers/server.ts';
import { median, type Result } from './measure.ts';
import { openProducer, readings } from './producer.ts';

const AT_ONCE = 16;
const POSTS = 2_000;
const LOOPS = 1_000;
const ROUNDS = 5;

/** Rounds of both alternate; each side's figure is its median round. */
export const landSmall = async (server: Server): Promise<Result> => {
  const bodies = Array.from({ length: 64 }, (_, index) => readings(100, index * 100));
  const producer = await openProducer(server.stream('bench', 'small'), bodies, AT_ONCE);
  await producer.send(2_000);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let started = performance.now();
    await producer.send(POSTS);
    ours.push((POSTS * 1_000) / (performance.now() - started));
    started = performance.now();
    loop(join(server.home, `loop-${round}`), bodies);
    theirs.push((LOOPS * 1_000) / (performance.now() - started));
  }
  producer.close();
  return {
    what: '100-row POSTs, durable, 16 at once',
    measured: `${median(ours).toFixed(0)}/s`,
    against: `${median(theirs).toFixed(0)}/s, write + fsync + rename + fsync of the folder`,
    ratio: median(ours) / median(theirs),
    bar: 0.5,
    better: 'higher',
  };
};

const loop = (folder: string, bodies: readonly Buffer[]): void => {
  mkdirSync(join(folder, 'data'), { recursive: true });
  for (let index = 0; index < LOOPS; index += 1) {
    const staged = join(folder, `${index}`);
    const file = openSync(staged, 'wx');
    writeSync(file, bodies[index % bodies.length] as Buffer);
    fsyncSync(file);
    closeSync(file);
    renameSync(staged, join(folder, 'data', `${index}`));
    const parent = openSync(join(folder, 'data'), 'r');
    fsyncSync(parent);
    closeSync(parent);
  }
};
