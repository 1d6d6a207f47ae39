// Owns laying a JSON text out in lines. Only white space between its pieces changes: numbers, strings and order stay.
// Never recurses, however deep the text is.

/** A piece of a line: its text, and whether it is a key. */
export interface JsonPiece {
  readonly text: string;
  readonly isKey: boolean;
}

const PIECE = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The lines; null where the text is no JSON object or array. */
export const jsonLines = (text: string): JsonPiece[][] | null => {
  if (!/^\s*[{[]/.test(text) || !isJson(text)) return null;
  const lines: JsonPiece[][] = [];
  let line: JsonPiece[] = [];
  let depth = 0;
  const say = (piece: string, isKey = false): void => {
    line.push({ text: piece, isKey });
  };
  const next = (): void => {
    lines.push(line);
    // Deeper than can be seen is not stepped in further.
    line = depth === 0 ? [] : [{ text: '  '.repeat(Math.min(depth, 40)), isKey: false }];
  };
  const pieces = text.match(PIECE) ?? [];
  for (const [at, piece] of pieces.entries()) {
    if (piece === '{' || piece === '[') {
      say(piece);
      if (isEnd(pieces[at + 1])) continue;
      depth += 1;
      next();
    } else if (isEnd(piece)) {
      if (!/^[{[]$/.test(pieces[at - 1] ?? '')) {
        depth -= 1;
        next();
      }
      say(piece);
    } else if (piece === ',') {
      say(piece);
      next();
    } else if (piece === ':') say(': ');
    else say(piece, pieces[at + 1] === ':');
  }
  return [...lines, line];
};

const isEnd = (piece: string | undefined): boolean => piece === '}' || piece === ']';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
