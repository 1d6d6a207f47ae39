// Every command, for people and with --json: what it prints, how it ends, and what it says when it fails.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { removeTempFolders, strata, strataJson, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

const home = tempFolder();
const files = tempFolder();
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const says = async (words: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await strata(home, words);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};

const fails = async (words: readonly string[], stderr: string): Promise<void> => {
  expect(await strata(home, [...words, '--json'])).toEqual({ code: 1, stdout: '', stderr });
};

const NO_KB =
  'strata: There is no knowledgebase "nope". List them with: strata kb list. ' +
  'Create one with: strata kb create ID.\n';

describe.sequential('the commands', () => {
  test('kb create and kb list', async () => {
    expect(await says(['kb', 'list'])).toBe(
      `No knowledgebase in ${home}. Make one: strata kb create ID\n`,
    );
    expect(await strataJson(home, ['kb', 'list'])).toEqual({ knowledgebases: [] });
    expect(await says(['kb', 'create', 'lab'])).toBe(`Made ${join(home, 'lab')}\n`);
    expect(await strataJson(home, ['kb', 'create', 'Other-1'])).toEqual({
      id: 'Other-1',
      path: join(home, 'Other-1'),
    });
    expect(await strataJson(home, ['kb', 'list'])).toEqual({
      knowledgebases: [
        { id: 'Other-1', path: join(home, 'Other-1'), streams: 0, inHome: true, fault: null },
        { id: 'lab', path: join(home, 'lab'), streams: 0, inHome: true, fault: null },
      ],
    });
    expect((await says(['kb', 'list'])).split('\n')[2]).toMatch(/^Other-1 +0 {2}\//);
    await fails(
      ['kb', 'create', 'LAB'],
      `strata: There is a folder ${join(home, 'lab')} already. Choose another id.\n`,
    );
    await fails(
      ['kb', 'create', '../x'],
      'strata: "../x" cannot be a knowledgebase id. ' +
        'Use 1 to 63 characters of A-Z a-z 0-9 _ - that start with a letter or digit.\n',
    );
  });

  test('stream create', async () => {
    expect(await says(['stream', 'create', 'lab', 'events'])).toBe(
      'Made the stream events in lab.\n',
    );
    const words = ['stream', 'create', 'lab', 'fixed', '--columns', 'id, Celsius'];
    expect(await strataJson(home, words)).toMatchObject({
      knowledgebase: 'lab',
      stream: 'fixed',
      columns: ['id', 'Celsius'],
    });
    await strataJson(home, ['kb', 'create', 'dated']);
    await strataJson(home, ['stream', 'create', 'dated', 'daily', '--date-folders']);
    expect(await strataJson(home, ['streams', 'dated'])).toMatchObject({
      streams: [{ name: 'daily', date_folders: true }],
    });
    await strataJson(home, ['kb', 'forget', 'dated']);
    await fails(
      ['stream', 'create', 'lab', 'EVENTS'],
      'strata: There is a stream "EVENTS" already. Choose another id.\n',
    );
    await fails(
      ['stream', 'create', 'lab', 'more', '--columns', 'a,b,A'],
      'strata: The column "A" stands twice. See: strata --help.\n',
    );
    await fails(
      ['stream', 'create', 'lab', 'more', '--columns', 'a,,b'],
      'strata: "" cannot be a column. Column names are 1 to 255 bytes of UTF-8 without NUL.\n',
    );
    await fails(
      ['stream', 'create', 'lab', 'con'],
      'strata: "con" cannot be a stream id. ' +
        'Use 1 to 63 characters of A-Z a-z 0-9 _ - that start with a letter or digit.\n',
    );
    await fails(['stream', 'create', 'nope', 'events'], NO_KB);
  });

  test('land and streams', async () => {
    const file = join(files, 'good.ndjson');
    writeFileSync(file, '{"id":"1"}\n{"id":"2"}\n');
    expect(await says(['land', 'lab', 'readings', file])).toMatch(
      /^\S+good\.ndjson: 2 rows, 22 B, landed \(file-[0-9a-f]{32}-1\)\n$/,
    );
    expect(await strataJson(home, ['land', 'lab', 'readings', file])).toEqual({
      landings: [
        {
          ...{ file, firstLine: 1, rows: 2, bytes: 22, replayed: true },
          batch_id: expect.stringMatching(/^file-[0-9a-f]{32}-1$/),
          landed_at: expect.stringMatching(TIME),
        },
      ],
    });
    await fails(['land', 'nope', 'readings', file], NO_KB);

    const empty = { rows: 0, files: 0, bytes: 0, rejects: 0, lag_ms: null, last_landed_at: null };
    const nothing = { received: 0, landed: 0, rejected: 0, replayed: 0, refused: 0 };
    const created = { created_at: expect.stringMatching(TIME), trouble: null, date_folders: false };
    const listed = await strataJson<{ streams: { lag_ms: number }[] }>(home, ['streams', 'lab']);
    const lagMs = listed.streams[2]?.lag_ms ?? 0;
    // A machine that is busy with other tests may land slowly, and the stream says so.
    const slow = {
      status: 'lagging',
      trouble: `Slow: ${(lagMs / 1_000).toFixed(1)} s from received to landed`,
    };
    expect(listed).toEqual({
      streams: [
        { name: 'events', status: 'new', ...empty, ...nothing, ...created, columns: null },
        {
          name: 'fixed',
          status: 'new',
          ...empty,
          ...nothing,
          ...created,
          columns: ['id', 'Celsius'],
        },
        {
          ...{ name: 'readings', status: 'landing', rows: 2, files: 1, rejects: 0, columns: null },
          ...{ ...nothing, received: 2, landed: 1, replayed: 1 },
          bytes: expect.any(Number),
          lag_ms: expect.any(Number),
          last_landed_at: expect.stringMatching(TIME),
          ...created,
          ...(lagMs > 1_000 ? slow : {}),
        },
      ],
    });
    const table = (await says(['streams', 'lab'])).split('\n');
    expect(table[0]).toMatch(/^Stream +Status +Rows +Files +Bytes +Lag +Last landed +Rejects$/);
    expect(table[2]).toMatch(/^events +New +0 +0 +0 B +– +– +0$/);
    const state = lagMs > 1_000 ? 'Lagging' : 'Landing';
    const lag = `${lagMs.toLocaleString('en-US')} ms`;
    expect(table[4]).toMatch(
      new RegExp(`^readings +${state} +2 +1 +\\S+ (B|kB) +${lag} +(now|\\d+ s) +0$`),
    );
    expect(await says(['streams', 'Other-1'])).toBe(
      'No stream yet. The first batch that is sent makes one.\n',
    );
    await fails(['streams', 'nope'], NO_KB);
  });

  test('query', async () => {
    const sql = 'SELECT id, _line FROM raw_extracted.stream_readings ORDER BY id';
    expect(await says(['query', 'lab', sql])).toBe(
      'id  _line\n──  ─────\n1       1\n2       2\n2 rows\n',
    );
    expect(await strataJson(home, ['query', 'LAB', sql])).toEqual({
      columns: [
        { name: 'id', type: 'VARCHAR' },
        { name: '_line', type: 'BIGINT' },
      ],
      rows: [
        ['1', '1'],
        ['2', '2'],
      ],
    });
    await fails(['query', 'nope', 'SELECT 1'], NO_KB);
  });

  test('token create, list and revoke', async () => {
    expect(await says(['token', 'list', 'lab'])).toBe(
      'No token. Make one: strata token create KB\n',
    );
    const [secret, advice] = (
      await says(['token', 'create', 'lab', 'readings', '--label', 'gateway'])
    ).split('\n');
    expect(secret).toMatch(/^strata_[\w-]{43}$/);
    expect(advice).toMatch(/only its hash is stored/);
    const { tokens } = await strataJson<{ tokens: { id: string }[] }>(home, [
      'token',
      'list',
      'lab',
    ]);
    expect(tokens).toEqual([
      {
        ...{ id: expect.stringMatching(/^[0-9a-f]{8}$/), label: 'gateway', stream: 'readings' },
        createdAt: expect.stringMatching(TIME),
      },
    ]);
    const id = tokens[0]?.id as string;
    expect((await says(['token', 'list', 'lab'])).split('\n')[2]).toMatch(
      new RegExp(`^${id} {2}readings {2}gateway {2}`),
    );
    expect(await says(['token', 'revoke', 'lab', id])).toBe(
      `The token ${id} opens nothing any more.\n`,
    );
    await fails(
      ['token', 'revoke', 'lab', id],
      `strata: There is no token "${id}". See: strata --help.\n`,
    );
    await fails(['token', 'create', 'nope'], NO_KB);
  });

  test('verify and repair', async () => {
    expect(await says(['verify', 'Other-1'])).toBe('No stream yet.\nEverything holds.\n');
    expect((await says(['verify', 'lab'])).split('\n').slice(-5)).toEqual([
      '✓ readings',
      '    received 2 = landed 1 + rejected 0 + replayed 1 + refused 0',
      '    2 rows acknowledged in 1 file, 2 in the view',
      'Everything holds.',
      '',
    ]);
    expect(await strataJson(home, ['verify', 'lab'])).toMatchObject({
      knowledgebase: 'lab',
      holds: true,
      differences: [],
      streams: [
        { viewRows: null, differences: [], refusals: [], totals: { stream: 'events' } },
        { viewRows: null, differences: [], refusals: [], totals: { stream: 'fixed' } },
        { viewRows: 2, differences: [], refusals: [], totals: { stream: 'readings', rows: 2 } },
      ],
    });
    expect(await says(['repair', 'lab'])).toBe(
      'Recorded 1 landed files.\nThe views are in line.\n',
    );
    expect(await strataJson(home, ['repair', 'lab'])).toEqual({
      ...{ recorded: 1, setAside: [], missing: [], swept: 0, broken: [] },
      ...{ damagedLedger: null, viewsWaitingFor: null },
    });
    await fails(['repair', 'nope'], NO_KB);
    expect(await strata(home, ['verify', 'nope'])).toEqual({ code: 1, stdout: '', stderr: NO_KB });
  });

  test('--home before STRATA_HOME', async () => {
    const other = tempFolder();
    await says(['kb', 'create', 'elsewhere', '--home', other]);
    expect(await strataJson(home, ['kb', 'list', '--home', other])).toMatchObject({
      knowledgebases: [{ id: 'elsewhere', path: join(other, 'elsewhere') }],
    });
  });

  test('a home that is a file', async () => {
    const file = join(files, 'home');
    writeFileSync(file, '');
    const { code, stdout, stderr } = await strata(file, ['kb', 'create', 'lab']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `strata: ${file} is not a folder. Give this user the right to write there, or choose another folder.\n`,
    );
  });
});
