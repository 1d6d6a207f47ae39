// Owns writing rows of text as CSV and naming the keys of objects; the command line and exports share it.
// Never reads either.

/** A line of CSV (RFC 4180). NULL is nothing, the empty string is "". */
export const csvLine = (row: readonly (string | null)[]): string =>
  `${row.map(csvField).join(',')}\r\n`;

const csvField = (value: string | null): string => {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
};

/** Names of which no two are the same: a second `a` becomes `a_2`, so that no value of an object is lost. */
export const distinctNames = (names: readonly string[]): string[] => {
  const taken = new Set(names);
  const used = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let copy = 2; used.has(free); copy += 1) {
      if (!taken.has(`${name}_${copy}`)) free = `${name}_${copy}`;
    }
    used.add(free);
    taken.add(free);
    return free;
  });
};
