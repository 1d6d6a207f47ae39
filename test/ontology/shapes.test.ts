// Owns the proof that seven data sets of different shape give the object types that a person expects of them. What is
// expected was written down before each was run.

import { describe, expect, it } from 'vitest';
import type { Profile } from '../../core/model.ts';
import { synthesise } from '../../core/ontology/synthesise.ts';
import { type Random, randomOf } from '../helpers/crash-batches.ts';
import { profileOf, type Sent } from '../helpers/measured.ts';
import { PAY } from '../helpers/promotion.ts';

/** A synthesis without its sentences: the fact with its key and columns, then each dimension by key. */
const shapeOf = (profile: Profile) => {
  const { fact, dimensions } = synthesise(profile);
  return {
    fact: [fact.name, fact.key, fact.columns],
    dimensions: dimensions.map(({ name, key, columns }) => [name, key, columns]),
  };
};

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const pick = <T>(random: Random, from: readonly T[]): T => from[random.below(from.length)] as T;

it('the worked example', async () => {
  const rows = PAY.trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sent);
  expect(shapeOf(await profileOf('pay', rows))).toEqual({
    fact: [
      'PayFact',
      ['pay_id'],
      [
        ...['pay_id', 'effective_date', 'employee_id', 'department', 'location', 'pay_grade'],
        ...['employment_type', 'annual_salary', 'bonus', 'currency'],
      ],
    ],
    dimensions: [
      ['Employee', 'employee_id', ['employee_name', 'hire_date']],
      ['Department', 'department', ['cost_center']],
      ['Location', 'location', ['country']],
      ['PayGrade', 'pay_grade', ['grade_min', 'grade_max']],
      ['EmploymentType', 'employment_type', ['weekly_hours']],
    ],
  });
});

