// Owns what the eye cannot see in a text: it is split into plain pieces and named marks.
// Never changes the text: the pieces and marks in order are the text.

/** A piece of a text: as it is, or a mark that stands for characters which cannot be seen. */
export interface Piece {
  readonly text: string;
  /** What stands for it; null where the text is seen as it is. */
  readonly mark: string | null;
}

const NAMED: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
};

// Controls, format characters (zero width, direction), separators of lines, and every space but the plain one.
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|[^\S ]|\u115f|\u1160|\u3164|\uffa0/u;
/** Most values: plain letters with no space at an end. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;
const SPACES_AT_ENDS = /^ +| +$/g;

/** The pieces of a text; spaces are marked only at its start and end. */
export const piecesOf = (text: string, isWhole = true): Piece[] => {
  if (PLAIN.test(text)) return [{ text, mark: null }];
  const pieces: Piece[] = [];
  const atEnds = new Set<number>();
  for (const { 0: run, index } of text.matchAll(SPACES_AT_ENDS)) {
    if (index > 0 && !isWhole) continue;
    for (let at = index; at < index + run.length; at += 1) atEnds.add(at);
  }
  let plain = '';
  let at = 0;
  for (const char of text) {
    const mark = atEnds.has(at) ? '·' : UNSEEN.test(char) ? nameOf(char) : null;
    at += char.length;
    if (mark === null) {
      plain += char;
      continue;
    }
    if (plain !== '') pieces.push({ text: plain, mark: null });
    plain = '';
    pieces.push({ text: char, mark });
  }
  if (plain !== '') pieces.push({ text: plain, mark: null });
  return pieces;
};

const nameOf = (char: string): string =>
  NAMED[char] ?? `U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;

/** Whether a text reads as a number, so that its column stands at the right. */
export const looksLikeNumber = (text: string): boolean =>
  /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text);

/** Characters (Unicode code points) of a text. */
export const charactersOf = (text: string): number => {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
};
