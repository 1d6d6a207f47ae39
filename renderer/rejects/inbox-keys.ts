// Owns what a key means in the inbox: where it moves, or what it does. Never does it.

import type { InboxItem } from './inbox-items.ts';

/** Where the keyboard is. */
export interface InboxAt {
  readonly items: readonly InboxItem[];
  /** The line that keys act on; -1 for none. */
  readonly at: number;
  readonly isOpen: (key: string) => boolean;
  /** Lines of one page. */
  readonly page: number;
}

export type InboxAct =
  | { readonly act: 'move'; readonly to: number; readonly extends: boolean }
  | { readonly act: 'open' | 'close' | 'more' | 'toggle' | 'all' | 'none' | 'into' };

interface Pressed {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** What a key does; null where the inbox leaves it alone. */
export const inboxAct = (pressed: Pressed, place: InboxAt): InboxAct | null => {
  const { key, shiftKey } = pressed;
  const { items, at, isOpen, page } = place;
  const isHeld = pressed.ctrlKey || pressed.metaKey;
  if (isHeld) return key.toLowerCase() === 'a' ? { act: 'all' } : null;
  const item = items[at];
  const to = (index: number): InboxAct => ({
    act: 'move',
    to: Math.max(0, Math.min(items.length - 1, index)),
    extends: shiftKey,
  });
  if (items.length === 0) return null;
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return to(at + 1);
    case 'ArrowUp':
    case 'k':
      return to(at - 1);
    case 'PageDown':
      return to(at + page);
    case 'PageUp':
      return to(at - page);
    case 'Home':
      return to(0);
    case 'End':
      return to(items.length - 1);
    case 'ArrowRight':
      if (item?.kind !== 'group') return null;
      return isOpen(item.key) ? to(at + 1) : { act: 'open' };
    case 'ArrowLeft': {
      if (item?.kind === 'group') return isOpen(item.key) ? { act: 'close' } : null;
      const head = items.slice(0, at).findLastIndex(({ kind }) => kind === 'group');
      return head < 0 ? null : to(head);
    }
    case 'Enter':
      if (item?.kind === 'group') return { act: isOpen(item.key) ? 'close' : 'open' };
      if (item?.kind === 'more') return { act: 'more' };
      return item ? { act: 'into' } : null;
    case ' ':
      return item?.kind === 'reject' || item?.kind === 'found' ? { act: 'toggle' } : null;
    case 'Escape':
      return { act: 'none' };
    default:
      return null;
  }
};