describe('data sets of other shapes', () => {
  it('wide sensor rows: one dimension, many measures, a key of sensor and time', async () => {
    const random = randomOf(1);
    const channels = times(40, (at) => `channel_${at + 1}_celsius`);
    const rows = times(600, (at): Sent => {
      const sensor = at % 12;
      const minute = Math.floor(at / 12);
      return {
        ts: new Date(Date.UTC(2026, 5, 1, 0, minute)).toISOString(),
        sensor_id: `sensor-${String(sensor).padStart(3, '0')}`,
        firmware: `1.${sensor % 5}.0-rc`,
        site: ['north', 'south', 'east'][sensor % 3],
        ...Object.fromEntries(
          channels.map((name) => [name, `${random.below(40)}.${random.below(1000)}`]),
        ),
      };
    });
    const profile = await profileOf('basin-sensors', rows);
    expect(shapeOf(profile)).toEqual({
      fact: ['BasinSensorFact', ['ts', 'sensor_id'], ['ts', 'sensor_id', ...channels]],
      dimensions: [['Sensor', 'sensor_id', ['firmware', 'site']]],
    });
    expect(profile.columns.find(({ column }) => column === channels[0])).toMatchObject({
      ...{ kind: 'measure', unit: 'celsius', readAs: { type: 'DECIMAL(18,3)', fails: 0 } },
    });
    expect(profile.columns[0]?.readAs).toMatchObject({ type: 'TIMESTAMPTZ', fails: 0 });
  });

  it('order lines: customers, products and orders, a key of order and line', async () => {
    const random = randomOf(2);
    const products = times(30, (at) => ({
      code: `SKU-${at + 100}`,
      title: `Product ${at}`,
      price: `${at + 5}.9${at % 10}`,
    }));
    const customers = times(25, (at) => ({
      id: at + 1,
      name: `Customer ${at}`,
      city: pick(random, ['Bonn', 'Lyon', 'Porto', 'Ghent']),
    }));
    const country = new Map([
      ['Bonn', 'DE'],
      ['Lyon', 'FR'],
      ['Porto', 'PT'],
      ['Ghent', 'BE'],
    ]);
    const rows = times(90, (order) => ({
      order,
      customer: pick(random, customers),
      lines: 1 + random.below(5),
    })).flatMap(({ order, customer, lines }) =>
      times(lines, (line): Sent => {
        const product = pick(random, products);
        return {
          ...{
            order_id: 5000 + order,
            line_no: line + 1,
            order_date: `2026-0${1 + (order % 9)}-1${order % 10}`,
          },
          ...{
            customer_id: customer.id,
            customer_name: customer.name,
            city: customer.city,
            country: country.get(customer.city),
          },
          ...{
            product_code: product.code,
            product_title: product.title,
            unit_price: product.price,
          },
          ...{
            quantity: 1 + random.below(9),
            coupon: random.below(3) === 0 ? pick(random, ['SPRING', 'VIP']) : null,
          },
        };
      }),
    );
    expect(shapeOf(await profileOf('order_lines', rows))).toEqual({
      fact: [
        'OrderLineFact',
        ['order_id', 'line_no'],
        ['order_id', 'line_no', 'customer_id', 'city', 'product_code', 'quantity', 'coupon'],
      ],
      dimensions: [
        ['Order', 'order_id', ['order_date']],
        ['Customer', 'customer_id', ['customer_name']],
        ['City', 'city', ['country']],
        ['Product', 'product_code', ['product_title', 'unit_price']],
      ],
    });
  });

  it('event logs: sessions and users, no key, JSON stays a document', async () => {
    const random = randomOf(3);
    const users = times(15, (at) => ({
      id: `u${at}`,
      plan: pick(random, ['free', 'team', 'pro']),
    }));
    const rows = times(40, (session) => ({
      session,
      user: pick(random, users),
      agent: pick(random, ['Firefox', 'Safari', 'curl']),
    })).flatMap(({ session, user, agent }) =>
      times(4 + random.below(12), (): Sent => {
        const event = pick(random, ['open', 'click', 'close', 'error']);
        return {
          at: `2026-03-0${1 + random.below(9)}T10:${10 + random.below(20)}:0${random.below(3)}Z`,
          ...{
            event,
            session_id: `s-${session}`,
            user_agent: agent,
            user_id: user.id,
            user_plan: user.plan,
          },
          payload: JSON.stringify({ x: random.below(50), y: random.below(50) }),
        };
      }),
    );
    const profile = await profileOf('events', rows);
    expect(shapeOf(profile)).toEqual({
      fact: ['EventFact', [], ['at', 'event', 'session_id', 'user_id', 'payload']],
      dimensions: [
        ['Session', 'session_id', ['user_agent']],
        ['User', 'user_id', ['user_plan']],
      ],
    });
    expect(profile.columns.find(({ column }) => column === 'payload')).toMatchObject({
      ...{ kind: 'document', readAs: { type: 'JSON', fails: 0 } },
    });
  });

  it('many to many: students and courses, a key of both', async () => {
    const random = randomOf(4);
    const rows = times(30, (student) => ({
      student,
      courses: new Set(times(6, () => random.below(12))),
    })).flatMap(({ student, courses }) =>
      [...courses].map(
        (course): Sent => ({
          ...{ student_id: `S${student}`, student_name: `Student ${student}` },
          ...{
            course_id: `C${course}`,
            course_title: `Course ${course}`,
            credits: 5 + (course % 3) * 5,
          },
          mark: 40 + random.below(61),
        }),
      ),
    );
    expect(shapeOf(await profileOf('enrolments', rows))).toEqual({
      fact: ['EnrolmentFact', ['student_id', 'course_id'], ['student_id', 'course_id', 'mark']],
      dimensions: [
        ['Student', 'student_id', ['student_name']],
        ['Course', 'course_id', ['course_title', 'credits']],
      ],
    });
  });

  it('one table with no dimensions: one type, near-unique measures fix nothing', async () => {
    const rows = times(
      80,
      (at): Sent => ({
        ...{
          code: `K${at}`,
          name: `Country ${at}`,
          population: 1_000_003 + at * 977,
          area_km: `${(at * 7919) % 9973}.5`,
        },
      }),
    );
    expect(shapeOf(await profileOf('countries', rows))).toEqual({
      fact: ['Country', ['code'], ['code', 'name', 'population', 'area_km']],
      dimensions: [],
    });
  });

  it('nulls in keys: rows without one are in no dimension, and do not hide it', async () => {
    const random = randomOf(5);
    const managers = times(9, (at) => ({ id: `M${at}`, name: `Manager ${at}` }));
    const rows = times(200, (at): Sent => {
      const manager = at % 4 === 0 ? undefined : pick(random, managers);
      return {
        ...{
          ticket_id: `T${at}`,
          manager_id: manager?.id ?? null,
          manager_name: manager?.name ?? null,
        },
        ...{
          queue: at % 10 === 0 ? '' : pick(random, ['red', 'green']),
          minutes: random.below(500),
        },
      };
    });
    const profile = await profileOf('tickets', rows);
    expect(shapeOf(profile)).toEqual({
      fact: ['TicketFact', ['ticket_id'], ['ticket_id', 'manager_id', 'queue', 'minutes']],
      dimensions: [['Manager', 'manager_id', ['manager_name']]],
    });
    expect(synthesise(profile).dimensions[0]?.why).toContain(
      '50 rows without manager_id are in no manager_id.',
    );
  });

  it('small data: what holds by accident becomes no type, and is said', async () => {
    const rows: Sent[] = [
      { id: 1, colour: 'red', size: 'L', shape: 'round' },
      { id: 2, colour: 'red', size: 'L', shape: 'round' },
      { id: 3, colour: 'blue', size: 'M', shape: 'flat' },
      { id: 4, colour: 'green', size: 'M', shape: 'flat' },
      { id: 5, colour: 'blue', size: 'M', shape: 'flat' },
      { id: 6, colour: 'green', size: 'M', shape: 'flat' },
    ];
    const profile = await profileOf('samples', rows);
    expect(shapeOf(profile)).toEqual({
      fact: ['Sample', ['id'], ['id', 'colour', 'size', 'shape']],
      dimensions: [],
    });
    expect(synthesise(profile).seen).toContainEqual({
      what: 'colour → size',
      why: 'holds for all 3 values, but 6 rows may show it by accident',
    });
  });
});

