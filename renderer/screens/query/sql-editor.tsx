// Owns the editor of SQL: one text for each tab with its own undo, running by key, the error at its place.
// Never runs a query itself.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { formatSql } from './format-sql.ts';
import type { RunFault } from './runs.ts';
import { type SqlNames, sqlCompletion } from './sql-completion.ts';
import { sqlLanguage } from './sql-language.ts';
import { type Part, placeIn } from './sql-words.ts';

/** What others may ask of the editor. */
export interface SqlEditorHandle {
  /** What stands in it now. */
  text(): string;
  /** Puts a text where the cursor is, or over the whole. */
  insert(text: string): void;
  /** Lays the whole text out; one step of undo. */
  format(): void;
  /** What is selected, and where it begins; null where nothing is. */
  selected(): Part | null;
  /** Sets the cursor to where an error is. */
  goTo(line: number, column: number): void;
  focus(): void;
}

interface SqlEditorProps {
  readonly ref: Ref<SqlEditorHandle>;
  /** The tab; each has a text and undo of its own. */
  readonly name: string;
  readonly sql: string;
  readonly fault: RunFault | null;
  readonly names: SqlNames;
  readonly onChange: (sql: string) => void;
  readonly onRun: () => void;
  /** Hears whether something is selected. */
  readonly onSelect: (isSome: boolean) => void;
}

/** The editor; it fills its parent. */
export const SqlEditor = (props: SqlEditorProps) => {
  const { ref, name, sql, fault } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const states = useRef(new Map<string, EditorState>());
  const shown = useRef(name);
  const now = useRef(props);
  now.current = props;

  // The editor is made once; the tab's text comes in below.
  useEffect(() => {
    const kept = states.current;
    const { name: first, sql: text } = now.current;
    const made = new EditorView({
      parent: place.current as HTMLDivElement,
      state: stateFor(text, now),
    });
    shown.current = first;
    view.current = made;
    made.focus();
    return () => {
      made.destroy();
      kept.clear();
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    if (shown.current !== name) {
      states.current.set(shown.current, editor.state);
      shown.current = name;
      editor.setState(states.current.get(name) ?? stateFor(now.current.sql, now));
      now.current.onSelect(selectedIn(editor.state) !== null);
      editor.focus();
    }
    if (editor.state.doc.toString() !== sql) {
      editor.dispatch({
        changes: { from: 0, to: editor.state.doc.length, insert: sql },
        selection: { anchor: sql.length },
      });
    }
  }, [name, sql]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || shown.current !== name) return;
    editor.dispatch(setDiagnostics(editor.state, marksOf(editor.state.doc.toString(), fault)));
  }, [name, fault]);

  useImperativeHandle(ref, () => ({
    text: () => view.current?.state.doc.toString() ?? now.current.sql,
    insert: (text) => {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch(editor.state.replaceSelection(text), { scrollIntoView: true });
      editor.focus();
    },
    format: () => {
      const editor = view.current;
      if (!editor) return;
      const { doc } = editor.state;
      const laid = formatSql(doc.toString());
      if (laid !== doc.toString()) {
        editor.dispatch({
          changes: { from: 0, to: doc.length, insert: laid },
          selection: { anchor: laid.length },
        });
      }
      editor.focus();
    },
    selected: () => (view.current ? selectedIn(view.current.state) : null),
    goTo: (line, column) => {
      const editor = view.current;
      if (!editor) return;
      const { from } = placeIn(editor.state.doc.toString(), line, column);
      editor.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      editor.focus();
    },
    focus: () => view.current?.focus(),
  }));
  return <div ref={place} className="sql-editor" />;
};

/** What is selected; null for nothing but white space. */
const selectedIn = ({ doc, selection: { main } }: EditorState): Part | null => {
  const sql = doc.sliceString(main.from, main.to);
  if (sql.trim() === '') return null;
  const line = doc.lineAt(main.from);
  const before = doc.sliceString(line.from, main.from);
  return { sql, line: line.number, column: [...before].length + 1 };
};

const marksOf = (sql: string, fault: RunFault | null) => {
  if (fault?.line == null || fault.column === null) return [];
  const { from, to } = placeIn(sql, fault.line, fault.column);
  return [{ from, to, severity: 'error' as const, message: fault.message }];
};

const stateFor = (sql: string, now: { readonly current: SqlEditorProps }): EditorState =>
  EditorState.create({
    doc: sql,
    selection: { anchor: sql.length },
    extensions: [
      Prec.highest(
        keymap.of([
          {
            key: 'Mod-Enter',
            run: () => {
              now.current.onRun();
              return true;
            },
          },
        ]),
      ),
      lineNumbers(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      placeholder('SELECT … FROM a stream at the left, or a saved query'),
      sqlLanguage(),
      sqlCompletion({
        streams: () => now.current.names.streams(),
        known: () => now.current.names.known(),
        viewOf: (stream) => now.current.names.viewOf(stream),
        columnsOf: (stream) => now.current.names.columnsOf(stream),
      }),
      EditorView.contentAttributes.of({ 'aria-label': 'SQL' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) now.current.onChange(update.state.doc.toString());
        if (update.docChanged || update.selectionSet) {
          now.current.onSelect(selectedIn(update.state) !== null);
        }
      }),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
    ],
  });
