// Owns the proof that verify names every kind of difference, each with its own sentence, and nothing else.

import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { counted } from '../../core/counted.ts';
import { verify } from '../../core/engine/verify.ts';
import type { Proof } from '../../core/model.ts';
import { codeOf, land } from '../helpers/core.ts';
import {
  damageTable,
  type Filled,
  filledKnowledgebase,
  tamper,
  withCore,
} from '../helpers/filled.ts';
import { removeTempFolders } from '../helpers/server.ts';

afterAll(removeTempFolders);

let filled: Filled;
beforeEach(async () => {
  filled = await filledKnowledgebase();
});

const proofOf = (): Promise<Proof> =>
  withCore(filled.home, (core) => verify(core.knowledgebase('k')), { writing: false });

/** All that differs, those of the stream `s` and those of none. */
const differences = async () => {
  const { holds, streams, differences: others } = await proofOf();
  const found = { stream: streams.flatMap((one) => one.differences), others };
  expect(holds).toBe(found.stream.length + others.length === 0);
  return found;
};

const ofStream = (...stream: string[]) => ({ stream, others: [] });

const sizeOf = (file: string): number => readFileSync(filled.at('data', file)).length;

it('everything holds: every count is there', async () => {
  expect(await proofOf()).toEqual({
    knowledgebase: 'k',
    holds: true,
    model: null,
    differences: [],
    streams: [
      {
        totals: {
          stream: 's',
          createdAt: expect.any(String),
          lastLandedAt: expect.any(String),
          ...{ received: 4, landed: 2, rejected: 1, replayed: 1, refused: 0, openRejects: 1 },
          ...{ repaired: 0, linesRejected: 0 },
          ...{ rows: 5, files: 2, sizeBytes: sizeOf('one.parquet') + sizeOf('two.parquet') },
        },
        refusals: [],
        viewRows: 5,
        differences: [],
      },
    ],
  });
});

it('a stream without a file has no view, and holds', async () => {
  await withCore(filled.home, async (core) => {
    const { streams, views } = core.knowledgebase('k');
    streams.create('empty', null);
    await views.settled(15_000);
  });
  const proof = await proofOf();
  expect([proof.holds, proof.streams.map(({ viewRows }) => viewRows)]).toEqual([true, [null, 5]]);
});

describe('the conservation ledger', () => {
  it.each([
    [
      '+ 2',
      'Received 6, but landed 2 + rejected 1 + replayed 1 + refused 0 = 4: 2 are unaccounted for.',
    ],
    [
      '- 1',
      'Received 3, but landed 2 + rejected 1 + replayed 1 + refused 0 = 4: 1 were counted twice.',
    ],
  ])('received %s', async (change, sentence) => {
    tamper(filled, `UPDATE streams SET received = received ${change}`);
    expect(await differences()).toEqual(ofStream(sentence));
  });

  it('totals that are not the sum of the batches', async () => {
    tamper(filled, 'UPDATE streams SET rows = 4, files = 3, size_bytes = 5');
    const bytes = sizeOf('one.parquet') + sizeOf('two.parquet');
    expect(await differences()).toEqual(
      ofStream(
        `The totals say 3 files, 4 rows, 5 bytes; the batches add up to 2, 5, ${bytes}.`,
        '4 rows were acknowledged, the view has 5: 1 is too many.',
      ),
    );
  });
});

