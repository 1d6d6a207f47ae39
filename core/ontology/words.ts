// Owns reading names: their words, their unit, and making the name of a type of them.
// Never looks at values.

/** The words of a name, lowered: `grade_min`, `gradeMin`, `Grade-Min` and `GRADE MIN` are all grade, min. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

/** Words that say that a value stands for a thing. */
const NAMING = new Set([
  ...['id', 'ids', 'key', 'uuid', 'guid', 'code', 'no', 'nr', 'num', 'number', 'ref', 'sku'],
  ...[
    'serial',
    'slug',
    'symbol',
    'isbn',
    'ean',
    'gtin',
    'iban',
    'seq',
    'sequence',
    'index',
    'line',
  ],
]);
/** Naming words that a type's name is better without: an `employee_id` names an Employee. */
const DROPPED = new Set([
  ...[
    'id',
    'ids',
    'key',
    'uuid',
    'guid',
    'code',
    'no',
    'nr',
    'num',
    'number',
    'ref',
    'name',
    'slug',
  ],
]);
/** Words of identifiers whose digits are no quantity, however few. */
const DIGITS = new Set([
  ...['phone', 'mobile', 'fax', 'zip', 'postcode', 'postal', 'account', 'card', 'iban', 'isbn'],
  ...['ean', 'gtin', 'barcode', 'serial', 'imei', 'vat', 'ssn', 'mac'],
]);
const TIME_WORDS = new Set(['ts', 'time', 'timestamp', 'epoch', 'date', 'at', 'ns', 'us', 'ms']);

/** Units that a name may end with, each with its short form. */
const UNITS: ReadonlyMap<string, string> = new Map([
  ...['c', 'celsius', 'degc'].map((word) => [word, 'celsius'] as const),
  ...['f', 'fahrenheit', 'degf'].map((word) => [word, 'fahrenheit'] as const),
  ...['k', 'kelvin'].map((word) => [word, 'kelvin'] as const),
  ...['kg', 'kilogram', 'kilograms'].map((word) => [word, 'kg'] as const),
  ...['g', 'gram', 'grams'].map((word) => [word, 'g'] as const),
  ...['lb', 'lbs', 'pound', 'pounds'].map((word) => [word, 'lb'] as const),
  ...['m', 'metre', 'metres', 'meter', 'meters'].map((word) => [word, 'm'] as const),
  ...['km', 'mm', 'cm', 'ft', 'mi'].map((word) => [word, word] as const),
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((word) => [word, 's'] as const),
  ...['min', 'mins', 'minute', 'minutes'].map((word) => [word, 'min'] as const),
  ...['h', 'hour', 'hours'].map((word) => [word, 'h'] as const),
  ...['ms', 'us', 'ns'].map((word) => [word, word] as const),
  ...['pa', 'hpa', 'kpa', 'bar', 'mbar', 'psi'].map((word) => [word, word] as const),
  ...['v', 'volt', 'volts'].map((word) => [word, 'v'] as const),
  ...['w', 'watt', 'watts'].map((word) => [word, 'w'] as const),
  ...['kwh', 'wh', 'hz', 'khz', 'mhz', 'db', 'dbm', 'ppm', 'rpm'].map(
    (word) => [word, word] as const,
  ),
  ...['pct', 'percent', 'percentage'].map((word) => [word, 'percent'] as const),
  ...['bytes', 'kb', 'mb', 'gb'].map((word) => [word, word] as const),
  ...['eur', 'usd', 'gbp', 'chf', 'sek', 'nok', 'dkk', 'jpy'].map((word) => [word, word] as const),
]);

/** The unit that a name of at least two words ends with, in its short form; `grade_min` ends with none. */
export const unitOf = (name: string): string | null => {
  const words = wordsOf(name);
  const last = words.at(-1);
  // `min` is the least far more often than a minute, unless it follows a word of time.
  if (words.length < 2 || last === undefined) return null;
  if (last === 'min' && !/^(time|duration|elapsed|delay|age)$/.test(words.at(-2) ?? ''))
    return null;
  return UNITS.get(last) ?? null;
};

/** Whether a name says that its values stand for things: it ends with `id`, `code`, `number` ... */
export const namesThings = (name: string): boolean => NAMING.has(wordsOf(name).at(-1) ?? '');

/** Whether a name ends with a word that only identifiers have. */
export const isIdName = (name: string): boolean =>
  /^(id|ids|uuid|guid|key)$/.test(wordsOf(name).at(-1) ?? '');

/** Whether a name is that of a label, which can change while the thing stays the same. */
export const isLabelName = (name: string): boolean =>
  wordsOf(name).some((word) => /^(name|title|label|description|email)$/.test(word));

/** Whether digits under this name are no quantity: telephone numbers, account numbers, postcodes. */
export const hasDigitsOfIdentifier = (name: string): boolean =>
  namesThings(name) || wordsOf(name).some((word) => DIGITS.has(word));

/** Whether a name speaks of a point in time. */
export const speaksOfTime = (name: string): boolean =>
  wordsOf(name).some((word) => TIME_WORDS.has(word));

const SAME_IN_PLURAL = new Set(['series', 'species', 'news', 'data', 'media', 'sheep']);

/** An English noun in the singular, as far as its ending tells. */
const singular = (word: string): string => {
  if (SAME_IN_PLURAL.has(word) || word.length < 4 || /(ss|us|is)$/.test(word)) return word;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(sses|shes|ches|xes|zzes)$/.test(word)) return word.slice(0, -2);
  if (/people$/.test(word) && word !== 'people') return word;
  return word.endsWith('s') ? word.slice(0, -1) : word;
};

const capital = (word: string): string => {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
};

/** Words as the name of a type: `pay`, `grades` gives PayGrade. Empty where there is no word. */
const typeNameOf = (words: readonly string[]): string =>
  words.map((word, at) => capital(at === words.length - 1 ? singular(word) : word)).join('');

/** The name of the type that a key column names: `employee_id` gives Employee; a bare `id` gives none. */
export const typeNameOfKey = (column: string): string | null => {
  const words = wordsOf(column);
  while (words.length > 0 && DROPPED.has(words.at(-1) as string)) words.pop();
  return typeNameOf(words) || null;
};

/** The name of the type that a stream's rows are. */
export const typeNameOfStream = (stream: string): string => typeNameOf(wordsOf(stream)) || 'Row';

/** A name that none of `taken` (compared without case) has: Order, Order2, Order3 ... */
export const freeName = (name: string, taken: Iterable<string>): string => {
  const used = new Set([...taken].map((one) => one.toLowerCase()));
  let free = name;
  for (let copy = 2; used.has(free.toLowerCase()); copy += 1) free = `${name}${copy}`;
  return free;
};

/** How alike two names are, from 0 to 1: the words they share, those without which they would name nothing counted less. */
export const nameLikeness = (one: string, other: string): number => {
  const [mine, theirs] = [wordsOf(one).map(singular), wordsOf(other).map(singular)];
  if (mine.join(' ') === theirs.join(' ') && mine.length > 0) return 1;
  const weight = (word: string): number => (NAMING.has(word) || UNITS.has(word) ? 0.5 : 1);
  const all = new Set([...mine, ...theirs]);
  let shared = 0;
  let total = 0;
  for (const word of all) {
    total += weight(word);
    if (mine.includes(word) && theirs.includes(word)) shared += weight(word);
  }
  return total === 0 ? 0 : shared / total;
};
