// Owns finding the imports in the text of a source file, by its tokens.
// Never resolves what they name.

/** One import as it is written. */
export interface FoundImport {
  /** The text between the quotes. */
  readonly from: string;
  /** Whether it is gone at run time: `import type ... from` or `export type ... from`. */
  readonly typeOnly: boolean;
}

const STATEMENT =
  /(?<![\w$.])(?:import|export)(?<type>\s+type(?=[\s{*]))?(?<names>[\s\w$*{},]*?)\sfrom\s*(?<string>@\d+@)/g;
const BARE = /(?<![\w$.])import\s*(?<string>@\d+@)/g;
const DYNAMIC = /(?<![\w$.])import\s*\(\s*(?<string>@\d+@)/g;

/** Every static import, export-from, and dynamic import of a literal, in the order of their kinds. */
export function findImports(text: string): FoundImport[] {
  const { code, strings } = withoutText(text);
  const found: FoundImport[] = [];
  for (const pattern of [STATEMENT, BARE, DYNAMIC]) {
    for (const { groups = {} } of code.matchAll(pattern)) {
      const from = strings[Number(groups.string?.slice(1, -1))] ?? '';
      // `import type from './x.ts'` imports a value that is called type.
      const typeOnly = groups.type !== undefined && groups.names?.trim() !== '';
      found.push({ from, typeOnly });
    }
  }
  return found;
}

/**
 * The code with each string replaced by `@index@`, and comments, templates' text and regular expressions left out,
 * so that nothing inside them is taken for an import.
 */
function withoutText(text: string): { code: string; strings: string[] } {
  const strings: string[] = [];
  let code = '';
  let at = 0;
  // Depths of braces at which the text of a template goes on.
  const templates: number[] = [];
  let depth = 0;

  const skipTemplateText = (): void => {
    while (at < text.length) {
      if (text[at] === '\\') at += 2;
      else if (text[at] === '`') {
        at += 1;
        return;
      } else if (text.startsWith('${', at)) {
        at += 2;
        templates.push(depth);
        depth += 1;
        return;
      } else at += 1;
    }
  };

  while (at < text.length) {
    const char = text[at] as string;
    if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      at = end < 0 ? text.length : end + 2;
      code += ' ';
    } else if (char === "'" || char === '"') {
      const literal = /(['"])((?:\\[\s\S]|(?!\1)[^\\\n])*)\1/y;
      literal.lastIndex = at;
      const match = literal.exec(text);
      code += match ? `@${strings.push(match[2] as string) - 1}@` : char;
      at += match ? match[0].length : 1;
    } else if (char === '`') {
      code += ' 0 ';
      at += 1;
      skipTemplateText();
    } else if (char === '/' && startsRegExp(code)) {
      const literal = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
      literal.lastIndex = at;
      const match = literal.exec(text);
      code += match ? ' 0 ' : char;
      at += match ? match[0].length : 1;
    } else {
      if (char === '{') depth += 1;
      if (char === '}') depth -= 1;
      code += char;
      at += 1;
      if (char === '}' && templates.at(-1) === depth) {
        templates.pop();
        skipTemplateText();
      }
    }
  }
  return { code, strings };
}

/** Whether a slash after this code begins a regular expression; elsewhere it divides. */
function startsRegExp(code: string): boolean {
  const before = code.trimEnd();
  return /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|of|in|yield|await))$/.test(before);
}
