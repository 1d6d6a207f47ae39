// Owns what the editor offers while a person types: views of streams, their columns, functions, keywords.
// Never offers inside a string or a comment.

import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { FUNCTIONS, KEYWORDS, sqlName, streamsIn, typedAtEnd } from './sql-words.ts';

interface StreamName {
  readonly name: string;
  readonly detail: string;
}

/** What completion asks about the knowledgebase. */
export interface SqlNames {
  /** Those with rows; undefined until they are known. */
  readonly streams: () => readonly StreamName[] | undefined;
  /** Resolves when they are. */
  readonly known: () => Promise<unknown>;
  /** The view of a stream as SQL names it. */
  readonly viewOf: (stream: string) => string;
  /** The columns of a stream, ours included; empty where they are not known. */
  readonly columnsOf: (stream: string) => Promise<readonly string[]>;
}

const FIXED: readonly Completion[] = [
  ...KEYWORDS.split(' ').map((word) => ({ label: word.toUpperCase(), type: 'keyword', boost: -2 })),
  ...FUNCTIONS.map(([name, takes]) => {
    const shown = { label: name, detail: `(${takes})`, type: 'function', boost: -1 };
    return takes === ''
      ? { ...shown, apply: `${name}()` }
      : snippetCompletion(`${name}(\${})`, shown);
  }),
];

/** Completion over the names of a knowledgebase. */
export const sqlCompletion = (names: SqlNames): Extension =>
  autocompletion({
    icons: false,
    override: [(context) => offer(context, names)],
    // As many as stand without scrolling; the arrows bring the others.
    maxRenderedOptions: 12,
  });

const offer = async (
  context: CompletionContext,
  names: SqlNames,
): Promise<CompletionResult | null> => {
  const node = syntaxTree(context.state).resolveInner(context.pos, -1);
  if (/String|Comment/.test(node.name) && node.to >= context.pos && node.from < context.pos) {
    if (!/^"/.test(context.state.sliceDoc(node.from, node.to))) return null;
  }
  const line = context.state.doc.lineAt(context.pos);
  const typed = typedAtEnd(context.state.sliceDoc(line.from, context.pos));
  const from = context.pos - typed.length;
  const afterDot = context.state.sliceDoc(from - 1, from) === '.';
  if (typed === '' && !afterDot && !context.explicit) return null;
  const quoted = typed.startsWith('"');
  const before = context.state.sliceDoc(0, from);
  const known = names.streams();
  if (known === undefined) void askAgain(context, names);
  const streams = known ?? [];
  const columns = await columnOptions(context.state.doc.toString(), streams, names, quoted);
  const views = streams.map(({ name, detail }): Completion => {
    const inSchema = /raw_extracted\s*\.$/i.test(before);
    const whole = names.viewOf(name);
    return {
      label: quoted ? `"stream_${name}"` : `stream_${name}`,
      detail,
      type: 'view',
      apply: quoted || inSchema ? `"stream_${name}"` : whole,
      boost: /\b(from|join)\s*$/i.test(before) ? 3 : 1,
    };
  });
  const inSchema = /raw_extracted\s*\.$/i.test(before);
  const options = inSchema ? views : afterDot ? columns : [...columns, ...views];
  return {
    from,
    options: quoted || afterDot ? options : [...options, ...FIXED],
    // What lacks the streams is asked for anew with each letter, so that the newest place waits for them.
    ...(known === undefined ? {} : { validFor: quoted ? /^"[^"\n]*$/ : /^\w*$/ }),
  };
};

/** Asks anew when the streams are known, where the cursor still waits for them. */
const askAgain = async ({ view, state }: CompletionContext, names: SqlNames): Promise<void> => {
  await names.known();
  const isAsIs = view?.state.doc === state.doc && view.state.selection.eq(state.selection);
  if (view && isAsIs && view.hasFocus) startCompletion(view);
};

const columnOptions = async (
  sql: string,
  streams: readonly StreamName[],
  names: SqlNames,
  quoted: boolean,
): Promise<Completion[]> => {
  const known = new Map(streams.map(({ name }) => [name.toLowerCase(), name]));
  const named = streamsIn(sql).flatMap((stream) => known.get(stream.toLowerCase()) ?? []);
  const found = new Map<string, string>();
  for (const stream of named) {
    for (const column of await names.columnsOf(stream)) {
      if (!found.has(column)) found.set(column, stream);
    }
  }
  return [...found].map(([column, stream]) => ({
    label: quoted ? `"${column.replaceAll('"', '""')}"` : column,
    detail: stream,
    type: 'column',
    apply: quoted ? `"${column.replaceAll('"', '""')}"` : sqlName(column),
    boost: 2,
  }));
};