it('a dependency with one exception in 150,000 rows is refuted, one without is found, both exactly', async () => {
  const rows = times(
    150_000,
    (at): Sent => ({
      ...{ row_id: `R${at}`, customer_id: `C${at % 3000}`, customer_name: `Name ${at % 3000}` },
      tier: at === 149_999 ? 'gold' : `tier ${(at % 3000) % 7}`,
    }),
  );
  const { keys, dependencies } = await profileOf('sales', rows);
  expect(keys).toEqual([{ columns: ['row_id'] }]);
  const of = (to: string) =>
    dependencies.find((one) => one.from === 'customer_id' && one.to === to);
  expect(of('customer_name')).toMatchObject({ groups: 3000, exceptions: 0, exact: true });
  expect(of('tier')).toEqual({
    from: 'customer_id',
    to: 'tier',
    groups: 3000,
    exceptions: 1,
    exact: true,
    chance: 0,
  });
});

it('a time that is different in every row is in a key only where nothing else is', async () => {
  const at = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();
  const lines = times(
    60,
    (n): Sent => ({ order_id: n >> 1, line_no: n % 2, at: at(n), note: 'n' }),
  );
  expect((await profileOf('lines', lines)).keys).toEqual([{ columns: ['order_id', 'line_no'] }]);
  const readings = times(60, (n): Sent => ({ at: at(n), sensor_id: n % 3, place: `p${n % 2}` }));
  expect((await profileOf('readings', readings)).keys).toEqual([{ columns: ['at', 'sensor_id'] }]);
});
