// Owns the proof that a rebuild gives every field the column it had: first spellings, and names the view needs itself.

import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { queryPage } from '../../core/lake/query.ts';
import { codeOf, land, type TestCore } from '../helpers/core.ts';
import { withCore } from '../helpers/filled.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

const mapOf = (core: TestCore): string[] =>
  core
    .knowledgebase('k')
    .ledger()
    .columns.list('s')
    .map(({ source, landed }) => (source === landed ? source : `${source} -> ${landed}`));

/** Rows of the stream without Strata's own columns, each as its columns that are not NULL. */
const rowsOf = async (core: TestCore): Promise<Record<string, string>[]> => {
  const { query } = core.knowledgebase('k');
  const sql =
    'SELECT * EXCLUDE (filename, _line, _batch_id) FROM raw_extracted.stream_s ORDER BY _batch_id, _line';
  const { columns, rows } = await queryPage(query, sql);
  return rows.map((row) =>
    Object.fromEntries(
      row.flatMap((value, at) => (value === null ? [] : [[columns[at]?.name as string, value]])),
    ),
  );
};

/** Lands bodies one after the other, loses the ledger, repairs, and lands one more. */
const through = async (
  bodies: readonly string[],
  after: string,
): Promise<{ before: string[]; repaired: string[]; after: string[]; rows: unknown[] }> => {
  const home = tempFolder();
  const before = await withCore(home, async (core) => {
    core.createKnowledgebase('k');
    for (const [index, body] of bodies.entries()) await land(core, 's', body, `b${index}`);
    return mapOf(core);
  });
  for (const end of ['', '-wal', '-shm']) rmSync(`${home}/k/ledger.sqlite${end}`, { force: true });
  return withCore(home, async (core) => {
    await core.repair('k');
    const repaired = mapOf(core);
    await land(core, 's', after, 'z');
    return { before, repaired, after: mapOf(core), rows: await rowsOf(core) };
  });
};

describe('after the ledger was lost and repaired', () => {
  it('the first spelling of a field wins', async () => {
    expect(
      await through(['{"Temp":1}', '{"temp":2,"Ä":3}', '{"TEMP":4}'], '{"tEMP":5,"ä":6}'),
    ).toEqual({
      before: ['Temp', 'Ä'],
      repaired: ['Temp', 'Ä'],
      after: ['Temp', 'Ä', 'ä'],
      rows: [{ Temp: '1' }, { Temp: '2', Ä: '3' }, { Temp: '4' }, { Temp: '5', ä: '6' }],
    });
  });

  it('fields with names that the view needs are where they were', async () => {
    const bodies = ['{"filename":"a","_LINE":1,"_batch_id":2}', '{"FileName":"b"}'];
    expect(await through(bodies, '{"filename":"c","_line":3}')).toEqual({
      before: ['filename -> filename_', '_LINE -> _LINE_', '_batch_id -> _batch_id_'],
      repaired: ['filename -> filename_', '_LINE -> _LINE_', '_batch_id -> _batch_id_'],
      after: ['filename -> filename_', '_LINE -> _LINE_', '_batch_id -> _batch_id_'],
      rows: [
        { filename_: 'a', _LINE_: '1', _batch_id_: '2' },
        { filename_: 'b' },
        { filename_: 'c', _LINE_: '3' },
      ],
    });
  });

  it('a field filename_ that came first keeps its column, filename gets the next', async () => {
    expect(
      await through(['{"filename_":1}', '{"filename":2}'], '{"filename":3,"filename_":4}'),
    ).toEqual({
      before: ['filename_', 'filename -> filename__'],
      repaired: ['filename_', 'filename -> filename__'],
      after: ['filename_', 'filename -> filename__'],
      rows: [{ filename_: '1' }, { filename__: '2' }, { filename_: '4', filename__: '3' }],
    });
  });

  it('and the other way round', async () => {
    expect(
      await through(['{"filename":1}', '{"Filename_":2}'], '{"filename":3,"filename_":4}'),
    ).toEqual({
      before: ['filename -> filename_', 'Filename_ -> Filename__'],
      repaired: ['filename -> filename_', 'Filename_ -> Filename__'],
      after: ['filename -> filename_', 'Filename_ -> Filename__'],
      rows: [{ filename_: '1' }, { Filename__: '2' }, { filename_: '3', Filename__: '4' }],
    });
  });

  it('both in one batch, in either order', async () => {
    expect((await through(['{"filename":1,"filename_":2}'], '{"filename_":3}')).rows).toEqual([
      { filename_: '1', filename__: '2' },
      { filename__: '3' },
    ]);
    expect((await through(['{"filename_":1,"filename":2}'], '{"filename":3}')).rows).toEqual([
      { filename_: '1', filename__: '2' },
      { filename__: '3' },
    ]);
  });

  it('odd names come back as they are', async () => {
    const body = '{"__proto__":1,"a\\"b":2,"\\u00e9":3,"日本":4,"constructor":5," ":6,"a.b":7}';
    const names = ['__proto__', 'a"b', 'é', '日本', 'constructor', ' ', 'a.b'];
    const { repaired, after } = await through([body], body.replaceAll(':', ':1'));
    expect([repaired, after]).toEqual([names, names]);
  });
});

describe('columns that no file has', () => {
  it('are free again: a batch that named them and did not land does not bind the stream', async () => {
    const home = tempFolder();
    await withCore(home, async (core) => {
      core.createKnowledgebase('k');
      await land(core, 's', '{"a":1}', 'one');
      // Its fields are known before it turns out that its id is taken.
      expect(await codeOf(land(core, 's', '{"New":1}', 'one'))).toBe('batch_id_conflict');
      await core.knowledgebase('k').views.settled(15_000);
      await core.repair('k');
      await land(core, 's', '{"new":2}', 'two');
      expect(mapOf(core)).toEqual(['a', 'new']);
    });
  });
});
