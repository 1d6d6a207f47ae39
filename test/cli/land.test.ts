// `strata land`: files and standard input down the same path as a POST, each file once.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeTempFolders, strata, strataJson, tempFolder } from '../helpers/server.ts';

const home = tempFolder();
const files = tempFolder();

beforeAll(async () => {
  await strataJson(home, ['kb', 'create', 'lab']);
});
afterAll(removeTempFolders);

interface Landing {
  readonly file: string;
  readonly firstLine: number;
  readonly batch_id: string;
  readonly rows: number;
  readonly bytes: number;
  readonly replayed: boolean;
}

const write = (name: string, content: string): string => {
  const path = join(files, name);
  writeFileSync(path, content);
  return path;
};

const landJson = async (...words: string[]): Promise<readonly Landing[]> =>
  (await strataJson<{ landings: Landing[] }>(home, ['land', 'lab', ...words])).landings;

const valuesOf = async (sql: string): Promise<unknown> =>
  (await strataJson<{ rows: unknown }>(home, ['query', 'lab', sql])).rows;

const streamOf = async (stream: string): Promise<object | undefined> =>
  (await strataJson<{ streams: { name: string }[] }>(home, ['streams', 'lab'])).streams.find(
    ({ name }) => name === stream,
  );

const failedOf = (stream: string): string =>
  join(home, 'lab', 'strata', 'streams', stream, 'failed');

describe('a file over the limit', () => {
  // 2.6 MB: three batches; a blank line and CRLF among them, no line feed at the end.
  const lines = Array.from({ length: 26_000 }, (_, n) => `{"n":${n},"pad":"${'x'.repeat(85)}"}`);
  lines.splice(100, 0, '');
  const content = lines.join('\n').replace('\n', '\r\n');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  let file: string;

  test('is cut into batches between lines, and the rows add up', async () => {
    file = write('large.ndjson', content);
    const landings = await landJson('large', file);
    expect(landings.map(({ batch_id: id }) => id)).toEqual(
      [1, 2, 3].map((n) => `file-${hash}-${n}`),
    );
    expect(landings.reduce((sum, { rows }) => sum + rows, 0)).toBe(26_000);
    expect(landings.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(content.length);
    expect(landings.every(({ bytes }) => bytes <= 1_048_576)).toBe(true);
    expect(landings[0]?.firstLine).toBe(1);
    expect(landings[1]?.firstLine).toBe((landings[0]?.rows ?? 0) + 2);
    expect(
      await valuesOf('SELECT count(*), count(DISTINCT n), sum(n::INTEGER) FROM stream_large'),
    ).toEqual([['26000', '26000', String((26_000 * 25_999) / 2)]]);
  });

  test('adds nothing the second time, nor under another name', async () => {
    const copy = write('copy.ndjson', content);
    const landings = await landJson('large', file, copy);
    expect(landings.map(({ replayed }) => replayed)).toEqual(Array.from({ length: 6 }, () => true));
    expect(await streamOf('large')).toMatchObject({
      rows: 26_000,
      files: 3,
      landed: 3,
      replayed: 6,
    });
  });
});

test('several files, said for people', async () => {
  const one = write('one.ndjson', '{"a":"1"}\n');
  const two = write('two.ndjson', '{"a":"2"}\n{"a":"3"}');
  const { code, stdout, stderr } = await strata(home, ['land', 'lab', 'several', one, two, one]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/one\.ndjson: 1 row, 10 B, landed \(file-[0-9a-f]{32}-1\)$/),
    expect.stringMatching(/two\.ndjson: 2 rows, 19 B, landed \(file-[0-9a-f]{32}-1\)$/),
    expect.stringMatching(/one\.ndjson: 1 row, 10 B, has landed before, nothing was added \(file-/),
    '',
  ]);
});

test('standard input gets new ids: it lands each time', async () => {
  const stdin = '{"a":"1"}\n';
  for (let time = 0; time < 2; time += 1) {
    const { code, stdout } = await strata(home, ['land', 'lab', 'piped', '-', '--json'], { stdin });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).landings).toEqual([
      {
        ...{ file: '-', firstLine: 1, rows: 1, bytes: 10, replayed: false },
        batch_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        landed_at: expect.any(String),
      },
    ]);
  }
  expect(await streamOf('piped')).toMatchObject({ rows: 2, landed: 2 });
});

