// A dimension that one stream tells of in two of its columns: where a flight begins and where it ends are both airports.
// The rows of its view are those of both columns, each row of the stream counted once a key; the fact refers to it twice.

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenKnowledgebase } from '../../core/engine/open.ts';
import { verify } from '../../core/engine/verify.ts';
import type { Model, ObjectType, PlanEdit } from '../../core/model.ts';
import { counterpartOf } from '../../core/ontology/readings.ts';
import { editPlan, showEffect, showPlan } from '../../core/ontology/review.ts';
import { showModel } from '../../core/ontology/show.ts';
import { openTestCore, type TestCore } from '../helpers/core.ts';
import type { Sent } from '../helpers/measured.ts';
import {
  applyPlan,
  landRecords,
  promoteAndApply,
  promoteToPlan,
  rowsOf,
} from '../helpers/promotion.ts';
import { removeTempFolders } from '../helpers/server.ts';

let core: TestCore;
let kb: OpenKnowledgebase;
beforeEach(() => {
  core = openTestCore();
  kb = core.createKnowledgebase('k');
});
afterEach(async () => {
  await core.close();
  expect(core.logged).toEqual([]);
});
afterAll(removeTempFolders);

/** Numbers that look like chance and are the same each time. */
const chance = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

interface Flight {
  readonly flight: string;
  readonly from: number | null;
  readonly to: number | null;
}

const AIRPORTS = 40;
/** Airport 3 is called otherwise where a flight ends. */
const nameOf = (airport: number, role: 'from' | 'to'): string =>
  `Airport ${airport}${airport === 3 && role === 'to' ? ' North' : ''}`;
const flightsOf = (): Flight[] => {
  const next = chance(7);
  const any = (from: number): number => from + Math.floor(next() * (AIRPORTS - from));
  const flights = Array.from({ length: 400 }, (_, at): Flight => {
    // Some airports stand in one of the two columns alone.
    return { flight: `F${at}`, from: Math.min(any(0), 34), to: any(2) };
  });
  return [
    ...flights,
    { flight: 'there and back', from: 3, to: 3 },
    { flight: 'ends nowhere', from: 4, to: null },
    { flight: 'nowhere at all', from: null, to: null },
  ];
};
const FLIGHTS = flightsOf();
const sentOf = ({ flight, from, to }: Flight): Sent => ({
  flight,
  from_airport: from === null ? null : `A${from}`,
  from_name: from === null ? null : nameOf(from, 'from'),
  to_airport: to === null ? null : `A${to}`,
  to_name: to === null ? null : nameOf(to, 'to'),
});

/** What the view of both columns has to say: key, name of the row that landed last, rows, whether rows disagree. */
const expected = (last: 'from' | 'to'): string[][] => {
  const found = new Map<string, { name: string; rows: number; names: Set<string> }>();
  for (const { from, to } of FLIGHTS) {
    const roles = last === 'to' ? (['from', 'to'] as const) : (['to', 'from'] as const);
    const seen = new Set<number>();
    for (const role of roles) {
      const airport = role === 'from' ? from : to;
      if (airport === null) continue;
      const key = `A${airport}`;
      const name = nameOf(airport, role);
      const of = found.get(key) ?? { name, rows: 0, names: new Set() };
      of.names.add(name);
      found.set(key, { ...of, name, rows: of.rows + (seen.has(airport) ? 0 : 1) });
      seen.add(airport);
    }
  }
  return [...found]
    .map(([key, { name, rows, names }]) => [key, name, String(rows), names.size > 1 ? '1' : '0'])
    .sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
};

const typeOf = ({ types }: Model, name: string): ObjectType => {
  const found = types.find((type) => type.name === name);
  if (!found) throw new Error(`No ${name} in ${types.map((type) => type.name).join(', ')}.`);
  return found;
};
const outline = (model: Model) =>
  model.types.map(({ name, kind, key, attributes, links }) => [
    ...[name, kind, key.join('+'), attributes.map((one) => one.name).join(',')],
    links.map(({ to, on }) => `${on.map(({ from }) => from).join('+')}>${to}`).join(','),
  ]);
const sourcesOf = (type: ObjectType) =>
  type.attributes.map(({ name, sources }) => [
    name,
    ...sources.map(({ column, reading }) => (reading ? `${column} (${reading})` : column)),
  ]);

const MERGE: PlanEdit = { kind: 'merge', type: 'from-airport', into: 'to-airport' };

/** Flights in three batches, promoted to an open plan, with edits. */
const planned = async (...edits: PlanEdit[]) => {
  const sent = FLIGHTS.map(sentOf);
  await landRecords(core, 'flights', sent.slice(0, 150), 'z');
  await landRecords(core, 'flights', sent.slice(150, 300), 'a');
  await landRecords(core, 'flights', sent.slice(300), 'm');
  let plan = await promoteToPlan(kb, 'flights');
  for (const edit of edits) plan = await editPlan(kb.ontology, plan.promotion.id, edit);
  return plan;
};

