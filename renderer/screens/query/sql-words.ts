// Owns what the editor knows of DuckDB's SQL: keywords, types, functions, and how a name is written.
// Never knows a stream.

/** Words that are coloured and offered; those that are common as column names are left out. */
export const KEYWORDS = [
  'all and anti any array as asc asof at between by case cast collate column columns cross cube current',
  'desc describe distinct else end escape except exclude exists explain analyze extract false fetch filter',
  'first following for from full glob group grouping having ignore ilike in inner intersect interval into is',
  'isnull join lambda last lateral left like limit materialized natural not notnull null nulls offset on or',
  'order ordinality outer over partition percent pivot positional preceding qualify range recursive repeatable',
  'replace respect right rollup row rows sample select semi sets show similar summarize table tablesample then',
  'ties to true try_cast unbounded union unnest unpivot using values when where window with within',
].join(' ');

/** Types; coloured only where a type is meant. */
export const TYPES = [
  'bigint bit blob bool boolean bytea char date datetime decimal double float float4 float8 hugeint int int1 int2',
  'int4 int8 integer json list long map numeric real short signed smallint string struct text time timestamp',
  'timestamptz timestamp_ms timestamp_ns timestamp_s timetz tinyint ubigint uhugeint uint8 uinteger union usmallint',
  'utinyint uuid varchar',
].join(' ');

/** Functions that are offered, with what they take. */
export const FUNCTIONS: readonly (readonly [name: string, takes: string])[] = [
  'abs x|age timestamp, timestamp|any_value x|approx_count_distinct x|approx_quantile x, 0.5|arg_max what, by',
  'arg_min what, by|array_agg x|avg x|bit_count x|bool_and x|bool_or x|cbrt x|ceil x|chr code|coalesce x, y',
  'concat x, y|concat_ws separator, x|contains text, part|corr y, x|cos x|count x|count_if condition',
  'covar_pop y, x|current_date |date_diff part, from, to|date_part part, timestamp|date_sub part, from, to',
  "date_trunc 'hour', timestamp|dense_rank |ends_with text, end|epoch timestamp|epoch_ms ms|exp x|first x",
  'first_value x|floor x|format pattern, x|generate_series from, to, step|greatest x, y|group_concat x, separator',
  'hash x|histogram x|hour timestamp|if condition, then, else|ifnull x, y|instr text, part|isfinite x|isnan x',
  'json_array_length json|json_extract json, path|json_extract_string json, path|json_keys json|json_type json',
  'json_valid text|lag x, 1|last x|last_value x|lcase text|lead x, 1|least x, y|left text, n|length text',
  'list x|list_contains list, x|list_transform list, x -> x|list_unique list|ln x|log10 x|lower text',
  'lpad text, n, fill|ltrim text|mad x|max x|md5 text|median x|min x|minute timestamp|mod x, y|mode x|month date',
  'now |ntile n|nullif x, y|parse_filename path|percent_rank |pi |pow x, y|quantile_cont x, 0.5',
  'quantile_disc x, 0.5|random |range from, to, step|rank |regexp_extract text, pattern, group',
  'regexp_extract_all text, pattern|regexp_full_match text, pattern|regexp_matches text, pattern',
  'regexp_replace text, pattern, with|regr_slope y, x|repeat text, n|replace text, from, to|reverse text',
  'right text, n|round x, digits|row_number |rpad text, n, fill|rtrim text|sha256 text|sign x|sin x|skewness x',
  'split_part text, separator, n|sqrt x|starts_with text, start|stddev x|string_agg x, separator',
  'string_split text, separator|strftime timestamp, format|strip_accents text|strptime text, format',
  "struct_pack name := x|substring text, from, length|sum x|tan x|time_bucket interval '1 hour', timestamp",
  'to_days n|to_hours n|to_json x|to_minutes n|to_seconds n|to_timestamp seconds|trim text|trunc x',
  'try_strptime text, format|typeof x|ucase text|unicode text|unnest list|upper text|uuid |var_pop x|variance x',
  'week date|weekday date|year date|yearweek date',
]
  .join('|')
  .split('|')
  .map((entry): [string, string] => {
    const at = entry.indexOf(' ');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });

/** Words of DuckDB that cannot be a column's name without quotes. */
const RESERVED = new Set(
  (
    'all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create ' +
    'default deferrable desc describe distinct do else end except exclude false fetch for foreign from grant group ' +
    'having in initially intersect into lambda lateral leading limit not null offset on only or order pivot ' +
    'pivot_longer pivot_wider placing primary qualify references returning select show some summarize symmetric ' +
    'table then to trailing true union unique unpivot using variadic when where window with'
  ).split(' '),
);

/** A name as SQL needs it: plain where it can stand so, quoted where not. */
export const sqlName = (name: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !RESERVED.has(name.toLowerCase())
    ? name
    : `"${name.replaceAll('"', '""')}"`;

/** What is being typed at the end of a line: a name, a quoted one with its open quote, or nothing. */
export const typedAtEnd = (line: string): string => {
  const rest = line.replace(/"[^"]*"|'[^']*'/g, (closed) => ' '.repeat(closed.length));
  return /("[^"]*|[A-Za-z_]\w*)$/.exec(rest)?.[0] ?? '';
};

/** The streams whose views a text names, once each. */
export const streamsIn = (sql: string): string[] => {
  const found = [...sql.matchAll(/\bstream_([A-Za-z0-9][A-Za-z0-9_-]*)/gi)];
  return [...new Set(found.map(([, stream]) => stream as string))];
};

/** Where a line and column (from 1, in code points) are in a text, and where the word there ends. */
export const placeIn = (
  sql: string,
  line: number,
  column: number,
): { from: number; to: number } => {
  const lines = sql.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const text = lines[line - 1] ?? '';
  const from = before + [...text].slice(0, column - 1).join('').length;
  const word = /^("(?:[^"]|"")*"|[\w.]+|\S)/.exec(sql.slice(from))?.[0] ?? '';
  const start = Math.min(from, sql.length);
  return { from: start, to: Math.max(start, start + word.length) };
};

/** A part of a text, and where it begins: both from 1, the column in code points. */
export interface Part {
  readonly sql: string;
  readonly line: number;
  readonly column: number;
}

/** A place in a part, as a place in the whole text. */
export const placedIn = <Place extends { line: number | null; column: number | null }>(
  place: Place,
  part: Part | null,
): Place => {
  const { line, column } = place;
  if (part === null || line === null) return place;
  const isFirst = column !== null && line === 1;
  return {
    ...place,
    line: line + part.line - 1,
    column: isFirst ? column + part.column - 1 : column,
  };
};
