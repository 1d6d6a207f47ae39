// Holds Format to its promise: only white space and the case of keywords change. DuckDB's own parser is the judge.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { literal, type OpenDuckdb, openDuckdb, readRows } from '../../core/lake/duckdb.ts';
import { formatSql } from '../../renderer/screens/query/format-sql.ts';

const lines = (...text: string[]): string => text.join('\n');

describe('Format', () => {
  it('puts keywords in capitals and each clause on a line', () => {
    expect(
      formatSql(
        `select date_trunc('hour', try_cast(ts as timestamptz)) as hour, site,avg(x)  as mean from raw_extracted."stream_basin-sensors" s left join sites using (site) where try_cast(ts as timestamptz) >= now() - interval 48 hour and site in ('a','b') or x between 1 and 2 and not y group by all having count(*)>1 order by hour desc nulls last, site limit 10;`,
      ),
    ).toBe(
      lines(
        "SELECT date_trunc('hour', TRY_CAST(ts AS timestamptz)) AS hour,",
        '       site,',
        '       avg(x) AS mean',
        'FROM raw_extracted."stream_basin-sensors" s',
        'LEFT JOIN sites USING (site)',
        'WHERE TRY_CAST(ts AS timestamptz) >= now() - INTERVAL 48 hour',
        "  AND site IN ('a', 'b')",
        '  OR x BETWEEN 1 AND 2',
        '  AND NOT y',
        'GROUP BY ALL',
        'HAVING count(*)>1',
        'ORDER BY hour DESC NULLS LAST, site',
        'LIMIT 10;',
      ),
    );
  });

  it('steps in for a query within a query', () => {
    expect(
      formatSql(
        'with a as (select 1 as n union all select 2), b as (select n from a where exists (select 1)) select (select max(n) from b) m, case when n > 1 and n < 3 then 1 else 2 end from a cross join b',
      ),
    ).toBe(
      lines(
        'WITH a AS (',
        '  SELECT 1 AS n',
        '  UNION ALL',
        '  SELECT 2',
        '),',
        'b AS (',
        '  SELECT n',
        '  FROM a',
        '  WHERE EXISTS (',
        '    SELECT 1',
        '  )',
        ')',
        'SELECT (',
        '         SELECT max(n)',
        '         FROM b',
        '       ) m,',
        '       CASE WHEN n > 1 AND n < 3 THEN 1 ELSE 2 END',
        'FROM a',
        'CROSS JOIN b',
      ),
    );
  });

  it('keeps comments where they are', () => {
    expect(
      formatSql(
        lines(
          '-- Mean by site, from where it is',
          'select a, -- the first',
          '  b /* and /* nested */ from here */ from t',
          '-- only these',
          'where a = 1 --the end',
        ),
      ),
    ).toBe(
      lines(
        '-- Mean by site, from where it is',
        'SELECT a, -- the first',
        '       b /* and /* nested */ from here */',
        'FROM t',
        '  -- only these',
        'WHERE a = 1 --the end',
      ),
    );
  });

  it('gives back what it cannot read', () => {
    for (const broken of [
      "select 'open",
      'select "open',
      'select /* open',
      'select $$open',
      'select $tag$ open $$',
      "select e'open\\'",
      '',
      '   \n',
    ]) {
      expect(formatSql(broken)).toBe(broken);
    }
  });

  it('leaves words that may be names as they are written', () => {
    for (const same of [
      'SELECT t.select, t.from',
      'SELECT 1 AS select, 2 AS left',
      "SELECT {'a': 1, left: 2}, struct_pack(left := 1, right := 2)",
      "SELECT left('abc', 2), replace('a', 'b', 'c'), first(x), range(3), filter",
      'SELECT "select", "from"',
      'SELECT values, between, row, over, interval, exclude, rows',
    ]) {
      expect(formatSql(same).replaceAll(/\n {7}/g, ' ')).toBe(same);
    }
  });
});

