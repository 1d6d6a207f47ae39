// The ledger follows a swap in several transactions: between any two of them every reader finds every row, batches are
// known, and a proof holds; what is wrong on either side it names all the same.

import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { recordMoves } from '../../../core/engine/compaction/record-moves.ts';
import { verify } from '../../../core/engine/verify.ts';
import { transitPaths } from '../../../core/knowledgebase/paths.ts';
import { takeWriterLock } from '../../../core/knowledgebase/writer-lock.ts';
import { readJournal, type SwapJournal } from '../../../core/lake/swap/journal.ts';
import { openSqlite } from '../../../core/sqlite.ts';
import { type Landed, landSome, newLanded } from '../../helpers/compacted.ts';
import { compact, expectAll, parts } from '../../helpers/compacting.ts';
import { openTestCore, type TestCore } from '../../helpers/core.ts';
import { removeTempFolders, strata } from '../../helpers/server.ts';

afterAll(removeTempFolders);

const TIMEOUT_MS = 60_000;
/** Batches of an older compacted file, and loose ones that take two transactions. */
const OLDER = 4;
const LOOSE = 104;

interface Unrecorded {
  readonly core: TestCore;
  readonly landed: Landed;
  readonly journal: SwapJournal;
  /** The transactions in which the ledger follows. */
  steps(): AsyncGenerator<void, void, void>;
  close(): Promise<void>;
}

/**
 * A stream whose swap died when every file was in its place, and a core that settles nothing. The run merged an older
 * compacted file with loose ones; the own files of the older one's batches are an earlier run's originals.
 */
const openUnrecorded = async (kind: SwapJournal['kind']): Promise<Unrecorded> => {
  const landed = newLanded();
  const first = openTestCore({ home: landed.home });
  first.createKnowledgebase('k');
  await landSome(first, landed, OLDER);
  await compact(first);
  await landSome(first, landed, LOOSE);
  if (kind === 'undo') await compact(first);
  await first.close();
  const words = kind === 'undo' ? ['compact', 'undo', 'k', 's'] : ['compact', 'k', 's'];
  const killed = await strata(landed.home, words, { env: { STRATA_CRASH_AT: 'moved:1' } });
  expect(killed.code).toBe(-1);
  const core = openTestCore({ home: landed.home, writing: false });
  const { ledger, stream, knowledgebase } = parts(core);
  const journal = readJournal(stream.paths) as SwapJournal;
  expect(journal.record.replacedCompacted).toHaveLength(1);
  // Whoever records holds it, so nobody else settles meanwhile.
  const lock = takeWriterLock(knowledgebase.paths, 'recording');
  return {
    ...{ core, landed, journal },
    steps: () => recordMoves(() => ledger, 's', stream.paths, journal),
    close: async () => {
      lock.release();
      await core.close();
    },
  };
};

/** Batches of the older file and loose ones, of the first transaction and of the last, come once more. */
const sendAgain = async (core: TestCore, landed: Landed): Promise<void> => {
  const { ledger } = parts(core);
  const before = ledger.streams.get('s');
  const numbers = [0, OLDER - 1, OLDER, OLDER + LOOSE - 1];
  for (const number of numbers) await landSome(core, { ...landed, rows: [], batches: number }, 1);
  expect(ledger.streams.get('s')).toEqual({
    ...before,
    received: (before?.received ?? 0) + numbers.length,
    replayed: (before?.replayed ?? 0) + numbers.length,
  });
};

describe.each([
  ['compact', 2],
  ['undo', 3],
] as const)('while a swap is recorded (%s)', { timeout: TIMEOUT_MS }, (kind, transactions) => {
  it('all is there after each transaction', async () => {
    const { core, landed, steps, close } = await openUnrecorded(kind);
    onTestFinished(close);
    await expectAll(core, landed);
    let count = 0;
    for await (const _ of steps()) {
      count += 1;
      await expectAll(core, landed);
      await sendAgain(core, landed);
    }
    expect(count).toBe(transactions);
  });

  it('a process that opens it between two finds all, and puts the rest in line', async () => {
    const { core, landed, steps, close } = await openUnrecorded(kind);
    onTestFinished(close);
    const recording = steps();
    for (let step = 1; step < transactions; step += 1) await recording.next();
    const other = openTestCore({ home: landed.home });
    onTestFinished(() => other.close());
    const { missing, setAside } = parts(other).knowledgebase.recovery ?? {};
    expect([missing, setAside]).toEqual([[], []]);
    await expectAll(other, landed);
    for await (const _ of recording) await expectAll(core, landed);
    await expectAll(other, landed);
  });
});

/** What a proof says of the stream, in order of its words. */
const differences = async ({ core }: Unrecorded): Promise<string[]> =>
  (await verify(parts(core).knowledgebase)).streams.flatMap((one) => one.differences).sort();

/** What it says while the ledger is changed behind Strata's back, by SQL that `undo` takes back. */
const whileTampered = async (half: Unrecorded, sql: string, undo: string): Promise<string[]> => {
  const run = (statements: string): void => {
    const db = openSqlite(parts(half.core).knowledgebase.paths.ledger);
    db.exec(statements);
    db.close();
  };
  run(`CREATE TABLE kept AS SELECT * FROM batches; ${sql}`);
  try {
    return await differences(half);
  } finally {
    run(`${undo}; DROP TABLE kept`);
  }
};

