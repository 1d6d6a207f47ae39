// Owns the file of a stream's recipes, in its folder: reading and replacing it.
// Never applies one.

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { errnoOf, replaceFile } from '../durable.ts';
import { AppError, CATALOGUE, type ErrorCode } from '../errors.ts';
import type { Fix, Recipe } from '../model.ts';

const recipeSchema = z.object({
  id: z.string(),
  name: z.string(),
  fixes: z.array(z.object({ kind: z.string() }).loose()),
  code: z.string().refine((code) => Object.hasOwn(CATALOGUE, code)),
  field: z.string().nullable(),
  shape: z.string(),
  automatic: z.boolean(),
  created_at: z.string(),
});
const fileSchema = z.object({ recipes: z.array(recipeSchema) });

/** A recipe as it is kept; what it did is told by the ledger. */
export type KeptRecipe = Pick<
  Recipe,
  'id' | 'name' | 'fixes' | 'cause' | 'automatic' | 'createdAt'
>;

/** A stream's recipes, in the order they were made. Throws `not_a_knowledgebase` when the file is none of ours. */
export const readRecipes = (path: string): KeptRecipe[] => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
  try {
    return fileSchema.parse(JSON.parse(text)).recipes.map((recipe) => ({
      id: recipe.id,
      name: recipe.name,
      fixes: recipe.fixes as unknown as Fix[],
      cause: {
        code: recipe.code as ErrorCode,
        field: recipe.field,
        shape: recipe.shape as Recipe['cause']['shape'],
      },
      automatic: recipe.automatic,
      createdAt: recipe.created_at,
    }));
  } catch (error) {
    const hint = 'Put back the file from a copy of the folder, or remove it.';
    throw new AppError('not_a_knowledgebase', `${path} is not as Strata wrote it.`, {
      hint,
      cause: error,
    });
  }
};

/** Replaces a stream's recipes, durably. */
export const writeRecipes = (path: string, recipes: readonly KeptRecipe[]): void => {
  const kept = recipes.map(({ id, name, fixes, cause, automatic, createdAt }) => ({
    ...{ id, name, fixes, code: cause.code, field: cause.field, shape: cause.shape },
    ...{ automatic, created_at: createdAt },
  }));
  replaceFile(path, `${JSON.stringify({ recipes: kept }, null, 2)}\n`);
};
