// Owns numbers: medians, percentiles, and the table of results. Never runs what is measured.

/** One line of the result. `ratio` is held against `bar`; `better` says in which direction. */
export interface Result {
  readonly what: string;
  readonly measured: string;
  readonly against: string;
  readonly ratio: number;
  readonly bar: number;
  readonly better: 'higher' | 'lower';
}

/** The middle of the values. */
export const median = (values: readonly number[]): number => percentile(values, 50);

/** The value that `share` per cent of the values do not exceed (nearest rank). */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((sorted.length * share) / 100) - 1)] as number;
};

/** Whether a result meets its bar. */
export const holds = ({ ratio, bar, better }: Result): boolean =>
  better === 'higher' ? ratio >= bar : ratio <= bar;

/** The results as a table for people. */
export const tableOf = (results: readonly Result[]): string => {
  const rows = results.map((result) => [
    result.what,
    result.measured,
    result.against,
    result.ratio.toFixed(2),
    `${result.better === 'higher' ? '>=' : '<='} ${result.bar}`,
    holds(result) ? 'holds' : 'MISSED',
  ]);
  const heads = ['What', 'Strata', 'Against', 'Ratio', 'Bar', ''];
  const widths = heads.map((head, at) =>
    Math.max(head.length, ...rows.map((row) => (row[at] as string).length)),
  );
  return [heads, ...rows]
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
