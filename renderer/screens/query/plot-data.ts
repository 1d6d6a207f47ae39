// Owns turning an answer's text into lines to plot: which columns can be, what they mean, aligned by x.
// Never changes what is shown elsewhere: the text stays the truth.

import type { QueryColumn } from '../../../core/model.ts';

type Rows = readonly (readonly (string | null)[])[];

/** What can be read from a column: all its values are numbers, or points in time. */
export type Reading = 'number' | 'time';

/** How many lines a plot has at most. */
export const MOST_LINES = 6;

export interface PlotLine {
  readonly name: string;
  /** By x; null where there is no value, undefined where another line has this x alone. */
  readonly values: (number | null | undefined)[];
  /** The row of each value. */
  readonly rows: (number | undefined)[];
}

export interface PlotData {
  readonly x: number[];
  readonly lines: readonly PlotLine[];
  /** How many groups there are; more than are drawn. */
  readonly groups: number;
}

const NUMBER = /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/;
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?\s*(Z|[-+]\d{2}(?::?\d{2})?)?)?$/i;

/** A number; undefined for any other text. */
export const numberOf = (text: string): number | undefined => {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
};

/** A point in time in seconds since 1970; a text without a zone is read as UTC; undefined for any other text. */
export const timeOf = (text: string): number | undefined => {
  const found = TIME.exec(text.trim());
  if (!found) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', part = '', zone] = found;
  const offset = !zone || /z/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const shift = zone && zone.length === 3 ? `${zone}:00` : offset;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${shift}`);
  return Number.isNaN(at) ? undefined : at / 1_000 + Number(part === '' ? 0 : `0${part}`);
};

/** What a column's values all read as; undefined where they do not, or there is none. */
export const readingOf = (rows: Rows, column: number): Reading | undefined => {
  let reading: Reading | undefined;
  for (const row of rows) {
    const value = row[column];
    if (value === null || value === undefined) continue;
    reading ??= numberOf(value) !== undefined ? 'number' : 'time';
    const read = reading === 'number' ? numberOf(value) : timeOf(value);
    if (read === undefined) return undefined;
  }
  return reading;
};

/** How many different values a column has, up to `most`. */
const distinctOf = (rows: Rows, column: number, most: number): number => {
  const seen = new Set<string | null>();
  for (const row of rows) {
    seen.add(row[column] ?? null);
    if (seen.size > most) break;
  }
  return seen.size;
};

/** Which columns to draw. */
export interface PlotChoice {
  readonly y: number;
  readonly x: number;
  /** Null for one line. */
  readonly by: number | null;
}

/** What a person most likely wants to see; undefined where nothing can be drawn. */
export const likelyChoice = (
  columns: readonly QueryColumn[],
  rows: Rows,
): PlotChoice | undefined => {
  const readings = columns.map((_, at) => readingOf(rows, at));
  const time = readings.indexOf('time');
  const x = time === -1 ? readings.indexOf('number') : time;
  if (x === -1) return undefined;
  const isOurs = (at: number): boolean => /^_|(^|_)id$/i.test(columns[at]?.name ?? '');
  const numbers = readings.flatMap((reading, at) => (reading === 'number' && at !== x ? [at] : []));
  const y = numbers.find((at) => !isOurs(at)) ?? numbers[0];
  if (y === undefined) return undefined;
  const by = readings.findIndex((reading, at) => {
    if (at === x || at === y || reading !== undefined) return false;
    const groups = distinctOf(rows, at, 12);
    return groups > 1 && groups <= 12;
  });
  return { x, y, by: by === -1 ? null : by };
};

/** The lines of a choice, each x once for each time that a line has it. */
export const plotData = (rows: Rows, choice: PlotChoice): PlotData => {
  const { x, y, by } = choice;
  const isTime = readingOf(rows, x) === 'time';
  const points = rows.flatMap((row, at) => {
    const text = row[x];
    const place = typeof text === 'string' ? (isTime ? timeOf(text) : numberOf(text)) : undefined;
    const value = row[y];
    const read = typeof value === 'string' ? numberOf(value) : null;
    if (place === undefined || read === undefined) return [];
    const group = by === null ? '' : (row[by] ?? null);
    return [{ place, read, group, at }];
  });
  const groups = [...new Set(points.map(({ group }) => group))];
  const drawn = groups.slice(0, MOST_LINES);
  const xs: number[] = [];
  const lines = drawn.map((group): PlotLine => {
    const name = group === null ? 'null' : group === '' && by !== null ? 'empty' : group;
    return { name, values: [], rows: [] };
  });
  // A stable sort keeps rows of one x in their order.
  for (const { place, read, group, at } of points.sort((one, other) => one.place - other.place)) {
    const line = lines[drawn.indexOf(group)];
    if (!line) continue;
    let slot = xs.length;
    while (slot > 0 && xs[slot - 1] === place && line.rows[slot - 1] === undefined) slot -= 1;
    if (slot === xs.length) {
      xs.push(place);
      for (const one of lines) {
        one.values.push(undefined);
        one.rows.push(undefined);
      }
    }
    line.values[slot] = read;
    line.rows[slot] = at;
  }
  return { x: xs, lines, groups: groups.length };
};

/** Whether an axis starts at zero: counts do, measured values stand on their range. */
export const isCount = ({ lines }: PlotData): boolean =>
  lines.every(({ values }) =>
    values.every((value) => value == null || (value >= 0 && Number.isInteger(value))),
  );

/** How points of a time axis read, UTC: the date where a day begins, the clock between. */
export const timeLabels = (splits: readonly number[]): string[] => {
  const step = (splits[1] ?? 0) - (splits[0] ?? 0);
  return splits.map((at, index) => {
    const text = new Date(at * 1_000).toISOString();
    const day = `${Number(text.slice(8, 10))} ${MONTHS[Number(text.slice(5, 7)) - 1]}`;
    if (step >= 86_400 * 200) return text.slice(0, 4);
    const before = splits[index - 1];
    const newYear = before !== undefined && new Date(before * 1_000).toISOString().slice(0, 4);
    if (step >= 86_400) return newYear && newYear !== text.slice(0, 4) ? text.slice(0, 4) : day;
    const isNewDay = before === undefined || Math.floor(before / 86_400) < Math.floor(at / 86_400);
    if (isNewDay && at % 86_400 === 0) return day;
    if (step >= 60) return text.slice(11, 16);
    return step >= 1 ? text.slice(11, 19) : text.slice(14, 23);
  });
};

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