/** SQL that a formatter may trip over; each is one that DuckDB reads. */
const AWKWARD = [
  "select 'it''s -- no comment', 'select from where', '/* none */' from t",
  "select e'a\\'b -- from', 'c\\' from t",
  "select 'one'\n  'two' as s",
  "select 'one' -- between\n  'two' as s",
  'select $$it\'s "from" -- here$$, $q$ select $$ from $q$ from t',
  'select "a ""from"" -- b", "x" from "se lect"."from"',
  'select 1 as "Select", 2 as select, 3 as Left, 4 as first from t',
  'select a - -1, a --1\n, a- -b from t',
  'select a/*x*/-/*y*/-1 from t',
  'select 1e5, 1e-5, .5, 5., 0x1F, 1_000 from t',
  'select a from t where b is not distinct from c and d is distinct from e',
  'select extract(year from ts), substring(a from 2 for 3), trim(both from a), position(a in b) from t',
  'select count(*) filter (where a > 1 and b), sum(x) over (partition by a order by b rows between unbounded preceding and current row) from t',
  'select sum(x) over w from t window w as (partition by a order by b)',
  'select a from t where x between 1 and 2 and y not between 3 and 4 or z',
  'select case when a between 1 and 2 and b then (select 1 from u limit 1) else 2 end c from t',
  'select case a when 1 then case when b then 2 end end, d from t order by case when a then 1 else 2 end, b',
  'from t select a where b',
  'from t',
  'select * exclude (a) replace (b + 1 as b) from t',
  "select columns(c -> c like 'a%'), columns(* exclude (a)) from t",
  'select list_transform([1, 2, 3], x -> x + 1), [x for x in [1, 2] if x > 1], [1,2,3][1:2]',
  "select {'select': 1, 'from': {b: 2}}, map {'a': 1}, s.from, (s).select from t s",
  'select struct_pack(lead := 1, "select" := 2, left := 3)',
  'select a::varchar, a :: decimal(10, 2), cast(a as time with time zone) from t',
  "select date '2020-01-01', timestamp '2020-01-01', interval '1' day, interval 3 month, interval (a) day from t",
  "select a->'$.from', a->>'$.b', a @> b, ~a, a ** 2, a // 2, a ^@ b, !a from t",
  'select a from t natural join u left outer join v on t.a = v.a and t.b = v.b full join w using (a, b) cross join x',
  'select a from t asof left join u using (a, ts) semi join v using (a) anti join w using (a) positional join x',
  'select a from t, lateral (select b from u where u.a = t.a) v, unnest([1, 2]) w(x)',
  'select a from (select b from (select c from t)) union select 1 except all (select 2 intersect select 3) order by 1 limit 2 offset 3',
  'with recursive r(n) as (select 1 union all select n + 1 from r where n < 5), s as materialized (select 1) select * from r, s',
  'with a as (with b as (select 1 as x) select x from b) select x from a',
  "values (1, 'a'), (2, 'b')",
  'select a in (select b from t), a in (1, 2), a not in (values (1), (2)), exists(select 1), not exists (select 2), array(select 3)',
  'select a from t group by grouping sets ((a), (b), ()), cube (a, b), rollup (c)',
  'select distinct on (a, b) a, c from t order by a, b desc nulls first, c asc',
  'select a, row_number() over (order by b) as rn from t qualify rn = 1 and a > 1',
  'select a from t using sample 10%',
  'select a from t tablesample reservoir(20)',
  "select a from t where a like 'x%' escape '!' and b ilike 'y' and c similar to 'z' and d glob 'w*' and e not like ('v')",
  'select a is null, b is not null, c isnull, d notnull from t where not (a and (b or c))',
  'select first, last, date, time, value, type, name, key, filter, sample, rows, groups, other from t'.replace(
    'show, ',
    '',
  ),
  'select "select" from t where "where" = \'where\' and "group" in (select "group" from "order")',
  'select größe, naïve, 数量, "emoji 🦆", \'🦆 from\' from tabelle_ä where größe > 1',
  'select\ta\u00a0,\r\nb\r\nfrom\tt\r\n-- end\r\nwhere a',
  'select a,\n\n\n  b\n\n from t\n\n;\n',
  'unpivot t on a, b into name k value v',
  'describe select a from t',
  'summarize t',
  "select a from read_parquet('x.parquet', union_by_name = true, filename := true) where filename like '%from%'",
  'select ?, a from t limit ?',
  'select $1, $2, a from t limit $1',
  'select $from, $name, a from t limit $name',
  'select x: 42, y: a + 1 from t',
  "select printf('%s -- %d', a, b), regexp_matches(a, '^\\d+(from|where)$'), a similar to '--.*' from t",
  'select a from t where (a, b) in (select c, d from u) and a = any(select 1) and b <> all (select 2)',
  'select (a), ((b)), ( c ), f ( d ), f(), count( * ) from t',
  'select a from t order by all desc limit 50%',
  'select a from t at (version => 1)',
  'select interval from (select 1 as interval)'
    .replace(', between', '')
    .replace(', 2 as "between"', ''),
  "select list(a order by b desc), string_agg(a, ',' order by b), quantile_cont(a, 0.5) within group (order by a) from t".replace(
    ', quantile_cont(a, 0.5) within group (order by a)',
    '',
  ),
  'select mode() within group (order by a) from t',
  "select a from t where a = 'x' /* one */ /* two */ and b -- three\n-- four\n and c",
  '/* head */ select /* a */ a /* b */ , /* c */ b /* d */ from /* e */ t /* f */',
  'select a from t where a=1and b=2or c=3',
  'select 1;;',
  'select (select a from t), (select b from u) from v',
];

describe('what DuckDB reads', () => {
  let duckdb: OpenDuckdb;
  beforeAll(async () => {
    duckdb = await openDuckdb(':memory:');
  });
  afterAll(() => duckdb.close());

  /** How DuckDB reads it, but for where each piece stood. */
  const readingOf = async (sql: string): Promise<string> => {
    const [[text]] = (await readRows(
      duckdb.connection,
      `SELECT json_serialize_sql(${literal(sql)}::VARCHAR)`,
    )) as [[string]];
    expect(text.slice(0, 300)).toContain('"error":false');
    return text.replaceAll(/,?"query_location":\d+/g, '');
  };

  for (const sql of AWKWARD) {
    it(`is the same for ${JSON.stringify(sql).slice(0, 90)}`, async () => {
      const laid = formatSql(sql);
      const before = await readingOf(sql);
      expect(await readingOf(laid)).toBe(before);
      // Once laid out it stays.
      expect(formatSql(laid)).toBe(laid);
    });
  }
});