const AIRPORT = `SELECT to_airport, to_name, _rows, _conflicts FROM ontology."ToAirport" ORDER BY 1`;

describe('two types of one stream, merged by a person', () => {
  it('are one: its rows are those of both columns, and the fact refers to it twice', async () => {
    const plan = await planned(MERGE);
    expect(outline(plan.model)).toEqual([
      [
        ...['FlightFact', 'fact', 'flight', 'flight,from_airport,to_airport'],
        'from_airport>to-airport,to_airport>to-airport',
      ],
      ['ToAirport', 'dimension', 'to_airport', 'to_airport,to_name', ''],
    ]);
    const type = typeOf(plan.model, 'ToAirport');
    expect([type.streams, sourcesOf(type)]).toEqual([
      ['flights'],
      [
        ['to_airport', 'to_airport', 'from_airport (1)'],
        ['to_name', 'to_name', 'from_name (1)'],
      ],
    ]);
    const effect = await showEffect(kb.ontology, plan.promotion.id, 'to-airport');
    expect([effect.rows, effect.withoutKey, effect.conflicts]).toEqual([
      ...[AIRPORTS, 1],
      [{ attribute: 'to_name', keys: 1, examples: ['A3'] }],
    ]);
    await applyPlan(kb, await showPlan(kb.ontology, plan.promotion.id));
    // Of one row the reading that came by the merge counts as the later.
    expect(await rowsOf(kb, AIRPORT)).toEqual(expected('from'));
    expect(
      await rowsOf(
        kb,
        `SELECT count(*), count(b.to_name), count(e.to_name) FROM ontology."FlightFact" f
         LEFT JOIN ontology."ToAirport" b ON f.from_airport = b.to_airport
         LEFT JOIN ontology."ToAirport" e ON f.to_airport = e.to_airport`,
      ),
    ).toEqual([['403', '402', '401']]);
    const [[batches] = []] = await rowsOf(
      kb,
      `SELECT _batch_ids FROM ontology."ToAirport" WHERE to_airport = 'A3'`,
    );
    expect(batches).toContain('a, m, z');
    // What lands later is in it at once, from both columns.
    await landRecords(core, 'flights', [sentOf({ flight: 'new', from: 77, to: 78 })], 'later');
    expect(
      await rowsOf(
        kb,
        `SELECT to_airport FROM ontology."ToAirport" WHERE to_name LIKE '%7_' ORDER BY 1`,
      ),
    ).toEqual([['A77'], ['A78']]);
    expect((await verify(kb)).holds).toBe(true);
  });

  it('stays so when the stream is promoted again, and says nothing new', async () => {
    const plan = await planned(MERGE);
    await applyPlan(kb, plan);
    await landRecords(core, 'flights', [sentOf({ flight: 'new', from: 1, to: 2 })], 'later');
    const { model } = await showModel(kb.ontology);
    const again = await promoteAndApply(kb, 'flights').catch(({ message }) => message);
    expect(again).toBe(
      'The promotion is unchanged: Nothing has changed since v1: 404 rows in 4 batches were looked at.',
    );
    expect((await showModel(kb.ontology)).model).toEqual(model);
  });

  it('values of either column that do not cast are told by the column', async () => {
    const sent = FLIGHTS.map(
      (flight, at): Sent => ({
        ...sentOf(flight),
        from_height: flight.from === null ? null : String(flight.from * 10),
        to_height: flight.to === null ? null : at === 5 ? 'high' : String(flight.to * 10),
      }),
    );
    await landRecords(core, 'flights', sent, 'one');
    const { promotion } = await promoteToPlan(kb, 'flights');
    const plan = await editPlan(kb.ontology, promotion.id, MERGE);
    const heights = plan.columns.filter(({ column }) => column.endsWith('_height'));
    expect(heights.map(({ column, type }) => [column, type])).toEqual([
      ['from_height', 'to-airport'],
      // It is not fixed by the key, because of one value.
      ['to_height', 'flight-fact'],
    ]);
    const retyped = await editPlan(kb.ontology, promotion.id, {
      ...{ kind: 'retype', type: 'to-airport', attribute: 'to_name', to: 'BIGINT' },
    });
    const names = retyped.columns.filter(({ column }) => column.endsWith('_name'));
    expect(names.map(({ column, casts, fails }) => [column, casts, fails])).toEqual([
      ['from_name', 0, 402],
      ['to_name', 0, 401],
    ]);
    const { fails, failing } = await showEffect(kb.ontology, promotion.id, 'to-airport');
    expect([fails, failing.length]).toEqual([402 + 401, 20]);
  });

  it('come apart when the type is dropped: the fact has each column again', async () => {
    const plan = await planned(MERGE, { kind: 'drop', type: 'to-airport' });
    const fact = typeOf(plan.model, 'FlightFact');
    expect([fact.links, sourcesOf(fact)]).toEqual([
      [],
      [
        ['flight', 'flight'],
        ['from_airport', 'from_airport'],
        ['to_airport', 'to_airport'],
        ['to_name', 'to_name'],
        ['from_name', 'from_name'],
      ],
    ]);
    expect(plan.model.leftOut).toEqual([]);
  });

  it('a part that is split off is read twice too; the same part twice is one when it is merged', async () => {
    const split: PlanEdit = {
      ...{ kind: 'split', type: 'to-airport', key: ['to_name'], attributes: [], name: 'Label' },
    };
    const again: PlanEdit = { ...split, name: 'Again' };
    const merge: PlanEdit = { kind: 'merge', type: 'again', into: 'label' };
    const plan = await planned(MERGE, split, again, merge);
    expect(outline(plan.model).slice(1)).toEqual([
      ['ToAirport', 'dimension', 'to_airport', 'to_airport,to_name', 'to_name>label'],
      ['Label', 'dimension', 'to_name', 'to_name', ''],
    ]);
    expect(sourcesOf(typeOf(plan.model, 'Label'))).toEqual([
      ['to_name', 'to_name', 'from_name (1)'],
    ]);
    await applyPlan(kb, plan);
    const labels = new Set(expected('from').map(([, name]) => name));
    const [[count] = []] = await rowsOf(kb, 'SELECT count(*) FROM ontology."Label"');
    // Airport 3 has two.
    expect(Number(count)).toBe(labels.size + 1);
  });

  it('keeps its key, and a dimension is not merged with the fact of its own stream', async () => {
    const { promotion } = await planned(MERGE);
    const refusal = (edit: PlanEdit): Promise<string> =>
      editPlan(kb.ontology, promotion.id, edit).then(
        () => 'It was possible.',
        ({ message }) => message,
      );
    expect(await refusal({ kind: 'key', type: 'to-airport', key: ['to_name'] })).toBe(
      'ToAirport is read from the rows of flights more than once, and what refers to it has its key of each time.',
    );
    expect(await refusal({ kind: 'merge', type: 'to-airport', into: 'flight-fact' })).toBe(
      'flight would have two columns of the stream flights.',
    );
  });
});

