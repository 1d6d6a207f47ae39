// Owns the one name for the readonly domain types that the rooms of core pass to each other; each room's are in model/.
// Never holds behaviour, and imports nothing but the error codes.

export type * from './model/batch.ts';
export type * from './model/compaction.ts';
export type * from './model/engine.ts';
export type * from './model/fix.ts';
export type * from './model/knowledgebase.ts';
export type * from './model/ontology.ts';
export type * from './model/plan.ts';
export type * from './model/profile.ts';
export type * from './model/query.ts';
export type * from './model/recipe.ts';
export type * from './model/reject.ts';
export type * from './model/reject-body.ts';
export type * from './model/reject-mend.ts';
export type * from './model/stream.ts';
