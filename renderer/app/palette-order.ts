// Owns which entries of the palette answer to what was typed, and in which order. Never renders, never runs one.

/** What an entry is found by. */
export interface Entry {
  readonly label?: string | undefined;
  readonly keywords?: string | string[] | undefined;
}

/** Entries under one head. */
export interface Group<Item extends Entry> {
  readonly group: string;
  readonly actions: readonly Item[];
}

/** What a first character narrows to; a group that is not in here shows without one alone. */
const MARKS: Readonly<Record<string, string>> = {
  '#': 'Streams',
  '>': 'Commands',
  '@': 'Columns',
  ':': 'Rows',
};

const MOST_IN_GROUP = 8;
const MOST_ALONE = 40;

/** What was typed: the group it is narrowed to, and the words without the mark. */
export const readTyped = (typed: string): { only: string | null; words: string } => {
  const only = MARKS[typed.trimStart().charAt(0)] ?? null;
  const words = only === null ? typed : typed.trimStart().slice(1);
  return { only, words: words.trim() };
};

/** How well an entry answers: 0 the same, 1 its start, 2 the start of a word, 3 within, 4 by every word, in keywords too; null not at all. */
export const scoreOf = ({ label = '', keywords = '' }: Entry, words: string): number | null => {
  const wanted = words.toLowerCase();
  const name = label.toLowerCase();
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  for (let at = name.indexOf(wanted); at >= 0; at = name.indexOf(wanted, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(name.charAt(at - 1))) return 2;
  }
  if (name.includes(wanted)) return 3;
  const known = `${keywords}`.toLowerCase().split(/[\s,]+/);
  const isKnown = (word: string): boolean =>
    name.includes(word) || known.some((keyword) => keyword.startsWith(word));
  return wanted.split(/\s+/).every(isKnown) ? 4 : null;
};

/**
 * The groups that answer, best first; among equals the order as given stands, so that a stream goes before a command.
 * Groups of `last` come after all others. Within a group the best is first, then the shortest name.
 */
export const ranked = <Item extends Entry>(
  groups: readonly Group<Item>[],
  typed: string,
  last: readonly string[] = [],
): Group<Item>[] => {
  const { only, words } = readTyped(typed);
  const most = only === null ? MOST_IN_GROUP : MOST_ALONE;
  return groups
    .filter(({ group }) => only === null || group === only)
    .map(({ group, actions }) => {
      const found = actions
        .flatMap((action) => {
          const score = scoreOf(action, words);
          return score === null ? [] : [{ action, score }];
        })
        .sort(
          (one, other) =>
            one.score - other.score ||
            (words === '' ? 0 : lengthOf(one.action) - lengthOf(other.action)),
        );
      const best = (found[0]?.score ?? 0) + (last.includes(group) ? 10 : 0);
      return { group, best, actions: found.slice(0, most).map(({ action }) => action) };
    })
    .filter(({ actions }) => actions.length > 0)
    .sort((one, other) => one.best - other.best)
    .map(({ group, actions }) => ({ group, actions }));
};

const lengthOf = ({ label = '' }: Entry): number => label.length;
