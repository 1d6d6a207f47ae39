// Owns taking back what was done last: the toast that offers it, and Ctrl Z for as long as it stands.
// Never knows how a thing is taken back.

import { notifications } from '@mantine/notifications';
import { faultOf } from '../api.ts';
import type { MarkName } from '../ui/mark.tsx';
import { Toast } from '../ui/toast.tsx';

let last: { readonly toast: string; readonly undo: () => Promise<void> } | undefined;

/** Says what was done, with Undo. */
export const offerUndo = (mark: MarkName, words: string, undo: () => Promise<void>): void => {
  const toast = notifications.show({
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <Toast mark={mark} action="Undo  Ctrl Z" onAction={() => void takeBack()}>
        {words}
      </Toast>
    ),
    autoClose: 10_000,
    onClose: () => {
      if (last?.toast === toast) last = undefined;
    },
  });
  last = { toast, undo };
};

const takeBack = async (): Promise<void> => {
  const done = last;
  last = undefined;
  if (!done) return;
  notifications.hide(done.toast);
  try {
    await done.undo();
  } catch (error) {
    const { message, hint } = faultOf(error);
    notifications.show({
      closeButtonProps: { 'aria-label': 'Close' },
      message: <Toast mark="error">{`It was not taken back. ${message} ${hint}`}</Toast>,
      autoClose: false,
    });
  }
};

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA'].includes(target.tagName));

if (typeof window !== 'undefined') {
  window.addEventListener('keydown', (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'z';
    if (!isUndo || !last || event.defaultPrevented || isField(event.target)) return;
    event.preventDefault();
    void takeBack();
  });
}
