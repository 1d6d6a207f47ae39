// The commands promote and model, for people and with --json: what they print, how they end, what they say when they fail.

import { afterAll, describe, expect, test } from 'vitest';
import { EXPECTED, PAY, QUESTION } from '../helpers/promotion.ts';
import { removeTempFolders, strata, strataJson, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

const home = tempFolder();

const says = async (words: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await strata(home, words);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};

const fails = async (words: readonly string[], code: number, stderr: string): Promise<void> => {
  expect(await strata(home, words)).toEqual({ code, stdout: '', stderr });
};

interface Promoted {
  readonly promotion: string;
  readonly version: number | null;
  readonly object_types: readonly {
    name: string;
    kind: string;
    key: unknown;
    attributes: string[];
    view: string;
  }[];
  readonly types: Readonly<Record<string, string>>;
}

describe.sequential('promote and model', () => {
  test('before anything is there', async () => {
    await strataJson(home, ['kb', 'create', 'lab']);
    await strataJson(home, ['stream', 'create', 'lab', 'pay']);
    await fails(
      ['promote', 'lab', 'pay', '--json'],
      1,
      'strata: The stream pay has no rows to model. Land a batch first.\n',
    );
    await fails(
      ['promote', 'lab', 'nope', '--json'],
      1,
      'strata: There is no stream "nope" in lab. Create it with: strata stream create KB STREAM.\n',
    );
    expect(await says(['model', 'show', 'lab'])).toBe(
      'No model yet. Promote a stream: strata promote lab STREAM\n',
    );
    expect(await says(['model', 'versions', 'lab'])).toBe('No version yet.\n');
    await fails(
      ['model', 'show', 'lab', '--format', 'markdown'],
      1,
      'strata: Nothing has been promoted yet. Promote a stream with: strata promote KB STREAM.\n',
    );
    await fails(
      ['model', 'refuse', 'lab', 'pay'],
      1,
      'strata: The stream pay has no open plan. Promote the stream again with: strata promote KB STREAM.\n',
    );
  });

  test('without --apply the plan is printed and nothing is applied', async () => {
    await strata(home, ['land', 'lab', 'pay', '-'], { stdin: PAY });
    const text = await says(['promote', 'lab', 'pay']);
    expect(text).toMatch(
      /^Plan for pay: v1, from 60 rows in 1 batch\n\n\+ PayFact, one row for each pay_id\n {4}60 rows, each with its own pay_id, none missing\.\n/,
    );
    expect(text).toContain(
      '\n+ Department by department\n    5 values of department fix cost_center, 0 exceptions.\n',
    );
    expect(text).toContain('\nannual_salary    BIGINT     60     0  28500 to 87450\n');
    expect(text).toMatch(/\npay_grade +text +60 +0 /);
    // A person reads of text; VARCHAR is DuckDB's word.
    expect(text).not.toContain('VARCHAR');
    expect(text).toContain(
      '\n  employee_id → pay_grade: 4 of 24 values go with more than one pay_grade\n',
    );
    expect(text).toMatch(/\nNothing is applied yet\. Apply it: strata promote lab pay --apply\n$/);
    const plan = await strataJson<Promoted>(home, ['promote', 'lab', 'pay']);
    expect(plan.version).toBe(null);
    expect(plan.types).toMatchObject(EXPECTED.types);
    expect(
      plan.object_types.map(({ name, kind, key, attributes }) => ({ name, kind, key, attributes })),
    ).toEqual(
      EXPECTED.object_types.map((one) => ({
        attributes: ['effective_date', 'annual_salary', 'bonus', 'currency'],
        ...one,
      })),
    );
    expect(await says(['model', 'show', 'lab'])).toMatch(/^No model yet/);
    expect(await says(['model', 'refuse', 'lab', 'pay', '--why', 'Not yet.'])).toBe(
      'The plan of pay was refused; nothing of it stays but the record.\n',
    );
  });

  test('with --apply it is the next version', async () => {
    const done = await strataJson<Promoted>(home, [
      'promote',
      'lab',
      'pay',
      '--apply',
      '--by',
      'analyst',
      '--why',
      'first',
    ]);
    expect([done.version, done.object_types.map(({ view }) => view)]).toEqual([
      1,
      EXPECTED.object_types.map(({ name }) => `ontology."${name}"`),
    ]);
    const { rows } = await strataJson<{ rows: string[][] }>(home, ['query', 'lab', QUESTION]);
    expect(rows.map(([name, salary]) => [name, Number(salary)])).toEqual(EXPECTED.answer);
    expect(await says(['promote', 'lab', 'pay'])).toBe(
      'Nothing has changed since v1: 60 rows in 1 batch were looked at.\n',
    );
    expect(await strataJson(home, ['promote', 'lab', 'pay', '--apply'])).toMatchObject({
      state: 'unchanged',
      version: 1,
    });
  });

  test('model show, versions, diff, restore', async () => {
    const shown = await says(['model', 'show', 'lab']);
    expect(shown).toMatch(
      /^v1 of the model of lab, \S+ by analyst: first\n\nType +Kind +Key +Columns +Refers to +Rows\n/,
    );
    expect(shown).toMatch(/\nLocation +dimension +location +country +– +4\n/);
    const markdown = await says(['model', 'show', 'lab', '--format', 'markdown']);
    expect(markdown).toMatch(/^# The model of lab, version 1\n\nApplied \S+ by analyst: first\n/);
    expect(markdown).toContain(
      '| `pay_grade` | text | reference | `pay.pay_grade` | `PayGrade.pay_grade` |',
    );
    expect(markdown).toContain('\n```sql\nSELECT\n  "pay_id" AS "pay_id",\n');
    const json = await strataJson<{ current: number; object_types: { name: string }[] }>(home, [
      'model',
      'show',
      'lab',
    ]);
    expect([json.current, json.object_types.length]).toEqual([1, 6]);
    await strata(home, ['land', 'lab', 'pay', '-'], { stdin: '{"pay_id":"X1","extra":"e"}\n' });
    await strataJson(home, ['promote', 'lab', 'pay', '--apply']);
    expect(await strataJson(home, ['model', 'diff', 'lab', '1', 'v2'])).toMatchObject({
      ...{
        from: 1,
        to: 2,
        changes: [{ mark: 'new', what: 'attribute', typeName: 'PayFact', name: 'extra' }],
      },
    });
    expect(await says(['model', 'diff', 'lab', '1', '2'])).toMatch(
      /\nnew +PayFact +attribute +extra +text from pay\.extra\n$/,
    );
    expect(await says(['model', 'diff', 'lab', '1', '1'])).toBe('v1 and v1 are the same.\n');
    expect(await says(['model', 'restore', 'lab', '1'])).toBe(
      'v1 was restored: the model of lab is v3.\n',
    );
    expect((await says(['model', 'versions', 'lab'])).split('\n').slice(2, 5)).toEqual([
      expect.stringMatching(/^v3 +.+ v1 restored +\+0 ~1 -0 +Restored v1\.$/),
      expect.stringMatching(/^v2 +.+ pay promoted +\+0 ~1 -0 +Promoted pay\.$/),
      expect.stringMatching(/^v1 +.+ analyst +pay promoted +\+6 ~0 -0 +first$/),
    ]);
    await fails(
      ['model', 'restore', 'lab', '9'],
      1,
      'strata: There is no version 9 of the model. List the versions with: strata model versions KB.\n',
    );
    expect(await says(['verify', 'lab'])).toMatch(
      /\n✓ model v3\n {4}6 types, 6 of 6 views bind\nEverything holds\.\n$/,
    );
  });

  test('model store', async () => {
    expect(await says(['model', 'store', 'lab'])).toBe('lab keeps its model itself.\n');
    expect(await says(['model', 'store', 'lab', 'none'])).toBe('lab keeps no model.\n');
    await fails(
      ['promote', 'lab', 'pay'],
      1,
      'strata: lab keeps no model. Give it a model store with: strata model store lab sqlite.\n',
    );
    const { rows } = await strataJson<{ rows: string[][] }>(home, [
      'query',
      'lab',
      "SELECT count(*) FROM duckdb_views() WHERE schema_name = 'ontology'",
    ]);
    expect(rows).toEqual([['0']]);
    expect(await strataJson(home, ['model', 'store', 'lab', 'sqlite'])).toEqual({
      kind: 'sqlite',
      address: null,
      model: null,
      fault: null,
    });
    expect(await says(['model', 'show', 'lab'])).toMatch(/^v3 of the model/);
    await fails(
      ['model', 'store', 'lab', 'mysql://x'],
      1,
      'strata: That is no model store. Give none, sqlite, or a URL: postgresql://user@host:5432/database.\n',
    );
    const gone = 'postgresql://analyst:s3cret@127.0.0.1:9/team';
    const { code, stdout, stderr } = await strata(home, [
      ...['model', 'store', 'lab', gone, '--model', 'shared'],
    ]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^lab shares the model shared at postgresql:\/\/analyst@127\.0\.0\.1:9\/team, which cannot be reached: .+\n$/,
      ),
    ]);
    expect(stderr).toContain('views keep to the version that was seen last');
    expect(stdout + stderr).not.toContain('s3cret');
  });

  test('wrong use', async () => {
    await fails(
      ['model'],
      2,
      'strata: model takes show, versions, diff, restore, store, refuse. See: strata --help\n',
    );
    await fails(
      ['model', 'show', 'lab', '--format', 'xml'],
      2,
      'strata: --format is markdown or json, not "xml". See: strata --help\n',
    );
    await fails(
      ['model', 'restore', 'lab', 'x'],
      2,
      'strata: A version is a number from 1, not "x". See: strata --help\n',
    );
    await fails(
      ['promote', 'lab'],
      2,
      'strata: STREAM is missing; the command takes KB STREAM. See: strata --help\n',
    );
  });
});
