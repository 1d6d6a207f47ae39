// What the dry run says of a stream after a compaction, against what the compaction makes of it.

import { createHash, randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { planCompaction } from '../../../core/engine/compaction/plan.ts';
import { timesOf } from '../../../core/lake/compact/cost.ts';
import { compact, openCompacted, parts } from '../../helpers/compacting.ts';
import { land, type TestCore } from '../../helpers/core.ts';
import { randomOf } from '../../helpers/crash-batches.ts';
import { removeTempFolders } from '../../helpers/server.ts';

afterAll(removeTempFolders);

const random = randomOf(7);
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const oneOf = (values: readonly string[]): string => values[random.below(values.length)] as string;

/** Records of one kind, by their number. */
const KINDS: Readonly<Record<string, (row: number) => object>> = {
  'few distinct values': () => ({
    site: oneOf(['north', 'south', 'east']),
    sensor: `sensor-${random.below(50)}`,
    state: oneOf(['ok', 'warn', 'fail', 'off']),
  }),
  'random ids': (row) => ({
    id: hash(`${row}`).slice(0, 32),
    ref: hash(`ref ${row}`).slice(0, 32),
  }),
  'growing times and floats': (row) => ({
    ts: new Date(1_780_000_000_000 + row * 5_000 + random.below(900)).toISOString(),
    celsius: random.below(4_000_000) / 1e5 - 10,
    volts: Math.sin(row / 500) * 20,
  }),
};
const FILES = 600;
const ROWS = 50;

const landMany = async (core: TestCore, recordOf: (row: number) => object): Promise<void> => {
  const AT_ONCE = 20;
  for (let from = 0; from < FILES; from += AT_ONCE) {
    const bodies = Array.from({ length: AT_ONCE }, (_, at) =>
      Array.from({ length: ROWS }, (_, row) =>
        JSON.stringify(recordOf((from + at) * ROWS + row)),
      ).join('\n'),
    );
    await Promise.all(bodies.map((body) => land(core, 's', body)));
  }
};

describe('the size that the dry run says', () => {
  it.each(Object.keys(KINDS))('of %s is what the compaction makes', async (kind) => {
    const { core } = await openCompacted();
    await landMany(core, KINDS[kind] as (row: number) => object);
    const { knowledgebase, stream } = parts(core);
    const plan = await planCompaction(knowledgebase, stream, true);
    expect(plan.gain?.sampledFiles).toBe(200);
    const { bytesAfter } = await compact(core);
    const ratio = plan.after.sizeBytes / (bytesAfter as number);
    expect(ratio).toBeGreaterThan(1 / 1.5);
    expect(ratio).toBeLessThan(1.5);
  });

  it('leaves what is compacted already as large as it is', async () => {
    const { core, landed } = await openCompacted(undefined, 2);
    const first = await compact(core);
    for (const batch of ['x', 'y']) await land(core, 's', '{"other":"1"}\n'.repeat(3), batch);
    const { knowledgebase, stream } = parts(core);
    // The column that is grouped by is in the compacted file alone.
    const plan = await planCompaction(knowledgebase, stream, true);
    const second = await compact(core);
    expect([plan.merged.files, second.filesBefore, second.rows]).toEqual([
      3,
      3,
      landed.rows.length + 6,
    ]);
    expect(plan.after.sizeBytes).toBeGreaterThan(first.bytesAfter as number);
    expect(plan.after.sizeBytes).toBeLessThan((second.bytesAfter as number) * 1.5);
  });
});

describe('many columns of few values', () => {
  it('are measured and merged in the memory that is said', { timeout: 60_000 }, async () => {
    const { core } = await openCompacted();
    const [columns, rows, batches] = [500, 40, 8];
    for (let batch = 0; batch < batches; batch += 1) {
      const records = Array.from({ length: rows }, (_, row) =>
        JSON.stringify(
          Object.fromEntries(
            Array.from({ length: columns }, (_, at) => [`c${at}`, `v${(row + at + batch) % 7}`]),
          ),
        ),
      );
      await land(core, 's', records.join('\n'));
    }
    const { knowledgebase, stream } = parts(core);
    const plan = await planCompaction(knowledgebase, stream, true);
    expect([plan.gain?.sampledFiles, plan.into]).toEqual([batches, 1]);
    const run = await compact(core);
    expect([run.state, run.filesBefore, run.rows]).toEqual(['done', batches, batches * rows]);
  });
});

it('of long rows is measured in a bounded time and memory', { timeout: 60_000 }, async () => {
  const { core } = await openCompacted();
  const [rows, batches] = [5, 20];
  for (let batch = 0; batch < batches; batch += 1) {
    const records = Array.from({ length: rows }, (_, row) =>
      JSON.stringify({ id: `${batch}-${row}`, text: randomBytes(60_000).toString('base64') }),
    );
    await land(core, 's', records.join('\n'));
  }
  const { knowledgebase, stream } = parts(core);
  const plan = await planCompaction(knowledgebase, stream, true);
  expect([plan.gain?.sampledFiles, plan.into]).toEqual([batches, 1]);
});

describe('how often a sample is taken to time it', () => {
  it.each([
    ['short rows: up to 500,000', { rows: 20_000, bodyBytes: 2_000_000, columns: 3 }, 25],
    ['rows: up to 256 MiB', { rows: 10_000, bodyBytes: 8_000_000, columns: 8 }, 27],
    ['long rows: up to 16 MiB', { rows: 100, bodyBytes: 4_000_000, columns: 2 }, 4],
    ['many columns: up to 64 MiB', { rows: 1_000, bodyBytes: 1_000_000, columns: 998 }, 3],
    ['enough rows as it is: twice', { rows: 600_000, bodyBytes: 60_000_000, columns: 1 }, 2],
  ])('%s', (_, content, times) => {
    expect(timesOf(content)).toBe(times);
  });
});
