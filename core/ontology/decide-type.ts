// Owns deciding how a column is read, from counts of what its values look like. Pure.
// Never guesses: where values speak for two readings, or against one, the column stays text and the reason is said.

import type { ReadAs } from '../model.ts';
import { hasDigitsOfIdentifier, speaksOfTime } from './words.ts';

/** What the given (neither NULL nor empty) values of a column look like; every number counts rows but the last ones. */
export interface ShapeCounts {
  readonly given: number;
  readonly integer: number;
  readonly decimal: number;
  readonly scientific: number;
  /** Digits with an E between: 12E4 may be a part number. */
  readonly bareExponent: number;
  /** Numbers with zeros before them: 007. */
  readonly leadingZero: number;
  readonly negative: number;
  /** Numbers with a plus before them. */
  readonly plus: number;
  readonly boolean: number;
  readonly date: number;
  readonly time: number;
  readonly timestamp: number;
  readonly timestamptz: number;
  /** Timestamps with more than six decimals, which a TIMESTAMP would cut. */
  readonly nanoseconds: number;
  /** d/m/y or m/d/y with one of `/ . -` between, and how many of them can only be the one or the other. */
  readonly parts: number;
  readonly dayFirst: number;
  readonly monthFirst: number;
  /** Those with a time of day after them. */
  readonly partsWithClock: number;
  readonly uuid: number;
  readonly json: number;
  /** Most digits of numbers: before the point, after it, and in all without zeros before the first. */
  readonly wholeDigits: number;
  readonly places: number;
  readonly digits: number;
  /** Fewest digits of a whole number. */
  readonly fewestDigits: number;
  /** Whole numbers outside the BIGINT's range. */
  readonly beyondBigint: number;
  /** The character between the parts of dates, where it is the same in all; with seconds or without. */
  readonly separator: string | null;
  readonly seconds: boolean;
  /** Offsets of timestamps with one, and how many rows have each. */
  readonly offsets: readonly { readonly offset: string; readonly rows: number }[];
}

/** How a column is read, why, and what a person should know. */
export interface TypeDecision {
  readonly readAs: ReadAs;
  readonly reason: string;
  readonly flags: readonly string[];
  /** A type that most values take to but not all. */
  readonly near: ReadAs | null;
}

const text: ReadAs = { type: 'VARCHAR', format: null };
const as = (type: ReadAs['type'], format: string | null = null): ReadAs => ({ type, format });

/** Digits up to which a number is a number for everybody: a double keeps 15 of them exactly. */
const LONG_DIGITS = 15;

/** Most values have to take to a type before it is worth saying that the rest does not. */
const NEAR = 0.8;

/** Decides. Rules and their order are those of the promotion's description in the README. */
export const decideType = (name: string, counts: ShapeCounts): TypeDecision => {
  const { given } = counts;
  if (given === 0) {
    return { readAs: text, reason: 'It has no value to judge by.', flags: [], near: null };
  }
  for (const rule of RULES) {
    const decision = rule(name, counts);
    if (decision) return decision;
  }
  return nearest(name, counts);
};

type Rule = (name: string, counts: ShapeCounts) => TypeDecision | undefined;

const yes = (readAs: ReadAs, reason: string, flags: readonly string[] = []): TypeDecision => ({
  readAs,
  reason,
  flags,
  near: null,
});
const stays = (reason: string, near: ReadAs | null = null): TypeDecision => ({
  ...{ readAs: text, reason, flags: [], near },
});

const simple = (
  key: 'boolean' | 'date' | 'time' | 'uuid' | 'json',
  type: ReadAs['type'],
  reason: string,
): Rule => {
  return (_, counts) => (counts[key] === counts.given ? yes(as(type), reason) : undefined);
};

const timestamps: Rule = (_, counts) => {
  const { given, timestamp, timestamptz, nanoseconds, offsets, date } = counts;
  if (timestamptz === given) {
    const listed = offsets.map(({ offset, rows }) => `${offset} ${rows}`).join(', ');
    const flags =
      offsets.length > 1
        ? [`Different offsets (${listed}): the moment is kept, the offset is not.`]
        : [];
    return yes(as('TIMESTAMPTZ'), 'Every value is a date and time with an offset.', flags);
  }
  if (timestamp === given) {
    return yes(as('TIMESTAMP'), 'Every value is a date and time without an offset.', [
      'No offset: which zone it is of is not said.',
    ]);
  }
  if (nanoseconds > 0 && nanoseconds + timestamp + timestamptz === given) {
    return stays(`${nanoseconds} values have more than 6 decimals, which a timestamp would cut.`);
  }
  if (timestamp > 0 && timestamptz > 0 && timestamp + timestamptz + date === given) {
    return stays(
      `${timestamptz} values have an offset and ${timestamp + date} have none; which zone those are of is not said.`,
      as('TIMESTAMPTZ'),
    );
  }
  if (date > 0 && timestamp > 0 && timestamp + date === given) {
    return stays(`${date} values are dates and ${timestamp} have a time of day.`, as('TIMESTAMP'));
  }
  return undefined;
};

