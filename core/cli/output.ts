// Owns how commands print: one JSON document, or a table for people. Never decides what is printed.

/** Prints one JSON document. */
export const printJson = (document: unknown): void => {
  process.stdout.write(`${JSON.stringify(document)}\n`);
};

/** Prints a line for people. */
export const printLine = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Characters that would move the cursor or hide text in a terminal are shown as marks. */
export const visible = (text: string): string =>
  text
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
      const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
      return `U+${code}`;
    });

/** A table: heads, a rule, rows. `right` says which columns are numbers. Long cells are cut at `widest`. */
export const tableOf = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number> = new Set(),
  widest = 60,
): string => {
  const cells = rows.map((row) => row.map((cell) => cut(visible(cell), widest)));
  const widths = heads.map((head, index) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[index] ?? '')), widthOf(head)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => pad(cell, widths[index] as number, right.has(index)))
      .join('  ')
      .trimEnd();
  return [
    line(heads),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...cells.map(line),
  ].join('\n');
};

/** Bytes, decimal, three figures: 9.8 kB, 71.3 MB. */
export const bytesOf = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = -1;
  do {
    value /= 1_000;
    unit += 1;
  } while (value >= 999.5 && unit < units.length - 1);
  return `${value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2)} ${units[unit]}`;
};

/** An age: 3 s, 42 min, 5 h, then the date. */
export const ageOf = (at: string | null): string => {
  if (at === null) return '–';
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1_000));
  if (seconds < 1) return 'now';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return at.slice(0, 10);
};

const cut = (text: string, widest: number): string => {
  const characters = [...text];
  return characters.length > widest ? `${characters.slice(0, widest - 1).join('')}…` : text;
};

const widthOf = (text: string): number => [...text].length;

const pad = (text: string, width: number, right: boolean): string => {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return right ? space + text : text + space;
};
