// Owns a stream's recipes: saving, changing, counting, and which one is for a reject.
// Never applies one by itself; automatic.ts does.

import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Cause, Fix, Recipe } from '../../model.ts';
import { type KeptRecipe, readRecipes, writeRecipes } from '../../rejects/recipe-file.ts';
import type { OpenKnowledgebase } from '../open.ts';
import { findReject } from './find.ts';

/** Recipes of a stream, or of all, by stream and name. */
export const listRecipes = (knowledgebase: OpenKnowledgebase, stream?: string): Recipe[] => {
  const { streams } = knowledgebase;
  const ids = stream === undefined ? streams.list() : [streams.get(stream).id];
  return ids.flatMap((id) =>
    readRecipes(streams.get(id).paths.recipes)
      .map((recipe) => counted(knowledgebase, id, recipe))
      .sort((one, other) => one.name.localeCompare(other.name)),
  );
};

/** Saves fixes for rejects alike one. Throws `recipe_exists`, `no_such_reject`. */
export const createRecipe = (
  knowledgebase: OpenKnowledgebase,
  like: { readonly stream: string; readonly rejectId: string },
  {
    name,
    fixes,
    automatic,
  }: { readonly name: string; readonly fixes: readonly Fix[]; readonly automatic: boolean },
): Recipe => {
  const { stream, code, field, shape } = findReject(knowledgebase, like.stream, like.rejectId);
  const { recipes: path } = knowledgebase.streams.get(stream).paths;
  const recipes = readRecipes(path);
  checkName(recipes, name, null);
  const recipe: KeptRecipe = {
    ...{ id: randomUUID(), name, fixes, cause: { code, field, shape }, automatic },
    createdAt: new Date().toISOString(),
  };
  writeRecipes(path, [...recipes, recipe]);
  knowledgebase.tell('recipe-saved', `The recipe "${name}" was saved.`, stream);
  return counted(knowledgebase, stream, recipe);
};

/** Changes a recipe's name, or whether it is applied by itself. Throws `no_such_recipe`, `recipe_exists`. */
export const updateRecipe = (
  knowledgebase: OpenKnowledgebase,
  streamId: string,
  id: string,
  change: { readonly name?: string | undefined; readonly automatic?: boolean | undefined },
): Recipe => {
  const { id: stream, paths } = knowledgebase.streams.get(streamId);
  const recipes = readRecipes(paths.recipes);
  const now = recipeIn(recipes, id);
  if (change.name !== undefined) checkName(recipes, change.name, id);
  const next: KeptRecipe = {
    ...now,
    name: change.name ?? now.name,
    automatic: change.automatic ?? now.automatic,
  };
  writeRecipes(
    paths.recipes,
    recipes.map((recipe) => (recipe.id === id ? next : recipe)),
  );
  return counted(knowledgebase, stream, next);
};

/** Removes a recipe; what it did stays. Throws `no_such_recipe`. */
export const removeRecipe = (
  knowledgebase: OpenKnowledgebase,
  streamId: string,
  id: string,
): void => {
  const { id: stream, paths } = knowledgebase.streams.get(streamId);
  const recipes = readRecipes(paths.recipes);
  const { name } = recipeIn(recipes, id);
  writeRecipes(
    paths.recipes,
    recipes.filter((recipe) => recipe.id !== id),
  );
  knowledgebase.tell('recipe-removed', `The recipe "${name}" was removed.`, stream);
};

/** A recipe by its id. Throws `no_such_recipe`. */
export const findRecipe = (
  knowledgebase: OpenKnowledgebase,
  stream: string,
  id: string,
): KeptRecipe => recipeIn(readRecipes(knowledgebase.streams.get(stream).paths.recipes), id);

/** A recipe of any stream by its id. Throws `no_such_recipe`. */
export const recipeAnywhere = (knowledgebase: OpenKnowledgebase, id: string): KeptRecipe =>
  recipeIn(
    knowledgebase.streams
      .list()
      .flatMap((stream) => readRecipes(knowledgebase.streams.get(stream).paths.recipes)),
    id,
  );

/** The first recipe of a stream that is applied by itself to rejects of a cause. */
export const automaticRecipe = (
  knowledgebase: OpenKnowledgebase,
  stream: string,
  { code, field, shape }: Cause,
): KeptRecipe | undefined =>
  readRecipes(knowledgebase.streams.get(stream).paths.recipes).find(
    ({ automatic, cause }) =>
      automatic && cause.code === code && cause.field === field && cause.shape === shape,
  );

const recipeIn = (recipes: readonly KeptRecipe[], id: string): KeptRecipe => {
  const found = recipes.find((recipe) => recipe.id === id);
  if (found) return found;
  throw new AppError('no_such_recipe', `There is no recipe ${id.slice(0, 80)} here.`);
};

const checkName = (recipes: readonly KeptRecipe[], name: string, own: string | null): void => {
  if (!recipes.some((recipe) => recipe.name === name && recipe.id !== own)) return;
  throw new AppError('recipe_exists', `The stream has a recipe "${name}" already.`);
};

const counted = ({ ledger }: OpenKnowledgebase, stream: string, recipe: KeptRecipe): Recipe => {
  const counts = ledger()
    .attempts.countsOf(stream)
    .find(({ recipeId }) => recipeId === recipe.id);
  return {
    ...recipe,
    stream,
    tried: counts?.tried ?? 0,
    landed: counts?.landed ?? 0,
    rows: counts?.rows ?? 0,
    lastAt: counts?.lastAt ?? null,
    open: ledger().rejectLists.count({ stream, state: 'open', ...recipe.cause }),
  };
};
