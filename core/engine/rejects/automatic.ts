// Owns applying recipes by themselves to rejects as they come, one after the other, after their producers were answered.
// Never on a request's path: a POST's answer is decided before.

import { AppError } from '../../errors.ts';
import type { LiveNews } from '../../model.ts';
import type { RejectContext } from './context.ts';
import { findReject } from './find.ts';
import { automaticRecipe } from './recipes.ts';
import { replayReject } from './replay.ts';

export interface AutomaticRecipes {
  /** Hears of what happens. */
  hear(news: LiveNews): void;
  /** Resolves when none waits. */
  settled(): Promise<void>;
  /** Finishes the one under way; the others stay open. */
  close(): Promise<void>;
}

/** The most that wait; more come only while something is very wrong, and stay open for a person. */
const MOST_WAITING = 10_000;

export const openAutomaticRecipes = (
  contextOf: (knowledgebase: string) => RejectContext,
  onBug: (error: unknown) => void,
): AutomaticRecipes => {
  const waiting: { knowledgebase: string; stream: string; rejectId: string }[] = [];
  let running: Promise<void> | undefined;
  let closed = false;

  const one = async ({ knowledgebase: id, stream, rejectId }: (typeof waiting)[number]) => {
    const context = contextOf(id);
    const { knowledgebase } = context;
    const reject = findReject(knowledgebase, stream, rejectId);
    // A try of a recipe is not tried again by itself.
    if (reject.state !== 'open' || reject.attempts > 0) return;
    const recipe = automaticRecipe(knowledgebase, stream, reject);
    if (!recipe) return;
    const by = `recipe ${recipe.name}`;
    const actor = { by, recipeId: recipe.id, operation: null };
    const { landed } = await replayReject(context, stream, rejectId, recipe, actor);
    const how = landed ? 'landed' : 'still fails';
    knowledgebase.tell('recipe-applied', `The reject ${rejectId} ${how} (${by}).`, stream);
  };

  const drain = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !closed; next = waiting.shift()) {
      try {
        await one(next);
      } catch (error) {
        // It stays open: another process was landing rejects of the stream.
        if (!(error instanceof AppError) || error.code !== 'replay_running') onBug(error);
      }
    }
    running = undefined;
  };

  return {
    hear: (news) => {
      if (news.kind !== 'rejected' || closed || waiting.length >= MOST_WAITING) return;
      const { knowledgebase, stream, rejectId } = news;
      waiting.push({ knowledgebase, stream, rejectId });
      running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(drain);
    },
    settled: async () => {
      while (running) await running;
    },
    close: async () => {
      closed = true;
      await running;
    },
  };
};
