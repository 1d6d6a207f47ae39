// Owns how SQL is read and drawn in the editor: DuckDB's dialect, keywords coloured and nothing else, our tokens.
// Never reads a stream.

import { SQLDialect } from '@codemirror/lang-sql';
import { syntaxTree } from '@codemirror/language';
import { type Extension, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { KEYWORDS, TYPES } from './sql-words.ts';

const DUCKDB = SQLDialect.define({
  keywords: KEYWORDS,
  types: TYPES,
  doubleDollarQuotedStrings: true,
  caseInsensitiveIdentifiers: true,
  operatorChars: '+-*/<>=~!@#%^&|`?:',
  specialVar: '$',
});

/** Keywords that are functions where a bracket follows. */
const CALLS = new Set(['first', 'glob', 'last', 'left', 'range', 'replace', 'right']);

const KEYWORD = Decoration.mark({ class: 'sql-keyword' });
const QUIET = Decoration.mark({ class: 'sql-comment' });
const STRING = Decoration.mark({ class: 'sql-string' });

const draw = (view: EditorView): DecorationSet => {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: ({ name, from: start, to: end }) => {
        if (name === 'Keyword' || name === 'Bool' || name === 'Null') {
          const isName = view.state.sliceDoc(start - 1, start) === '.';
          const isCall = view.state.sliceDoc(end, end + 1) === '(';
          const word = isCall ? view.state.sliceDoc(start, end).toLowerCase() : '';
          if (!isName && !CALLS.has(word)) builder.add(start, end, KEYWORD);
        } else if (name === 'Type') {
          // A column may be called `date`; a type follows AS or ::.
          const before = view.state.sliceDoc(Math.max(0, start - 12), start);
          if (/(\bas\s+|::\s*)$/i.test(before)) builder.add(start, end, KEYWORD);
        } else if (name.endsWith('Comment')) builder.add(start, end, QUIET);
        else if (name === 'String') builder.add(start, end, STRING);
      },
    });
  }
  return builder.finish();
};

const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = draw(view);
    }
    update(update: ViewUpdate): void {
      const isReparsed = syntaxTree(update.startState) !== syntaxTree(update.state);
      if (update.docChanged || update.viewportChanged || isReparsed) {
        this.decorations = draw(update.view);
      }
    }
  },
  { decorations: ({ decorations }) => decorations },
);

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--s-bg-content)', color: 'var(--s-ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: '400 12px / 20px var(--s-mono)', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--s-accent-mark)' },
  '.cm-line': { padding: '0 16px 0 8px' },
  '.cm-cursor': { borderLeft: '2px solid var(--s-accent-mark)' },
  '.cm-gutters': {
    border: '0',
    backgroundColor: 'var(--s-bg-content)',
    color: 'var(--s-ink-3)',
    fontSize: '11px',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '32px', padding: '0 8px 0 4px' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': {
    backgroundColor: 'var(--s-bg-hover)',
  },
  '.cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'color-mix(in srgb, var(--s-accent-mark) 24%, transparent)' },
  '&.cm-focused .cm-matchingBracket': {
    outline: '1px solid var(--s-line-2)',
    backgroundColor: 'transparent',
  },
  '.cm-placeholder': { color: 'var(--s-ink-3)' },
  '.cm-tooltip': {
    overflow: 'hidden',
    border: '1px solid var(--s-line)',
    borderRadius: '8px',
    backgroundColor: 'var(--s-bg-raised)',
    color: 'var(--s-ink)',
    boxShadow: 'var(--s-shadow-float)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: 'none',
    padding: '4px',
    font: '400 12px / 20px var(--s-mono)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '16px',
    justifyContent: 'space-between',
    padding: '2px 8px',
    borderRadius: '3px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--s-bg-active)',
    color: 'var(--s-ink)',
  },
  '.cm-completionMatchedText': { color: 'var(--s-accent-text)', textDecoration: 'none' },
  '.cm-completionDetail': {
    overflow: 'hidden',
    maxWidth: '200px',
    margin: '0',
    color: 'var(--s-ink-3)',
    fontStyle: 'normal',
    textOverflow: 'ellipsis',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    borderBottom: '2px solid var(--s-bad-mark)',
    backgroundColor: 'var(--s-bad-bg)',
  },
  '.cm-diagnostic': {
    maxWidth: '560px',
    padding: '6px 12px',
    borderLeft: '2px solid var(--s-bad-mark)',
    font: '400 12px / 18px var(--s-font)',
    whiteSpace: 'pre-wrap',
  },
});

/** The language, its colours and the editor's look. */
export const sqlLanguage = (): Extension => [DUCKDB.language, colours, look];