/** What it says while a file is gone, or has the bytes of another. */
const whileReplaced = async (half: Unrecorded, path: string, by?: string): Promise<string[]> => {
  const aside = `${path}.aside`;
  renameSync(path, aside);
  if (by) copyFileSync(by, path);
  try {
    return await differences(half);
  } finally {
    renameSync(aside, path);
  }
};

const idOf = (number: number): string => `b-${String(number).padStart(4, '0')}`;
const fileOf = (number: number): string => `${idOf(number)}.parquet`;
const isLost = (file: string, number: number): string =>
  `${file}: the batch ${idOf(number)} was taken out of data/ with it, and no file there has it.`;

describe.each(['compact', 'undo'] as const)(
  'a proof while a swap is recorded (%s)',
  {
    timeout: TIMEOUT_MS,
  },
  (kind) => {
    let half: Unrecorded;
    let made: string;
    let older: string;
    /** The file at a place in data/, and the one that was taken out of it. */
    let standing: (file: string) => string;
    let replaced: (file: string) => string;
    beforeAll(async () => {
      half = await openUnrecorded(kind);
      const { record } = half.journal;
      made = record.made[0] as string;
      older = record.replacedCompacted[0] as string;
      const { paths } = parts(half.core).stream;
      const { kept, inStaging } = transitPaths(paths, record.run);
      standing = (file) => join(paths.data, file);
      replaced = (file) => join(kind === 'compact' ? kept : join(inStaging, 'out'), file);
      await half.steps().next();
    }, TIMEOUT_MS);
    afterAll(() => half.close());
    afterEach(async () => expect(await differences(half)).toEqual([]));

    // Of the first transaction, and of the last.
    const FIRST = 0;
    const LAST = OLDER + LOOSE - 1;

    it('names totals that are not the sum of the batches', async () => {
      const set = (by: string) => `UPDATE streams SET files = files ${by} 1`;
      expect(await whileTampered(half, set('+'), set('-'))).toEqual([
        expect.stringMatching(/^The totals say \d+ files, .* the batches add up to \d+,/),
      ]);
    });

    it.each([FIRST, LAST])('names another body, on either side (batch %i)', async (number) => {
      const set = (to: string) =>
        `UPDATE batches SET sha256 = ${to} WHERE batch_id = '${idOf(number)}'`;
      const found = await whileTampered(
        half,
        set(`'${'0'.repeat(64)}'`),
        set('(SELECT sha256 FROM kept WHERE kept.seq = batches.seq)'),
      );
      const batch = `the batch ${idOf(number)} was made from another body than the ledger says.`;
      const own = `${fileOf(number)}: it was made from another body than the ledger says.`;
      // One that the ledger has put right is in a file that stands; one that it has not, in both.
      const merged = kind === 'compact' ? [`${made}: ${batch}`] : [];
      const expected = {
        compact: { [FIRST]: merged, [LAST]: [...merged, own] },
        undo: {
          [FIRST]: [`${older}: ${batch}`, `${made}: ${batch}`],
          [LAST]: [`${made}: ${batch}`, own],
        },
      }[kind][number];
      expect(found).toEqual(expected?.sort());
    });

    it('names a batch that the ledger does not know', async () => {
      const found = await whileTampered(
        half,
        `DELETE FROM batches WHERE batch_id = '${idOf(FIRST)}'`,
        `INSERT INTO batches SELECT * FROM kept WHERE batch_id = '${idOf(FIRST)}'`,
      );
      const file = kind === 'compact' ? made : older;
      expect(found).toContain(
        `${file}: the batch ${idOf(FIRST)} is in it, but the ledger has it elsewhere or not at all.`,
      );
    });

    it('names a batch that the file that came does not have, though the other is kept', async () => {
      if (kind === 'compact') {
        const found = await whileReplaced(half, standing(made), replaced(older));
        // All but those of the older file: 96 that the ledger has in it already, and 8 that it has not.
        expect(found).toContain('84 more files differ.');
      } else {
        const found = await whileReplaced(half, standing(fileOf(LAST)));
        expect(found).toContain(isLost(made, LAST));
        const other = await whileReplaced(half, standing(fileOf(LAST)), standing(fileOf(LAST - 1)));
        expect(other).toContainEqual(expect.stringMatching(new RegExp(`^${fileOf(LAST)}: it `)));
      }
    });

    it('names a file that is on neither side', async () => {
      const file = kind === 'compact' ? made : older;
      const batches = kind === 'compact' ? '100 batches' : `${OLDER} batches`;
      expect(await whileReplaced(half, standing(file))).toContain(
        `${file} is recorded with ${batches}, but is not in data/.`,
      );
    });

    it('names a file that is gone before the ledger has left it', async () => {
      const [file, what] =
        kind === 'compact' ? [fileOf(LAST), String.raw`\d rows?`] : [made, `${LOOSE} batches`];
      expect(await whileReplaced(half, replaced(file))).toEqual([
        expect.stringMatching(new RegExp(`^${file} is recorded with ${what}, but is not in data/`)),
      ]);
    });
  },
);
