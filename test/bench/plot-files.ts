// Owns drawing the table of file counts as an SVG: times over files, both logarithmic. Never measures.

import type { FilesLine } from './compaction.ts';

const WIDTH = 720;
const HEIGHT = 380;
const LEFT = 64;
const RIGHT = 190;
const TOP = 40;
const BOTTOM = 44;

type Series = readonly [
  label: string,
  colour: string,
  dash: string,
  of: (line: FilesLine) => number,
];

const SERIES: readonly Series[] = [
  ['group-by, before', '#B9770A', '', ({ before }) => before.groupBy],
  ['one batch, before', '#B9770A', '5 4', ({ before }) => before.batch],
  ['count, before', '#B9770A', '1.5 4', ({ before }) => before.count],
  ['group-by, compacted', '#4267CC', '', ({ after }) => after.groupBy],
  ['one batch, compacted', '#4267CC', '5 4', ({ after }) => after.batch],
  ['count, compacted', '#4267CC', '1.5 4', ({ after }) => after.count],
];

/** The plot; colours that read on white and on black. */
export const plotFiles = (lines: readonly FilesLine[]): string => {
  const values = SERIES.flatMap(([, , , of]) => lines.map(of));
  const low = Math.floor(Math.log10(Math.max(0.1, Math.min(...values))));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  const [first, last] = [lines[0]?.files ?? 1, lines.at(-1)?.files ?? 10];
  const x = (files: number): number =>
    LEFT +
    ((Math.log10(files) - Math.log10(first)) / Math.max(1, Math.log10(last) - Math.log10(first))) *
      (WIDTH - LEFT - RIGHT);
  const y = (ms: number): number =>
    HEIGHT -
    BOTTOM -
    ((Math.log10(Math.max(ms, 10 ** low)) - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const grid = Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at)).map(
    (ms) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(ms).toFixed(1)}" y2="${y(ms).toFixed(1)}" stroke="#888" stroke-opacity=".25"/>` +
      `<text x="${LEFT - 8}" y="${(y(ms) + 4).toFixed(1)}" text-anchor="end">${ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`}</text>`,
  );
  const ticks = lines.map(
    ({ files }) =>
      `<text x="${x(files).toFixed(1)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${files.toLocaleString('en-US')}</text>`,
  );
  const labels = placed(SERIES.map(([, , , of]) => y(of(lines.at(-1) as FilesLine))));
  const curves = SERIES.map(([label, colour, dash, of], at) => {
    const points = lines
      .map((line) => `${x(line.files).toFixed(1)},${y(of(line)).toFixed(1)}`)
      .join(' ');
    return (
      `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="1.5"${dash ? ` stroke-dasharray="${dash}"` : ''}/>` +
      `<text x="${WIDTH - RIGHT + 8}" y="${((labels[at] as number) + 4).toFixed(1)}" style="fill:${colour}">${label}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    '<title>Time of three queries by number of files of 100 rows, before and after compaction</title>',
    '<style>text{font:12px system-ui,sans-serif;fill:#808080}</style>',
    `<text x="${LEFT}" y="20">Time of a query by number of POSTs of 100 rows, both scales logarithmic</text>`,
    ...[...grid, ...ticks, ...curves],
    '</svg>',
    '',
  ].join('\n');
};

/** Moves labels apart, so that none stands on another; in their order from the top. */
const placed = (wanted: readonly number[]): number[] => {
  const result = [...wanted];
  const order = wanted
    .map((_, at) => at)
    .sort((one, other) => (wanted[one] as number) - (wanted[other] as number));
  let lowest = Number.NEGATIVE_INFINITY;
  for (const at of order) {
    lowest = Math.max(lowest + 15, wanted[at] as number);
    result[at] = lowest;
  }
  return result;
};
