// Owns editing the whole body of a reject as text, with its faults marked. Never sends it: each change is kept as a draft.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Fault } from '../../core/model.ts';
import './editor.css';
import { stretchAt } from './segments.ts';

interface BodyEditorProps {
  readonly label: string;
  readonly text: string;
  readonly faults: readonly Fault[];
  /** Number of the first line. */
  readonly firstLine?: number;
  readonly hasFocus?: boolean;
  readonly onChange: (text: string) => void;
}

/** Characters that the page would hide or turn around, beside the editor's own. */
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu;

/** Ctrl Enter replays, here as everywhere. */
const KEYS = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

/** The editor; it fills its parent. Its text is its own after the first drawing. */
export const BodyEditor = (props: BodyEditorProps) => {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const now = useRef(props);
  now.current = props;
  const { faults } = props;

  useEffect(() => {
    const { text, label, firstLine = 1, hasFocus } = now.current;
    const made = new EditorView({
      parent: place.current as HTMLDivElement,
      state: EditorState.create({
        doc: text,
        extensions: [
          // A carriage return is a character of the body, not the end of a line.
          EditorState.lineSeparator.of('\n'),
          lineNumbers({ formatNumber: (line) => String(line + firstLine - 1) }),
          history(),
          drawSelection(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSpecialChars({
            specialChars: UNSEEN,
            render: (code) => markOf(code),
          }),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) now.current.onChange(update.state.sliceDoc());
          }),
          keymap.of([...lintKeymap, ...historyKeymap, ...KEYS]),
        ],
      }),
    });
    view.current = made;
    const at = placesOf(made.state, now.current.faults, firstLine)[0];
    if (at) made.dispatch({ selection: { anchor: at.from }, scrollIntoView: true });
    if (hasFocus !== false) made.focus();
    return () => made.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const marks = placesOf(editor.state, faults, now.current.firstLine ?? 1);
    editor.dispatch(setDiagnostics(editor.state, marks));
  }, [faults]);
  return <div ref={place} className="body-editor" />;
};

/** The same marks as in the body: what is not seen is named. */
const markOf = (code: number): HTMLElement => {
  const mark = document.createElement('span');
  mark.className = 'cell-mark';
  const named: Readonly<Record<number, string>> = { 9: '\\t', 13: '\\r', 0: '\\0' };
  mark.textContent = named[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return mark;
};

const placesOf = (state: EditorState, faults: readonly Fault[], firstLine: number) =>
  faults.flatMap(({ line, column, message }) => {
    const number = (line ?? 0) - firstLine + 1;
    if (line === null || number < 1 || number > state.doc.lines) return [];
    const { from, to, text } = state.doc.line(number);
    const at = column === null ? { from: 0, to: text.length } : stretchAt(text, column);
    const start = Math.min(to, from + at.from);
    return [{ from: start, to: Math.min(to, from + at.to), severity: 'error' as const, message }];
  });