describe('a file with a bad line', () => {
  const good = `{"pad":"${'x'.repeat(1_000_000)}"}\n`;
  const bad = `{"pad":"${'y'.repeat(500_000)}"}\n{"pad":\n`;
  let rejectId: string;

  test('exit 1: the batch is kept as a reject, the others have landed', async () => {
    const file = write('bad.ndjson', good + bad);
    const { code, stdout, stderr } = await strata(home, ['land', 'lab', 'faulty', file]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\S+bad\.ndjson: 1 row, 1\.00 MB, landed \(file-\w+-1\)\n$/);
    expect(stderr).toMatch(
      /^strata: \S+bad\.ndjson: Line 2[^\n]+ \(its line 1 is line 2 of the file\) Kept as reject file-\w{32}-2\.\n$/,
    );
    rejectId = /reject (\S+)\.$/m.exec(stderr)?.[1] as string;
    expect(readFileSync(join(failedOf('faulty'), `${rejectId}.ndjson`), 'utf8')).toBe(bad);
    expect(readdirSync(failedOf('faulty')).sort()).toEqual([
      `${rejectId}.err`,
      `${rejectId}.ndjson`,
    ]);
    expect(await streamOf('faulty')).toMatchObject({ rows: 1, landed: 1, rejected: 1, rejects: 1 });
  });

  test('again, with --json: the same reject, counted', async () => {
    const { code, stdout, stderr } = await strata(home, [
      ...['land', 'lab', 'faulty', join(files, 'bad.ndjson'), '--json'],
    ]);
    expect([code, stderr]).toEqual([1, '']);
    const { landings } = JSON.parse(stdout);
    expect(landings).toMatchObject([
      { firstLine: 1, replayed: true },
      { firstLine: 2, error: { code: 'not_json', line: 2, reject_id: rejectId, error_count: 1 } },
    ]);
    expect(await streamOf('faulty')).toMatchObject({
      rows: 1,
      replayed: 1,
      rejected: 2,
      rejects: 1,
    });
  });
});

test('an empty file is an empty batch', async () => {
  const { code, stdout, stderr } = await strata(home, [
    'land',
    'lab',
    'empty',
    write('empty.ndjson', ''),
  ]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^strata: \S+empty\.ndjson: [^\n]+ Kept as reject [0-9a-f-]{36}\.\n$/);
});

test('a line over the limit is refused with its number; what came before has landed', async () => {
  const file = write('long.ndjson', `{"a":"1"}\n{"a":"${'x'.repeat(1_048_576)}"}\n{"a":"3"}\n`);
  const { code, stdout, stderr } = await strata(home, ['land', 'lab', 'long', file]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/: 1 row, 10 B, landed/);
  expect(stderr).toBe(
    `strata: ${file}: line 2 is over 1048576 bytes. ` +
      'Lines before it have landed; max_body_bytes in knowledgebase.json is the setting.\n',
  );
  expect(await streamOf('long')).toMatchObject({ rows: 1 });
});

test('a file that is not there stops it, and makes no stream', async () => {
  const { code, stdout, stderr } = await strata(home, [
    'land',
    'lab',
    'absent',
    join(files, 'absent'),
    '--json',
  ]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^strata: \S+absent cannot be read: [^\n]+ Name a file that is there and may be read\.\n$/,
  );
  expect(await streamOf('absent')).toBeUndefined();
});

test('a stream is not made where the knowledgebase is set not to', async () => {
  await strataJson(home, ['kb', 'create', 'closed']);
  const settings = join(home, 'closed', 'knowledgebase.json');
  const now = JSON.parse(readFileSync(settings, 'utf8'));
  writeFileSync(settings, JSON.stringify({ ...now, create_streams_on_first_post: false }));
  const words = ['land', 'closed', 'readings', write('closed.ndjson', '{"a":"1"}\n')];
  expect(await strata(home, words)).toEqual({
    ...{ code: 1, stdout: '' },
    stderr:
      'strata: There is no stream "readings" in closed. Create it with: strata stream create KB STREAM.\n',
  });
  expect(await strataJson(home, ['streams', 'closed'])).toEqual({ streams: [] });
  await strataJson(home, ['stream', 'create', 'closed', 'readings']);
  expect((await strata(home, words)).code).toBe(0);
});

test('in a folder with a question mark nothing is made', async () => {
  const odd = join(tempFolder(), 'what?');
  expect(await strata(odd, ['kb', 'create', 'lab'])).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: `strata: The path ${odd} has a question mark. DuckDB cannot keep its views there: rename the folder, or choose another.\n`,
  });
  expect(existsSync(join(odd, 'lab'))).toBe(false);
});

test('and after all of it every promise holds', async () => {
  expect(await strataJson(home, ['verify', 'lab'])).toMatchObject({ holds: true });
});
