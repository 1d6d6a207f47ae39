// Owns the proof that opening a knowledgebase brings the ledger in line with the folder, once.

import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { verify } from '../../core/engine/verify.ts';
import type { Batch, Proof } from '../../core/model.ts';
import { codeOf, land } from '../helpers/core.ts';
import { type Filled, filledKnowledgebase, namesIn, withCore } from '../helpers/filled.ts';
import { removeTempFolders, strata } from '../helpers/server.ts';

afterAll(removeTempFolders);

const proofOf = ({ home }: Filled): Promise<Proof> =>
  withCore(home, (core) => verify(core.knowledgebase('k')), { writing: false });

/** Opens for writing and says what that found. */
const recoveryOf = ({ home }: Filled) =>
  withCore(home, (core) => core.knowledgebase('k').recovery, { mayLog: true });

const batchesOf = ({ home }: Filled): Promise<Batch[]> =>
  withCore(home, (core) => [...core.knowledgebase('k').ledger().batches.each('s')]);

const NOTHING = { recorded: 0, setAside: [], missing: [], swept: 0, broken: [] };

/** Puts the ledger back as it was before `work`: what a power cut takes from its log. */
const losingRecordOf = async (filled: Filled, work: () => Promise<void>): Promise<void> => {
  const { ledger } = filled.paths;
  copyFileSync(ledger, `${ledger}.before`);
  await work();
  for (const end of ['-wal', '-shm']) rmSync(`${ledger}${end}`, { force: true });
  renameSync(`${ledger}.before`, ledger);
};

describe('landed files that the ledger does not know', { timeout: 60_000 }, () => {
  it('are recorded once, as they were', async () => {
    const filled = await filledKnowledgebase();
    let landed: Batch[] = [];
    await losingRecordOf(filled, async () => {
      await withCore(filled.home, async (core) => {
        await land(core, 's', '{"c":1}\n', 'three');
        await land(core, 's', '{"c":2}\n{"filename":3}\n');
      });
      landed = await batchesOf(filled);
    });
    expect(await recoveryOf(filled)).toEqual({ ...NOTHING, recorded: 2 });
    expect(await recoveryOf(filled)).toEqual(NOTHING);
    const recovered = await batchesOf(filled);
    // When a file came to lie in its folder is known from the file system alone.
    const expected = landed.map((batch, index) => ({
      ...batch,
      recovered: index >= 2,
      landedAt: index >= 2 ? expect.any(String) : batch.landedAt,
    }));
    expect(recovered).toEqual(expected);
    const proof = await proofOf(filled);
    expect(proof).toMatchObject({ holds: true, streams: [{ viewRows: 8 }] });
    expect(proof.streams[0]?.totals).toMatchObject({
      ...{ received: 6, landed: 4, replayed: 1, rejected: 1, refused: 0, rows: 8, files: 4 },
    });
  });

  it('are recognised as replays, and as conflicts', async () => {
    const filled = await filledKnowledgebase();
    await losingRecordOf(filled, () =>
      withCore(filled.home, async (core) => {
        await land(core, 's', '{"c":1}\n', 'Three');
      }),
    );
    await withCore(filled.home, async (core) => {
      expect(await land(core, 's', '{"c":1}\n', 'thrEE')).toMatchObject({
        ...{ batch_id: 'Three', rows: 1, bytes: 8, replayed: true },
      });
      expect(await codeOf(land(core, 's', '{"c":2}\n', 'three'))).toBe('batch_id_conflict');
      const proof = await verify(core.knowledgebase('k'));
      expect(proof).toMatchObject({ holds: true });
    });
  });

  it('are recorded once by processes that open at once', async () => {
    const filled = await filledKnowledgebase();
    await losingRecordOf(filled, () =>
      withCore(filled.home, async (core) => {
        for (let n = 0; n < 30; n += 1) await land(core, 's', `{"n":${n}}\n`);
      }),
    );
    const words = (n: number) => ['stream', 'create', 'k', `n${n}`];
    const ends = await Promise.all([1, 2, 3, 4].map((n) => strata(filled.home, words(n))));
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(ends.map(() => [0, '']));
    expect((await batchesOf(filled)).length).toBe(32);
    expect(await recoveryOf(filled)).toEqual(NOTHING);
    const proof = await proofOf(filled);
    expect([proof.holds, proof.streams.at(-1)?.viewRows]).toEqual([true, 35]);
  });
});

