// Owns landing rejects: one, or a choice as a job; the recipe that is saved with it; what is said when it is done.
// Never changes a body that came.

import { notifications } from '@mantine/notifications';
import type { Mend, RejectSelection, ReplayOutcome } from '../../core/model.ts';
import { client } from '../api.ts';
import { addressOf, go } from '../app/router.ts';
import { count } from '../ui/format.ts';
import type { MarkName } from '../ui/mark.tsx';
import { Toast } from '../ui/toast.tsx';
import { givenMend, givenSelection } from './given.ts';
import { follow, renewRejects, resultOf } from './work.ts';

/** A recipe that is saved before its first use. */
export interface NewRecipe {
  readonly name: string;
  readonly automatic: boolean;
}

interface OneReject {
  readonly knowledgebase: string;
  readonly stream: string;
  readonly rejectId: string;
}

const rows = (value: number): string => `${count(value)} ${value === 1 ? 'row' : 'rows'}`;

const say = (mark: MarkName, words: string, onShow: () => void): void => {
  const toast = notifications.show({
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <Toast
        mark={mark}
        action="Show"
        onAction={() => {
          notifications.hide(toast);
          onShow();
        }}
      >
        {words}
      </Toast>
    ),
  });
};

/** Says what failed, where the person is not at it any more; it stays until it is closed. */
export const sayFault = (words: string): void => {
  notifications.show({
    closeButtonProps: { 'aria-label': 'Close' },
    message: <Toast mark="error">{words}</Toast>,
    autoClose: false,
  });
};

/** Saves fixes as a recipe of the reject's stream; answers its id. */
export const saveRecipe = async (
  reject: OneReject,
  { fixes = [] }: Mend,
  recipe: NewRecipe,
): Promise<string> => {
  const { id } = await client.rejects.recipes.create({ ...reject, ...recipe, fixes: [...fixes] });
  return id;
};

/** Lands one. The outcome says whether it did, and if not, why. */
export const replayOne = async (
  reject: OneReject,
  mend: Mend,
  recipe: string | null,
): Promise<ReplayOutcome> => {
  try {
    const outcome = await client.rejects.replay({
      ...reject,
      ...givenMend(mend),
      ...(recipe === null ? {} : { recipe }),
    });
    const { attempt } = outcome;
    const { batchId } = attempt;
    if (outcome.landed && batchId !== null) {
      say('landed', `Landed as batch ${batchId}, ${rows(attempt.rows ?? 0)}`, () => {
        go({ screen: 'stream', stream: reject.stream, tab: 'batches', at: batchId });
      });
    }
    return outcome;
  } finally {
    await renewRejects();
  }
};

/** Lands a choice as a job, and says what became of it. */
export const replayMany = async (
  knowledgebase: string,
  selection: RejectSelection,
  mend: Mend,
  recipe: string | null,
): Promise<{ landed: number; failed: number }> => {
  const started = await client.rejects.replayMany({
    ...{ knowledgebase, selection: givenSelection(selection) },
    ...(mend.fixes ? { fixes: [...mend.fixes] } : {}),
    ...(recipe === null ? {} : { recipe }),
  });
  const job = await follow(knowledgebase, started);
  const [landed, failed, skipped] = ['landed', 'failed', 'skipped'].map((name) =>
    resultOf(job, name),
  ) as [number, number, number];
  if (job.result === null) {
    const of = job.total === null ? '' : ` of ${count(job.total)}`;
    const words = `Cancelled after ${count(job.done)}${of}; what landed stays landed`;
    say('cancelled', words, () => go({ screen: 'activity' }));
    return { landed: 0, failed: 0 };
  }
  const words = [
    `${count(landed)} landed, ${rows(resultOf(job, 'rows'))}`,
    ...(failed > 0 ? [`${count(failed)} still open`] : []),
    ...(skipped > 0 ? [`${count(skipped)} were not open any more`] : []),
  ];
  say(landed > 0 ? 'landed' : 'rejected', words.join('; '), () => {
    location.hash = addressOf({
      screen: 'rejects',
      tab: landed > 0 ? 'replayed' : 'open',
      at: null,
    });
  });
  return { landed, failed };
};
