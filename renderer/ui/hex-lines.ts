// Owns a text as its bytes: UTF-8 in hex, eight a line, with the letters that can be seen.
// Never shows more than is asked for.

const A_LINE = 8;

/** Lines of place, bytes and letters: `0008  72 65 2d 73 65 61 74 65  re-seate`. `size` counts all bytes of the text. */
export const hexLines = (text: string, most: number): { lines: string[]; size: number } => {
  const bytes = new TextEncoder().encode(text);
  const lines: string[] = [];
  for (let at = 0; at < Math.min(most, bytes.length); at += A_LINE) {
    const some = [...bytes.subarray(at, Math.min(most, at + A_LINE))];
    const hex = some.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const letters = some.map((byte) =>
      byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·',
    );
    const place = at.toString(16).padStart(4, '0');
    lines.push(`${place}  ${hex.padEnd(A_LINE * 3 - 1)}  ${letters.join('')}`);
  }
  return { lines, size: bytes.length };
};
