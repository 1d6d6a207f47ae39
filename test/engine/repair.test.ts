// Owns the proof that the ledger can be rebuilt from the folder alone, and that what only it knew is kept where it
// can still be read.

import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { repair } from '../../core/engine/repair.ts';
import { verify } from '../../core/engine/verify.ts';
import { openLedger } from '../../core/ledger/open.ts';
import { codeOf, land, type TestCore } from '../helpers/core.ts';
import {
  damageTable,
  type Filled,
  filledKnowledgebase,
  namesIn,
  tamper,
  withCore,
} from '../helpers/filled.ts';
import { removeTempFolders } from '../helpers/server.ts';

afterAll(removeTempFolders);

let filled: Filled;
beforeEach(async () => {
  filled = await filledKnowledgebase();
});

/** Everything the ledger knows of `s` but when columns were first seen, which no file tells. */
const knowledgeOf = (core: TestCore) => {
  const ledger = core.knowledgebase('k').ledger();
  return {
    batches: [...ledger.batches.each('s')],
    columns: ledger.columns.list('s').map(({ firstSeenAt: _, ...column }) => column),
    rejects: [...ledger.rejects.each('s')],
    refusals: ledger.refusals.list('s'),
    totals: ledger.streams.get('s'),
  };
};

const COUNTED = "INSERT INTO refusals VALUES ('s', 'stream_busy', 3, '2026-01-01T00:00:00.000Z')";
const RECEIVED = 'UPDATE streams SET received = received + 3';

const expectToHold = async (core: TestCore): Promise<void> => {
  expect(await verify(core.knowledgebase('k'))).toMatchObject({ holds: true, differences: [] });
};

describe('a sound ledger', () => {
  it('knows after a repair what it knew before', async () => {
    tamper(filled, `${COUNTED}; ${RECEIVED}; UPDATE rejects SET state = 'discarded', times = 1`);
    await withCore(filled.home, async (core) => {
      await codeOf(land(core, 's', '{"a":1}\n{"a":\n', 'bad'));
    });
    const before = await withCore(filled.home, knowledgeOf);
    expect(before.totals).toMatchObject({ received: 8, replayed: 1, rejected: 2, refused: 3 });
    await withCore(filled.home, async (core) => {
      expect(await core.repair('k')).toEqual({
        ...{ recorded: 2, setAside: [], missing: [], swept: 0, broken: [], damagedLedger: null },
      });
      const after = knowledgeOf(core);
      expect(after).toEqual({
        ...before,
        batches: before.batches.map((one) => ({
          ...one,
          ...{ recovered: true, landedAt: expect.any(String) },
        })),
        totals: { ...before.totals, lastLandedAt: expect.any(String) },
      });
      await expectToHold(core);
      const [event] = core.knowledgebase('k').ledger().events.list(1);
      expect(event).toMatchObject({
        level: 'warn',
        kind: 'ledger-rebuilt',
        message: 'The ledger was rebuilt from the folder: 2 batches.',
      });
    });
  });

  it('forgets a batch whose file is gone, and holds again', async () => {
    rmSync(filled.at('data', 'two.parquet'));
    await withCore(filled.home, async (core) => {
      expect(await verify(core.knowledgebase('k'))).toMatchObject({ holds: false });
      expect(await core.repair('k')).toMatchObject({
        ...{ recorded: 1, missing: ['s/two.parquet'] },
      });
      await expectToHold(core);
      expect(await land(core, 's', '{"A":3}\n{"b":4}\n{"b":null}\n', 'two')).toMatchObject({
        replayed: false,
      });
      await expectToHold(core);
    });
  });
});