/** Dates of which only the values can tell whether the day or the month comes first. */
const datesByParts: Rule = (_, counts) => {
  const { given, parts, dayFirst, monthFirst, partsWithClock, separator } = counts;
  if (parts !== given) return undefined;
  const withClock = partsWithClock === given;
  const type = withClock ? 'TIMESTAMP' : 'DATE';
  if ((partsWithClock > 0 && !withClock) || separator === null) {
    return stays('The dates are not all written alike.');
  }
  const clock = withClock ? ` %H:%M${counts.seconds ? ':%S' : ''}` : '';
  const day = as(type, `%d${separator}%m${separator}%Y${clock}`);
  const month = as(type, `%m${separator}%d${separator}%Y${clock}`);
  const flags = withClock ? ['No offset: which zone it is of is not said.'] : [];
  if (dayFirst > 0 && monthFirst > 0) {
    return stays(
      `${dayFirst} dates can only be day first, ${monthFirst} only month first.`,
      dayFirst >= monthFirst ? day : month,
    );
  }
  if (dayFirst > 0)
    return yes(day, `Day first: ${dayFirst} dates have a first part over 12.`, flags);
  if (monthFirst > 0) {
    return yes(month, `Month first: ${monthFirst} dates have a second part over 12.`, flags);
  }
  return stays('No date has a part over 12: day first and month first both fit.', day);
};

/** Why numbers are read as text: they are identifiers, and a number would not give their text back. */
const identifierReason = (name: string, counts: ShapeCounts): string | undefined => {
  const { leadingZero, plus, bareExponent, integer, given, digits, fewestDigits, negative } =
    counts;
  if (leadingZero > 0)
    return `${leadingZero} values have zeros before them, which a number would lose.`;
  if (plus > 0) return `${plus} values have a plus before them, which a number would lose.`;
  if (bareExponent > 0) {
    return `${bareExponent} values have an E between digits: a number would not give them back.`;
  }
  if (integer < given || digits <= LONG_DIGITS || speaksOfTime(name)) return undefined;
  if (hasDigitsOfIdentifier(name))
    return `It is an identifier of up to ${digits} digits, not a quantity.`;
  if (fewestDigits === digits && negative === 0)
    return `Every value has ${digits} digits: an identifier, not a quantity.`;
  return undefined;
};

const numbers: Rule = (name, counts) => {
  const { given, integer, decimal, scientific, leadingZero, plus, bareExponent } = counts;
  if (integer + decimal + scientific + leadingZero + plus + bareExponent !== given)
    return undefined;
  const reason = identifierReason(name, counts);
  if (reason) return stays(reason);
  const { wholeDigits, places, digits, beyondBigint } = counts;
  if (integer === given) {
    if (beyondBigint === 0) return yes(as('BIGINT'), 'Every value is a whole number.');
    if (wholeDigits <= 38) {
      return yes(as('HUGEINT'), `Whole numbers of up to ${wholeDigits} digits.`);
    }
    return stays(`Whole numbers of up to ${wholeDigits} digits, more than any type keeps.`);
  }
  const exact = wholeDigits + places;
  if (scientific === 0 && places <= 6 && exact <= 38) {
    // Room to grow: a later value with more digits before the point must not fail.
    const precision = exact <= 18 ? 18 : 38;
    const type = `DECIMAL(${precision},${places})` as const;
    return yes(as(type), `Every value is a number with at most ${places} decimals.`);
  }
  if (digits <= 17) return yes(as('DOUBLE'), `Numbers of up to ${digits} digits.`);
  if (scientific === 0 && exact <= 38) {
    const type = `DECIMAL(38,${places})` as const;
    return yes(as(type), `Numbers of up to ${digits} digits, more than a DOUBLE keeps.`);
  }
  return stays(`Numbers of up to ${digits} digits, more than any type keeps.`, as('DOUBLE'));
};

const RULES: readonly Rule[] = [
  simple('boolean', 'BOOLEAN', 'Every value is true or false.'),
  numbers,
  simple('date', 'DATE', 'Every value is a date.'),
  simple('time', 'TIME', 'Every value is a time of day.'),
  timestamps,
  datesByParts,
  simple('uuid', 'UUID', 'Every value is a UUID.'),
  simple('json', 'JSON', 'Every value is a JSON object or array.'),
];

/** The type that most values take to, where one has at least 0.8 of them. */
const nearest = (name: string, counts: ShapeCounts): TypeDecision => {
  const { given, integer, decimal, scientific } = counts;
  const numeric = integer + decimal + scientific;
  const candidates: [number, ReadAs][] = [
    [counts.boolean, as('BOOLEAN')],
    [numeric, numeric === integer ? as('BIGINT') : as('DOUBLE')],
    [counts.date, as('DATE')],
    [counts.time, as('TIME')],
    [counts.timestamp, as('TIMESTAMP')],
    [counts.timestamptz, as('TIMESTAMPTZ')],
    [counts.uuid, as('UUID')],
    [counts.json, as('JSON')],
  ];
  const [rows, readAs] = candidates.reduce((best, one) => (one[0] > best[0] ? one : best));
  const isSafe = identifierReason(name, counts) === undefined;
  if (rows >= given * NEAR && isSafe) {
    return stays(`${given - rows} of ${given} values are no ${readAs.type}.`, readAs);
  }
  return stays('The values are texts.');
};