describe('a type that is there, and two columns of a stream that match it', () => {
  it('is proposed as one with both', async () => {
    const airports = Array.from({ length: AIRPORTS }, (_, at): Sent => {
      return { airport: `A${at}`, name: nameOf(at, 'from'), country: `C${at % 5}` };
    });
    await landRecords(core, 'airports', airports, 'all');
    await promoteAndApply(kb, 'airports');
    const plan = await planned();
    expect(plan.items.find(({ type }) => type === 'airport')?.title).toBe(
      'Airport takes more sources for airport and name, becomes a dimension',
    );
    expect(outline(plan.model)).toEqual([
      ['Airport', 'dimension', 'airport', 'airport,name,country', ''],
      [
        ...['FlightFact', 'fact', 'flight', 'flight,from_airport,to_airport'],
        'from_airport>airport,to_airport>airport',
      ],
    ]);
    const type = typeOf(plan.model, 'Airport');
    expect([type.streams, sourcesOf(type)]).toEqual([
      ['airports', 'flights'],
      [
        ['airport', 'airport', 'from_airport', 'to_airport (1)'],
        ['name', 'name', 'from_name', 'to_name (1)'],
        ['country', 'country'],
      ],
    ]);
    await applyPlan(kb, plan);
    const rows = await rowsOf(
      kb,
      'SELECT airport, name, _rows - 1, _conflicts FROM ontology."Airport" ORDER BY 1',
    );
    const all = expected('to');
    const seen = new Set(all.map(([key]) => key));
    // Those that no flight has are known from their own stream.
    const others = airports
      .filter(({ airport }) => !seen.has(airport as string))
      .map(({ airport, name }) => [airport, name, '0', '0']);
    expect(rows).toEqual(
      [...all, ...others].sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1)),
    );
    expect((await verify(kb)).holds).toBe(true);
  });
});

describe('what stands to one key as a name stands to another', () => {
  const attributes = ['to_city', 'toName', 'TO COUNTRY', 'country_from', 'city_code'].map(
    (name) => ({
      ...{ name, type: 'VARCHAR', role: 'attribute', unit: null, sources: [], evidence: null },
    }),
  ) as ObjectType['attributes'];
  it.each([
    ['from_name', 'from_city', 'to_city', 'toName'],
    ['from_country', 'from_city', 'to_city', 'TO COUNTRY'],
    ['country', 'city', 'to_city', 'TO COUNTRY'],
    ['country_to', 'city_to', 'city_from', 'country_from'],
    ['from_zip', 'from_city', 'to_city', undefined],
    ['name', 'from_city', 'to_city', undefined],
    ['name', 'payer', 'to_city', undefined],
  ])('%s by %s is to %s %s', (name, key, otherKey, found) => {
    expect(counterpartOf(name, key, otherKey, attributes)?.name).toBe(found);
  });
});
