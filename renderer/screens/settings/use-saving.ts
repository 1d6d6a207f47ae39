// Owns saving one setting at once: what went wrong stays, and that it was saved is said for a moment.
// Never holds the setting.

import { useEffect, useRef, useState } from 'react';
import { faultOf } from '../../api.ts';

const SAID_MS = 2_500;

/** How the last save went. */
export interface Saving {
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  /** Why it was not saved; null where it was. */
  readonly fault: string | null;
}

/** The state of a save and the function that saves; that answers whether it went well. */
export const useSaving = (): Saving & {
  save: (work: () => Promise<unknown>) => Promise<boolean>;
} => {
  const [saving, setSaving] = useState<Saving>({ isSaving: false, isSaved: false, fault: null });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const save = async (work: () => Promise<unknown>): Promise<boolean> => {
    clearTimeout(timer.current);
    setSaving({ isSaving: true, isSaved: false, fault: null });
    try {
      await work();
      setSaving({ isSaving: false, isSaved: true, fault: null });
      timer.current = setTimeout(
        () => setSaving({ isSaving: false, isSaved: false, fault: null }),
        SAID_MS,
      );
      return true;
    } catch (error) {
      const { message, hint } = faultOf(error);
      setSaving({ isSaving: false, isSaved: false, fault: `${message} ${hint}`.trim() });
      return false;
    }
  };
  return { ...saving, save };
};