describe('rejects that the ledger does not know', () => {
  it('are recorded once, with all that their reason says', async () => {
    const filled = await filledKnowledgebase();
    const rejectsOf = () =>
      withCore(filled.home, (core) => [...core.knowledgebase('k').ledger().rejects.each('s')]);
    let kept: unknown[] = [];
    await losingRecordOf(filled, async () => {
      await withCore(filled.home, async (core) => {
        await codeOf(land(core, 's', '{"x":1,"x":2}\n', 'worse'));
        await codeOf(land(core, 's', '[]', 'bad'));
      });
      kept = await rejectsOf();
    });
    await recoveryOf(filled);
    expect(await rejectsOf()).toEqual(kept);
    expect(kept).toMatchObject([
      { rejectId: 'bad', batchId: 'bad', code: 'not_json', line: 2, column: 6 },
      { rejectId: 'worse', batchId: 'worse', code: 'duplicate_key', line: 1 },
      { rejectId: 'bad~2', batchId: 'bad', code: 'not_object', line: 1, column: 1 },
    ]);
    expect(await proofOf(filled)).toMatchObject({ holds: true });
  });

  it('and reasons that are none of ours are passed over', async () => {
    const filled = await filledKnowledgebase();
    const foreign = {
      empty: '',
      list: '[]',
      null: 'null',
      object: '{}',
      other: '{"reject_id":1,"batch_id":2,"code":3,"message":4}',
      torn: '{"reject_id":',
    };
    for (const [name, text] of Object.entries(foreign)) {
      writeFileSync(filled.at('failed', `${name}.err`), text);
    }
    expect(await recoveryOf(filled)).toEqual(NOTHING);
    const proof = await proofOf(filled);
    expect(proof.streams[0]?.differences).toEqual(
      Object.keys(foreign).map((name) => `The reject ${name} is in failed/, but not recorded.`),
    );
  });
});

describe('a body that a crash left without its reason', () => {
  it('is completed when it is sent again, and keeps its id', async () => {
    const filled = await filledKnowledgebase();
    writeFileSync(filled.at('failed', 'torn.ndjson'), '{"a":');
    await withCore(filled.home, async (core) => {
      await expect(land(core, 's', '{"a":', 'torn')).rejects.toMatchObject({
        code: 'not_json',
        details: { reject_id: 'torn' },
      });
      await expect(land(core, 's', '{"b":', 'torn')).rejects.toMatchObject({
        details: { reject_id: 'torn~2' },
      });
      expect(await verify(core.knowledgebase('k'))).toMatchObject({ holds: true });
    });
    expect(namesIn(filled.at('failed')).filter((name) => name.startsWith('torn'))).toEqual([
      'torn.err',
      'torn.ndjson',
      'torn~2.err',
      'torn~2.ndjson',
    ]);
    expect(namesIn(filled.at('_tmp'))).toEqual([]);
  });
});

describe('folders that were lost on the way', () => {
  it('as empty ones are when a knowledgebase is zipped: they are made again', async () => {
    const filled = await filledKnowledgebase();
    for (const folder of ['_tmp', 'failed']) rmSync(filled.at(folder), { recursive: true });
    const before = await proofOf(filled);
    expect(before.streams[0]?.differences).toEqual([
      'The body of the reject bad is not in failed/.',
      'The reject bad is recorded, but its reason is not in failed/.',
    ]);
    expect(await recoveryOf(filled)).toEqual(NOTHING);
    await withCore(filled.home, async (core) => {
      expect(await land(core, 's', '{"a":5}', 'four')).toMatchObject({ rows: 1 });
    });
    for (const folder of ['_tmp', 'failed'])
      expect(statSync(filled.at(folder)).isDirectory()).toBe(true);
  });

  it('a folder among the streams that has nothing in it, nor a stream.json, is no stream', async () => {
    const filled = await filledKnowledgebase();
    mkdirSync(join(filled.paths.streams, 'unfinished', 'data'), { recursive: true });
    expect(await recoveryOf(filled)).toEqual(NOTHING);
    await withCore(filled.home, async (core) => {
      expect(core.listStreams('k').map(({ stream }) => stream)).toEqual(['s']);
      // Its first batch makes it one.
      expect(await land(core, 'unfinished', '{"a":1}\n')).toMatchObject({ rows: 1 });
      expect(await verify(core.knowledgebase('k'))).toMatchObject({ holds: true });
    });
  });
});
