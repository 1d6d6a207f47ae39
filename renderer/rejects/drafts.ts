// Owns edits by hand that were not sent: one for each reject, kept while others are looked at. Never sends one.

import { useSyncExternalStore } from 'react';
import type { LineEdit } from '../../core/model.ts';

/** An edit: the whole text anew, or some lines of it. */
export type Draft = { readonly version: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'lines'; readonly edits: readonly LineEdit[] }
);

const drafts = new Map<string, Draft>();
const watchers = new Set<() => void>();
let version = 0;

const tell = (): void => {
  for (const hear of watchers) hear();
};

const watch = (hear: () => void): (() => void) => {
  watchers.add(hear);
  return () => watchers.delete(hear);
};

/** What a draft is kept by. */
export const draftKey = (knowledgebase: string, reject: string): string =>
  `${knowledgebase}/${reject}`;

/** Keeps a text as the draft of a reject. */
export const keepText = (key: string, text: string): void => {
  version += 1;
  drafts.set(key, { kind: 'text', text, version });
  tell();
};

/** Keeps an edit of one line; an edit that changes nothing is given as undefined and forgotten. */
export const keepLine = (key: string, line: number, edit: LineEdit | undefined): void => {
  const before = drafts.get(key);
  const others = before?.kind === 'lines' ? before.edits.filter((one) => one.line !== line) : [];
  const edits = edit ? [...others, edit].sort((one, other) => one.line - other.line) : others;
  version += 1;
  if (edits.length === 0) drafts.delete(key);
  else drafts.set(key, { kind: 'lines', edits, version });
  tell();
};

/** Lets a draft go. */
export const dropDraft = (key: string): void => {
  if (drafts.delete(key)) tell();
};

/** The draft of a reject. */
export const useDraft = (key: string): Draft | undefined =>
  useSyncExternalStore(watch, () => drafts.get(key));

/** Whether each of these rejects has a draft; renewed as drafts come and go. */
export const useHasDraft = (key: string): boolean =>
  useSyncExternalStore(watch, () => drafts.has(key));

// Closing the window would lose them: the browser asks.
if (typeof window !== 'undefined') {
  window.addEventListener('beforeunload', (event) => {
    if (drafts.size > 0) event.preventDefault();
  });
}
