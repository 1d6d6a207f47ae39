// Owns what a person may type for a new stream: its id and its registered columns. Never asks the engine.

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
// Names that Windows keeps for devices.
const DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

/** What is wrong with an id, as a sentence; null when nothing is. */
export const idFault = (id: string, taken: readonly string[]): string | null => {
  if (id === '') return 'A stream needs an id.';
  if (!/^[A-Za-z0-9]/.test(id)) return 'An id starts with a letter or digit.';
  if (id.length > 63) return `An id has at most 63 characters; this has ${id.length}.`;
  if (!ID.test(id)) return 'An id has letters, digits, _ and - only.';
  if (DEVICE.test(id)) return 'Windows keeps this name for a device.';
  const same = taken.find((one) => one.toLowerCase() === id.toLowerCase());
  if (same === id) return 'There is a stream of this id.';
  return same === undefined ? null : `There is a stream “${same}”; ids are compared without case.`;
};

/** The columns of a text, one a line or separated by commas; null for none, so that any field is welcome. */
export const columnsOf = (text: string): string[] | null => {
  const columns = text
    .split(/[\n,]/)
    .map((column) => column.trim())
    .filter((column) => column !== '');
  return columns.length === 0 ? null : columns;
};

/** What is wrong with the columns, as a sentence; null when nothing is. */
export const columnsFault = (columns: readonly string[] | null): string | null => {
  const seen = new Map<string, string>();
  for (const column of columns ?? []) {
    const key = column.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const same = seen.get(key);
    if (same === column) return `“${column}” stands twice.`;
    if (same !== undefined) return `“${same}” and “${column}” differ only in case.`;
    if (new TextEncoder().encode(column).length > 255) return 'A column has at most 255 bytes.';
    seen.set(key, column);
  }
  return seen.size > 2_000 ? 'A stream has at most 2,000 columns.' : null;
};
