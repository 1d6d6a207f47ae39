// Owns how data is shown inside a sentence: short, quoted, nothing in it invisible.
// Never shows a whole value.

/** Controls, formats (bidirectional marks too), unassigned and private characters, odd spaces. */
const INVISIBLE = /^[\p{C}\p{Zl}\p{Zp}]$|^(?! )\p{Zs}$/u;

/** A code point by its number, as in U+200B. */
const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const NAMED_ESCAPES = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function visible(character: string): string {
  const named = NAMED_ESCAPES.get(character);
  if (named !== undefined) return named;
  if (!INVISIBLE.test(character)) return character;
  let escaped = '';
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

/** The text in quotation marks, escaped as in JSON, cut after `most` characters with an ellipsis. */
export function showText(text: string, most: number): string {
  let shown = '';
  for (const character of text) {
    const next = shown + visible(character);
    if (next.length > most) return `"${shown}…"`;
    shown = next;
  }
  return `"${shown}"`;
}

/** One character as the subject of a sentence. */
export function showCharacter(character: string): string {
  if (character === '"') return 'a quotation mark';
  if ((character.codePointAt(0) ?? 0) < 0x20)
    return `the control character ${codePointName(character)}`;
  if (INVISIBLE.test(character) || /^\p{M}$/u.test(character)) {
    return `the character ${codePointName(character)}`;
  }
  return `"${character}"`;
}
