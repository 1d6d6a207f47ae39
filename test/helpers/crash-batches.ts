// Owns the batches of the crash tests: made from a seed, each recognisable by its content, each with its answers.
// Never sends one.

/** A source of numbers that a seed repeats. */
export interface Random {
  /** From 0 up to `below`, a whole number. */
  below(limit: number): number;
  /** Whether something that happens this often, of 100 times, happens now. */
  percent(often: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** Mulberry32: small, and the same everywhere. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    percent: (often) => next() * 100 < often,
    pick: (list) => list[below(list.length)] as never,
  };
};

/** What a producer was told. */
export interface Answer {
  readonly status: number;
  /** The document; empty when the connection broke before it was whole. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** A batch of the tests. */
export interface SentBatch {
  readonly stream: string;
  /** The producer's own id; null where it sends none. */
  readonly id: string | null;
  /** In every row, and in no row of another batch. */
  readonly token: string;
  readonly body: string;
  /** Each row as it must be read back: `_line` and its columns that are not NULL; null where it must be rejected. */
  readonly rows: readonly string[] | null;
  /** How often it was sent. */
  sends: number;
  readonly answers: Answer[];
  /** Whether it is in the folder; undefined from its sending until its answer or the next look. */
  landed: boolean | undefined;
  /** The file it is in. */
  file: string | undefined;
}

const VALUES: readonly (readonly [source: string, text: string | null])[] = [
  ['1.10', '1.10'],
  ['12345678901234567890123', '12345678901234567890123'],
  ['-0.0', '-0.0'],
  ['1E5', '1E5'],
  ['true', 'true'],
  ['null', null],
  ['{"a": [1, 2]}', '{"a": [1, 2]}'],
  ['"a\\u00e9\\n\\"b\\u0000"', 'aé\n"b\0'],
  ['"日本 \u{1F600}"', '日本 \u{1F600}'],
  ['""', ''],
];
/** Fields and the columns they land in. Not every row has each. */
const FIELDS = [
  ['v', 'v'],
  ['w', 'w'],
  ['filename', 'filename_'],
  ['_line', '_line_'],
] as const;

/** A row as it is compared: its line and its columns that are not NULL, by name. */
export const rowText = (
  line: number,
  columns: Iterable<readonly [string, string | null]>,
): string => `${line} ${JSON.stringify([...columns].filter(([, value]) => value !== null).sort())}`;

/** A batch of 1 to 9 records that must land. */
export const goodBatch = (
  random: Random,
  stream: string,
  id: string | null,
  token: string,
): SentBatch => {
  const lines: string[] = [];
  const rows: string[] = [];
  for (let line = 1; line <= 1 + random.below(9); line += 1) {
    const columns: [string, string | null][] = [['u', token]];
    const fields = [`"u":"${token}"`];
    for (const [field, column] of FIELDS) {
      if (!random.percent(60)) continue;
      const [source, text] = random.pick(VALUES);
      fields.push(`"${field}": ${source}`);
      columns.push([column, text]);
    }
    lines.push(`{${fields.join(',')}}`);
    rows.push(rowText(line, columns));
  }
  return batch(stream, id, token, `${lines.join('\n')}\n`, rows);
};

const FAULTS = ['{"v":', '{"v":1,"v":2}', '[1]', '{"v":1}}', '{"v":"\\ud800"}'];

/** A batch that must be rejected: its last line has a fault. */
export const badBatch = (
  random: Random,
  stream: string,
  id: string | null,
  token: string,
): SentBatch => {
  const lines = Array.from({ length: random.below(4) }, (_, n) => `{"u":"${token}","n":${n}}`);
  lines.push(random.pick(FAULTS).replace('{', `{"u":"${token}",`).replace('[', `["${token}",`));
  return batch(stream, id, token, lines.join('\n'), null);
};

const batch = (
  stream: string,
  id: string | null,
  token: string,
  body: string,
  rows: readonly string[] | null,
): SentBatch => ({
  ...{ stream, id, token, body, rows },
  ...{ sends: 0, answers: [], landed: false, file: undefined },
});

/** Whether a producer was told that the batch landed. */
export const isAcknowledged = ({ answers }: SentBatch): boolean =>
  answers.some(({ status }) => status === 200);
