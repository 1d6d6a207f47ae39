// Owns replaying what is chosen, and what is said while and after: busy, what failed, the recipe that is saved with it.
// Never decides what is chosen.

import { useEffect, useRef, useState } from 'react';
import type { RejectDetail, RejectSelection } from '../../core/model.ts';
import { faultOf } from '../api.ts';
import { count } from '../ui/format.ts';
import type { Choice } from './choices.ts';
import { draftKey, dropDraft } from './drafts.ts';
import { rejectKey } from './inbox-items.ts';
import { type NewRecipe, replayMany, replayOne, saveRecipe, sayFault } from './replay.tsx';
import type { Reach } from './use-choice.ts';

interface Replaying {
  readonly knowledgebase: string;
  readonly detail: RejectDetail;
  readonly chosen: Choice | null;
  readonly reach: Reach;
  /** What `many` is. */
  readonly selection: RejectSelection;
  readonly onGone: (reach: Reach) => void;
}

interface Said {
  readonly message: string;
  readonly hint: string;
}

/** Whether a choice can be saved as a recipe: fixes that are none yet. */
export const canSave = ({ recipe, mend }: Choice): boolean =>
  recipe === null && (mend.fixes?.length ?? 0) > 0;

/** Replaying, as it is now. */
export const useReplay = (given: Replaying) => {
  const { knowledgebase, detail, chosen, reach, selection, onGone } = given;
  const { stream, rejectId } = detail;
  const name = { knowledgebase, stream, rejectId };
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<Said | null>(null);
  const [recipe, setRecipe] = useState<NewRecipe | null>(null);

  // The person may be elsewhere when it ends: they are not led back, and still told what failed.
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const tell = (what: Said): void => {
    if (isHere.current) setFault(what);
    else sayFault(`${stream} ${rejectId}: ${what.message} ${what.hint}`);
  };

  const land = async (choice: Choice): Promise<void> => {
    const id =
      canSave(choice) && recipe !== null
        ? await saveRecipe(name, choice.mend, recipe)
        : (choice.recipe?.id ?? null);
    setRecipe(null);
    if (reach === 'many') {
      const { landed, failed } = await replayMany(knowledgebase, selection, choice.mend, id);
      if (landed > 0 && isHere.current) onGone('many');
      else if (failed > 0) {
        const message = `None landed; ${count(failed)} stay open.`;
        tell({ message, hint: 'The reason of each is in its history.' });
      }
      return;
    }
    const { landed, attempt } = await replayOne(name, choice.mend, id);
    if (landed) {
      dropDraft(draftKey(knowledgebase, rejectKey(detail)));
      if (isHere.current) onGone('one');
    } else {
      const hint = attempt.fault?.message ?? '';
      tell({ message: 'It did not land and stays open.', hint });
    }
  };

  const replay = async (): Promise<void> => {
    if (chosen === null) return;
    setBusy(true);
    setFault(null);
    try {
      await land(chosen);
    } catch (error) {
      const { code, message, hint } = faultOf(error);
      tell(code === 'reject_not_open' ? MEANWHILE : { message, hint });
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, fault, recipe, setRecipe, replay };
};

const MEANWHILE: Said = {
  message: 'It was replayed or discarded meanwhile, by another window or a recipe.',
  hint: 'Nothing was sent twice. What became of it is shown now; an edit of yours is kept.',
};
