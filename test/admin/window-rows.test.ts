// streams.rows over HTTP: rows by place, and those that match a filter.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RowsPage } from '../../core/model.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { sendBatch } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { failureOf } from '../helpers/window.ts';

let server: Server;
let admin: AdminClient;

const lab = { knowledgebase: 'lab' };
const mixed = { knowledgebase: 'lab', stream: 'mixed' };
const many = { knowledgebase: 'lab', stream: 'many' };
const MANY = 300;

const land = async (stream: string, batchId: string, body: string): Promise<void> => {
  const answer = await sendBatch(server.stream('lab', stream), body, {
    'idempotency-key': batchId,
  });
  expect(answer.status, answer.text).toBe(200);
};

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
  // Ids against the alphabet; each batch has columns that others lack.
  await land('mixed', 'z', '{"a":"z1","file_row_number":"7"}\n{"a":"z2","file_row_number":null}\n');
  await land('mixed', 'm', '{"a":"M%_1"}\n\n{"a":""}\n{"A":"it\'s"}\n');
  await land('mixed', 'a', '{"b \\"q\\"":"Ärger","a":"a1"}\n');
  for (let at = 0; at < MANY; at += 1) {
    // Down the alphabet, so that no order by name is the order of landing.
    await land('many', `b-${String(MANY - at).padStart(4, '0')}`, `{"n":"${at}"}\n`);
  }
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

const COLUMNS = ['a', 'file_row_number', 'b "q"'];
const ROWS = [
  { row: 0, batchId: 'z', line: 1, values: ['z1', '7', null] },
  { row: 1, batchId: 'z', line: 2, values: ['z2', null, null] },
  { row: 2, batchId: 'm', line: 1, values: ['M%_1', null, null] },
  { row: 3, batchId: 'm', line: 3, values: ['', null, null] },
  { row: 4, batchId: 'm', line: 4, values: ["it's", null, null] },
  { row: 5, batchId: 'a', line: 1, values: ['a1', null, 'Ärger'] },
];

const pageOf = (rows: RowsPage['rows'], total = ROWS.length): RowsPage => ({
  columns: COLUMNS,
  rows,
  total,
});

describe('by place', () => {
  test('all of them, in the order of landing, a missing column as NULL', async () => {
    expect(await admin.streams.rows(mixed)).toEqual(pageOf(ROWS));
  });

  test('newest first is the same turned round', async () => {
    expect(await admin.streams.rows({ ...mixed, order: 'newest' })).toEqual(
      pageOf([...ROWS].reverse()),
    );
  });

  test('every offset and length, both ways, is that piece', async () => {
    for (let offset = 0; offset <= ROWS.length + 1; offset += 1) {
      for (let limit = 1; limit <= ROWS.length + 1; limit += 1) {
        const place = { ...mixed, offset, limit };
        expect(await admin.streams.rows(place)).toEqual(pageOf(ROWS.slice(offset, offset + limit)));
        expect(await admin.streams.rows({ ...place, order: 'newest' })).toEqual(
          pageOf([...ROWS].reverse().slice(offset, offset + limit)),
        );
      }
    }
  });

  test.each([0, 1, 2, 3, 5, 6, 99])('`before` %i leaves out what is later', async (before) => {
    const rows = ROWS.slice(0, before);
    expect(await admin.streams.rows({ ...mixed, before })).toEqual(pageOf(rows, rows.length));
    expect(await admin.streams.rows({ ...mixed, before, order: 'newest', limit: 2 })).toEqual(
      pageOf([...rows].reverse().slice(0, 2), rows.length),
    );
  });

  test('of 300 batches of one row', async () => {
    const all = Array.from({ length: MANY }, (_, at) => ({
      row: at,
      batchId: `b-${String(MANY - at).padStart(4, '0')}`,
      line: 1,
      values: [String(at)],
    }));
    const page = (rows: RowsPage['rows']) => ({ columns: ['n'], rows, total: MANY });
    expect(await admin.streams.rows({ ...many, limit: 1_000 })).toEqual(page(all));
    expect(await admin.streams.rows({ ...many, offset: 137, limit: 100 })).toEqual(
      page(all.slice(137, 237)),
    );
    expect(await admin.streams.rows({ ...many, order: 'newest', offset: 250 })).toEqual(
      page(all.slice(0, 50).reverse()),
    );
    expect(await admin.streams.rows({ ...many, offset: MANY })).toEqual(page([]));
    expect(await admin.streams.rows({ ...many, offset: 10_000, order: 'newest' })).toEqual(
      page([]),
    );
  });

  test('of a stream that nothing has landed in', async () => {
    await admin.streams.create({ ...lab, stream: 'empty', columns: ['a'] });
    const empty = { ...lab, stream: 'empty' };
    const { columns } = await admin.streams.rows(empty);
    const none = { columns, rows: [], total: 0 };
    expect(await admin.streams.rows(empty)).toEqual(none);
    expect(await admin.streams.rows({ ...empty, find: 'x' })).toEqual(none);
    expect(await admin.streams.rows({ ...empty, order: 'newest', offset: 3 })).toEqual(none);
  });
});