describe('a ledger that is gone', () => {
  it('is made again: replays, conflicts and repeated rejects are recognised', async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${filled.paths.ledger}${end}`, { force: true });
    await withCore(filled.home, async (core) => {
      expect(await core.repair('k')).toMatchObject({ recorded: 2, damagedLedger: null });
      await expectToHold(core);
      expect(await land(core, 's', '{"a":"1.10","filename":"x"}\n{"a":2}\n', 'ONE')).toMatchObject({
        ...{ batch_id: 'one', rows: 2, bytes: 36, replayed: true },
      });
      expect(await codeOf(land(core, 's', '{"a":1}', 'two'))).toBe('batch_id_conflict');
      await expect(land(core, 's', '{"a":1}\n{"a":\n', 'bad')).rejects.toMatchObject({
        details: { reject_id: 'bad' },
      });
      await expectToHold(core);
      expect(knowledgeOf(core).totals).toMatchObject({
        ...{ received: 6, landed: 2, replayed: 1, rejected: 3, refused: 0, rows: 5 },
      });
    });
  });
});

describe('a damaged ledger', { timeout: 60_000 }, () => {
  it.each([
    [
      'garbage at its start',
      () =>
        writeFileSync(
          filled.paths.ledger,
          Buffer.from(readFileSync(filled.paths.ledger)).fill(0x5a, 0, 4_096),
        ),
    ],
    ['every page', () => writeFileSync(filled.paths.ledger, Buffer.alloc(40_960, 0x5a))],
    ['text', () => writeFileSync(filled.paths.ledger, 'this is no database')],
  ])('that is %s cannot be opened, and is replaced by a repair', async (_, damage) => {
    damage();
    const damaged = readFileSync(filled.paths.ledger);
    await withCore(filled.home, async (core) => {
      expect(() => core.knowledgebase('k')).toThrow(
        `The ledger is damaged: ${filled.paths.ledger}.`,
      );
      expect(core.listKnowledgebases()).toEqual([
        {
          id: 'k',
          path: filled.paths.root,
          streams: 0,
          inHome: true,
          fault: `The ledger is damaged: ${filled.paths.ledger}.`,
        },
      ]);
      const { damagedLedger, recorded } = await core.repair('k');
      expect(recorded).toBe(2);
      expect(readFileSync(damagedLedger as string).equals(damaged)).toBe(true);
      expect(basename(damagedLedger as string)).toMatch(/^ledger\.sqlite\.damaged-\d+$/);
      await expectToHold(core);
    });
  });

  it('keeps its counts of replays, repeated rejects and refusals where another table is damaged', async () => {
    tamper(filled, `${COUNTED}; ${RECEIVED}`);
    await withCore(filled.home, async (core) => {
      await codeOf(land(core, 's', '{"a":1}\n{"a":\n', 'bad'));
    });
    damageTable(filled, 'events');
    const done = repair(filled.paths.root);
    expect(done).toMatchObject({ recorded: 2, damagedLedger: expect.any(String) });
    await withCore(filled.home, async (core) => {
      const { totals, refusals } = knowledgeOf(core);
      expect(totals).toMatchObject({
        ...{ received: 8, landed: 2, replayed: 1, rejected: 2, refused: 3 },
      });
      expect(refusals).toEqual([
        { code: 'stream_busy', times: 3, lastAt: '2026-01-01T00:00:00.000Z' },
      ]);
      await expectToHold(core);
    });
  });

  it('is rebuilt from the folder where the damage is in the table of batches', async () => {
    tamper(filled, `${COUNTED}; ${RECEIVED}`);
    damageTable(filled, 'batches');
    const message = `The ledger is damaged: ${filled.paths.ledger}.`;
    await withCore(filled.home, (core) => {
      expect(() => core.knowledgebase('k')).toThrow(message);
      expect(core.listKnowledgebases()).toMatchObject([{ id: 'k', fault: message }]);
    });
    const reading = { writing: false };
    const proof = await withCore(filled.home, (core) => verify(core.knowledgebase('k')), reading);
    expect(proof).toEqual({
      knowledgebase: 'k',
      holds: false,
      streams: [],
      model: null,
      differences: ['The ledger: database disk image is malformed.'],
    });
    expect(repair(filled.paths.root)).toMatchObject({ recorded: 2 });
    await withCore(filled.home, async (core) => {
      expect(knowledgeOf(core).totals).toMatchObject({
        ...{ received: 6, landed: 2, replayed: 0, rejected: 1, refused: 3 },
      });
      await expectToHold(core);
    });
  });
});

describe('an interrupted or hindered repair', () => {
  it('is refused while another process writes, and changes nothing', async () => {
    const { takeWriterLock } = await import('../../core/knowledgebase/writer-lock.ts');
    const before = await withCore(filled.home, knowledgeOf);
    const lock = takeWriterLock(filled.paths, 'a test');
    expect(() => repair(filled.paths.root)).toThrow(/^The writer lock is held by process \d+ on /);
    lock.release();
    expect(await withCore(filled.home, knowledgeOf)).toEqual(before);
  });

  it('that fails in the middle leaves the ledger as it was', async () => {
    const before = await withCore(filled.home, knowledgeOf);
    const { staging } = filled.paths.stream('s');
    rmSync(staging, { recursive: true });
    writeFileSync(staging, 'no folder');
    expect(() => repair(filled.paths.root)).toThrow('EEXIST');
    rmSync(staging);
    expect(await withCore(filled.home, knowledgeOf)).toEqual(before);
  });

  it('leaves nothing beside the ledger', async () => {
    repair(filled.paths.root);
    expect(namesIn(filled.paths.root)).toEqual([
      'duckdb.lock',
      'folder.lock',
      'kb.duckdb',
      'knowledgebase.json',
      'ledger.sqlite',
      'strata',
      'writer.lock',
    ]);
    expect(statSync(filled.paths.writerLock).size).toBe(0);
    expect(openLedger(filled.paths.ledger).faults()).toEqual([]);
  });
});