describe('files', { timeout: 60_000 }, () => {
  it('with other rows', async () => {
    tamper(
      filled,
      "UPDATE batches SET rows = 9 WHERE batch_id = 'one'; UPDATE streams SET rows = 12",
    );
    expect(await differences()).toEqual(
      ofStream(
        'one.parquet: it has 2 rows, the ledger says 9.',
        '12 rows were acknowledged, the view has 5: 7 are missing.',
      ),
    );
  });

  it('made from another body', async () => {
    tamper(filled, `UPDATE batches SET sha256 = '${'0'.repeat(64)}' WHERE batch_id = 'two'`);
    expect(await differences()).toEqual(
      ofStream('two.parquet: it was made from another body than the ledger says.'),
    );
  });

  it('of another size', async () => {
    tamper(
      filled,
      "UPDATE batches SET size_bytes = size_bytes + 1 WHERE batch_id = 'one'; UPDATE streams SET size_bytes = size_bytes + 1",
    );
    const size = sizeOf('one.parquet');
    expect(await differences()).toEqual(
      ofStream(`one.parquet: it has ${counted(size, 'byte')}, the ledger says ${size + 1}.`),
    );
  });

  it('that are not whole', async () => {
    truncateSync(filled.at('data', 'one.parquet'), 100);
    const { stream, others } = await differences();
    expect([stream.length, others]).toEqual([2, []]);
    expect(stream[0]).toMatch(/^one\.parquet: it is not whole: .+/);
    expect(stream[1]).toMatch(/^The view cannot be counted: .*one\.parquet.*/s);
  });

  it('that are gone', async () => {
    rmSync(filled.at('data', 'two.parquet'));
    expect(await differences()).toEqual(
      ofStream(
        'two.parquet is recorded with 3 rows, but is not in data/.',
        '5 rows were acknowledged, the view has 2: 3 are missing.',
      ),
    );
  });

  it('that are all gone: there is nothing to count', async () => {
    for (const file of ['one.parquet', 'two.parquet']) rmSync(filled.at('data', file));
    const { stream } = await differences();
    expect(stream.slice(0, 2)).toEqual([
      'one.parquet is recorded with 2 rows, but is not in data/.',
      'two.parquet is recorded with 3 rows, but is not in data/.',
    ]);
    expect(stream[2]).toMatch(/^The view cannot be counted: .*No files found.*/s);
  });

  it('that nobody recorded', async () => {
    copyFileSync(filled.at('data', 'one.parquet'), filled.at('data', 'copy.parquet'));
    expect(await differences()).toEqual(
      ofStream(
        'copy.parquet is in data/, but not recorded.',
        '5 rows were acknowledged, the view has 7: 2 are too many.',
      ),
    );
  });

  it('at most twenty of them by name', async () => {
    for (let n = 10; n < 35; n += 1) {
      copyFileSync(filled.at('data', 'one.parquet'), filled.at('data', `copy-${n}.parquet`));
    }
    const { stream } = await differences();
    expect(stream).toEqual([
      ...Array.from(
        { length: 20 },
        (_, n) => `copy-${n + 10}.parquet is in data/, but not recorded.`,
      ),
      '5 more files differ.',
      '5 rows were acknowledged, the view has 55: 50 are too many.',
    ]);
  });
});

describe('rejects', { timeout: 60_000 }, () => {
  it('whose reason is gone', async () => {
    rmSync(filled.at('failed', 'bad.err'));
    expect(await differences()).toEqual(
      ofStream('The reject bad is recorded, but its reason is not in failed/.'),
    );
  });

  it('whose body is gone', async () => {
    rmSync(filled.at('failed', 'bad.ndjson'));
    expect(await differences()).toEqual(ofStream('The body of the reject bad is not in failed/.'));
  });

  it('whose body is of another size', async () => {
    writeFileSync(filled.at('failed', 'bad.ndjson'), '{}');
    expect(await differences()).toEqual(
      ofStream('The body of the reject bad has 2 bytes, the ledger says 14.'),
    );
  });

  it('that nobody recorded', async () => {
    copyFileSync(filled.at('failed', 'bad.err'), filled.at('failed', 'worse.err'));
    expect(await differences()).toEqual(
      ofStream('The reject worse is in failed/, but not recorded.'),
    );
  });

  it('at most twenty of them by name', async () => {
    await withCore(filled.home, async (core) => {
      for (let n = 10; n < 32; n += 1) await codeOf(land(core, 's', '{', `no-${n}`));
    });
    for (let n = 10; n < 32; n += 1) rmSync(filled.at('failed', `no-${n}.err`));
    const named = (n: number) =>
      `The reject no-${n} is recorded, but its reason is not in failed/.`;
    expect(await differences()).toEqual(
      ofStream(...Array.from({ length: 20 }, (_, n) => named(n + 10)), '2 more rejects differ.'),
    );
  });
});

describe('streams', () => {
  it('that are on disk alone, and in the ledger alone', async () => {
    renameSync(join(filled.paths.streams, 's'), join(filled.paths.streams, 'moved'));
    expect(await differences()).toEqual({
      stream: [],
      others: [
        'The stream moved is on disk but not in the ledger.',
        'The stream s is in the ledger but not on disk.',
      ],
    });
  });
});

describe('the ledger itself', () => {
  it('that is damaged is no evidence: nothing more is said', async () => {
    damageTable(filled, 'batches_by_stream');
    const { stream, others } = await differences();
    expect(stream).toEqual([]);
    expect(others.length).toBeGreaterThan(0);
    for (const sentence of others) expect(sentence).toMatch(/^The ledger: .+\.$/);
  });
});