describe('that match', () => {
  type Request = Omit<Parameters<AdminClient['streams']['rows']>[0], 'stream' | 'knowledgebase'>;
  type Filter = NonNullable<Request['filters']>[number];
  const nameOf = ({ batchId, line }: { batchId: string; line: number }) => `${batchId}${line}`;
  /** Asks both ways, and in every piece, and compares with those of all rows that are named. */
  const expectFound = async (request: Request, names: string[]): Promise<void> => {
    const found = ROWS.filter((row) => names.includes(nameOf(row)));
    expect(found.length).toBe(names.length);
    const turned = [...found].reverse();
    const page = (rows: typeof found) => pageOf(rows, found.length);
    expect(await admin.streams.rows({ ...mixed, ...request })).toEqual(page(found));
    expect(await admin.streams.rows({ ...mixed, ...request, order: 'newest' })).toEqual(
      page(turned),
    );
    for (let offset = 0; offset <= found.length; offset += 1) {
      const piece = { ...mixed, ...request, offset, limit: 2 };
      expect(await admin.streams.rows(piece)).toEqual(page(found.slice(offset, offset + 2)));
      expect(await admin.streams.rows({ ...piece, order: 'newest' })).toEqual(
        page(turned.slice(offset, offset + 2)),
      );
    }
  };

  test.each<[string, Filter, string[]]>([
    ['equal', { column: 'a', is: 'equal', value: 'z1' }, ['z1']],
    ['equal to nothing', { column: 'a', is: 'equal', value: '' }, ['m3']],
    ['equal with a quote', { column: 'a', is: 'equal', value: "it's" }, ['m4']],
    ['equal, the name in other case', { column: 'A', is: 'equal', value: 'z2' }, ['z2']],
    ['equal is with case', { column: 'a', is: 'equal', value: 'Z1' }, []],
    [
      'not equal, NULL with it',
      { column: 'file_row_number', is: 'not-equal', value: '7' },
      ['z2', 'm1', 'm3', 'm4', 'a1'],
    ],
    ['contains, without case', { column: 'b "q"', is: 'contains', value: 'äRG' }, ['a1']],
    ['contains no pattern', { column: 'a', is: 'contains', value: '%_' }, ['m1']],
    ['NULL', { column: 'file_row_number', is: 'null' }, ['z2', 'm1', 'm3', 'm4', 'a1']],
    ['not NULL', { column: 'file_row_number', is: 'not-null' }, ['z1']],
    ['SQL as a value', { column: 'a', is: 'equal', value: "' OR true --" }, []],
    ['a NUL as a value', { column: 'a', is: 'equal', value: 'z\0' }, []],
  ])('%s', async (_, filter, found) => {
    await expectFound({ filters: [filter] }, found);
  });

  test('two filters, and text in any column', async () => {
    const filters: Filter[] = [
      { column: 'a', is: 'contains', value: '1' },
      { column: 'file_row_number', is: 'null' },
    ];
    await expectFound({ filters }, ['m1', 'a1']);
    await expectFound({ find: 'ärger' }, ['a1']);
    await expectFound({ find: '1' }, ['z1', 'm1', 'a1']);
    await expectFound({ filters, find: 'M' }, ['m1']);
    await expectFound({ find: 'nowhere' }, []);
  });

  test('but none that landed after `before`, also where that is inside a batch', async () => {
    for (let before = 0; before <= ROWS.length; before += 1) {
      const earlier = ROWS.slice(0, before);
      const ones = earlier.filter(({ values }) => values[0]?.includes('1'));
      await expectFound({ find: '1', before }, ones.map(nameOf));
      const nulls = earlier.filter(({ values }) => values[1] === null);
      const filters: Filter[] = [{ column: 'file_row_number', is: 'null' }];
      await expectFound({ filters, before }, nulls.map(nameOf));
    }
  });

  test('columns with the names that a search may use itself', async () => {
    const names = ['id', 'line', 'rank', 'place', 'c0', 'matches', 'q', '_Line', 'filename'];
    const record = JSON.stringify(Object.fromEntries(names.map((name) => [name, name])));
    await land('named', 'one', `{"other":"x"}\n\n${record}\n`);
    const stream = { ...lab, stream: 'named' };
    for (const name of names) {
      const landed = ['_line', 'filename'].includes(name.toLowerCase()) ? `${name}_` : name;
      const filters: Filter[] = [{ column: landed, is: 'equal', value: name }];
      expect(await admin.streams.rows({ ...stream, filters })).toMatchObject({
        rows: [{ row: 1, batchId: 'one', line: 3, values: [null, ...names] }],
        total: 1,
      });
    }
  });

  test('many batches: each row has its number in the whole stream, wherever the page is', async () => {
    const matching = Array.from({ length: MANY }, (_, at) => at).filter((at) =>
      `${at}`.includes('7'),
    );
    const rowOf = (at: number) => ({
      ...{ row: at, batchId: `b-${String(MANY - at).padStart(4, '0')}`, line: 1 },
      values: [String(at)],
    });
    const filters: Filter[] = [{ column: 'n', is: 'contains', value: '7' }];
    const page = (rows: number[]) => ({
      ...{ columns: ['n'], rows: rows.map(rowOf), total: matching.length },
    });
    expect(await admin.streams.rows({ ...many, filters, limit: 1_000 })).toEqual(page(matching));
    expect(
      await admin.streams.rows({ ...many, filters, offset: 20, limit: 13, order: 'newest' }),
    ).toEqual(page([...matching].reverse().slice(20, 33)));
    expect(await admin.streams.rows({ ...many, filters, offset: 500 })).toEqual(page([]));
  });

  test('a column that is not there is said', async () => {
    expect(
      await failureOf(admin.streams.rows({ ...mixed, filters: [{ column: 'c', is: 'null' }] })),
    ).toMatchObject({
      code: 'invalid_argument',
      status: 400,
      message: 'The stream has no column "c".',
    });
  });
});

test('places are the same after a repair', async () => {
  await admin.knowledgebases.repair(lab);
  expect(await admin.streams.rows(mixed)).toEqual(pageOf(ROWS));
  const found = await admin.streams.rows({ ...mixed, find: '1' });
  expect(found).toEqual(pageOf([ROWS[0], ROWS[2], ROWS[5]] as RowsPage['rows'], 3));
  const { rows } = await admin.streams.rows({ ...many, limit: 1_000 });
  expect(rows.map(({ values }) => values[0])).toEqual(
    Array.from({ length: MANY }, (_, at) => `${at}`),
  );
});
