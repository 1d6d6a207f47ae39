// Owns changing where a knowledgebase keeps its model. Never moves a model from one store to another.

import { checkKnowledgebaseId } from '../ids.ts';
import { writeSettings } from '../knowledgebase/settings.ts';
import type { StoreStatus } from '../model.ts';
import { checkStore } from '../ontology/store/open-store.ts';
import type { OpenKnowledgebase } from './open.ts';

/**
 * Writes the setting, and brings the views in line with what the store has. Versions stay in the store that they are in.
 * Throws `invalid_argument`, `invalid_knowledgebase_id` for a model's name that cannot be one.
 */
export const setModelStore = async (
  { paths, settings, ontology, views }: OpenKnowledgebase,
  where: string,
  name?: string | null,
): Promise<StoreStatus> => {
  const store = where.trim();
  checkStore(store);
  if (name) checkKnowledgebaseId(name);
  const now = settings();
  writeSettings(paths.settings, {
    ...now,
    model_store: store,
    model_name: name === undefined ? now.model_name : name,
  });
  const status = await ontology.store().status();
  views.request();
  return status;
};
