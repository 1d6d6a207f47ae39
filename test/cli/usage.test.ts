// Wrong use: exit code 2, one line on stderr that says what is wrong, nothing on stdout.

import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { COMMANDS, USAGE, usageOf } from '../../core/cli/commands.ts';
import { removeTempFolders, strata, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

const home = tempFolder();

const WRONG: readonly (readonly [words: string, message: string])[] = [
  ['nonsense', 'There is no command "nonsense".'],
  ['--json', 'No command is given.'],
  ['--json --home', 'There is no command "--home".'],
  ['--home x', 'No command is given.'],
  ['--nonsense kb list', 'There is no command "--nonsense".'],
  ['constructor', 'There is no command "constructor".'],
  ['kb', 'kb takes create, list, open or forget.'],
  ['kb remove lab', 'kb takes create, list, open or forget.'],
  ['kb create', 'ID is missing; the command takes ID.'],
  ['kb list more', '"more" is too much; the command takes no argument.'],
  ['stream', 'stream takes create.'],
  ['streams', 'KB is missing; the command takes KB.'],
  ['token', 'token takes create, list or revoke.'],
  ['token revoke lab', 'ID is missing; the command takes KB ID.'],
  ['query lab', 'SQL is missing; the command takes KB SQL.'],
  ['query lab 1 --format xml', '--format is table, json, csv or ndjson, not "xml".'],
  ['query lab 1 --format toString', '--format is table, json, csv or ndjson, not "toString".'],
  ['query lab 1 --json --format csv', '--json and --format csv exclude each other.'],
  ['query lab 1 --timeout soon', '--timeout takes seconds, not "soon".'],
  ['land lab readings', 'FILE... is missing; the command takes KB STREAM FILE...'],
  ['repair lab more', '"more" is too much; the command takes KB.'],
  ['serve --port 65536', '--port takes a port from 0 to 65535, not "65536".'],
  ['serve --port -1', "Option '--port' argument is ambiguous."],
  ['serve --admin-port 1e3', '--admin-port takes a port from 0 to 65535, not "1e3".'],
  ['serve --body-timeout -', '--body-timeout takes seconds, not "-".'],
  ['kb list --home', "Option '--home <value>' argument missing."],
  ['kb list --nonsense', "Unknown option '--nonsense'."],
];

describe('wrong use', () => {
  test.concurrent.each(WRONG)('%s', async (words, message) => {
    const { code, stdout, stderr } = await strata(home, words.split(' '));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^strata: [^\n]* See: strata --help\n$/);
    expect(stderr).toContain(message);
  });
});

test('options of every command may stand before it', async () => {
  const elsewhere = tempFolder();
  for (const words of [
    ['--home', elsewhere, 'kb', 'create', 'a', '--json'],
    ['--json', `--home=${elsewhere}`, 'kb', 'create', '--', 'b'],
  ]) {
    const { code, stdout, stderr } = await strata(home, words);
    expect([code, stderr, JSON.parse(stdout)]).toMatchObject([
      0,
      '',
      { id: words.at(-1) === 'b' ? 'b' : 'a' },
    ]);
  }
  const { stdout } = await strata(elsewhere, ['kb', 'list', '--json']);
  expect(stdout).toContain(join(elsewhere, 'a'));
  expect(stdout).toContain(join(elsewhere, 'b'));
});

describe('help', () => {
  test('is printed when it is asked for, and to one who said nothing', async () => {
    const asked = await strata(home, ['--help']);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(await strata(home, ['help'])).toEqual(asked);
    expect(await strata(home, ['-h'])).toEqual(asked);
    expect(await strata(home, [])).toEqual({ ...asked, code: 2 });
    for (const command of ['serve', 'kb create', 'kb list', 'stream create', 'streams', 'land']) {
      expect(asked.stdout).toContain(`  ${command}`);
    }
    for (const command of [
      'query',
      'token create',
      'token list',
      'token revoke',
      'verify',
      'repair',
    ]) {
      expect(asked.stdout).toContain(`  ${command}`);
    }
    const widest = Math.max(...asked.stdout.split('\n').map((line) => line.length));
    expect(widest, 'fits a terminal').toBeLessThanOrEqual(80);
  });

  test.concurrent.each([
    ['compact --help'],
    ['compact k s -h'],
    ['help compact'],
    ['--help compact'],
  ])('%s tells that command alone', async (words) => {
    expect(await strata(home, words.split(' '))).toEqual({
      code: 0,
      stderr: '',
      stdout: `strata <command> [--home DIR] [--json]

  compact KB STREAM [--dry-run] [--wait SECONDS]
                                   merge a stream's files into few; --dry-run
                                   says what that would change and gain
  compact undo KB STREAM [--wait SECONDS]
                                   bring back what the newest run replaced

  --home DIR    where knowledgebases live; STRATA_HOME, or ~/Strata
  --json        one JSON document on stdout and nothing else
  Exit code: 0 done, 1 failed, 2 wrong use.
`,
    });
  });

  test('of each command is there, and no line of it belongs to none', () => {
    const entries = Object.keys(COMMANDS).flatMap((name) => {
      const own = (usageOf(name).split('\n\n')[1] as string).split('\n');
      expect(own[0], name).toMatch(new RegExp(`^  ${name} `));
      return own;
    });
    expect(entries.sort()).toEqual((USAGE.split('\n\n')[1] as string).split('\n').sort());
  });

  test('is of a command that there is', async () => {
    expect(await strata(home, ['help', 'nonsense'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'strata: There is no command "nonsense". See: strata --help\n',
    });
  });

  test('is not what comes after --', async () => {
    const { code, stdout, stderr } = await strata(home, ['kb', 'create', '--', '--help']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('--help');
  });
});
