// Owns the inputs that many procedures share. Never names a procedure.

import { z } from 'zod';

export const id = z.string().min(1).max(63);
export const knowledgebase = z.object({ knowledgebase: id });
export const stream = z.object({ knowledgebase: id, stream: id });
export const page = { limit: z.number().int().min(1).max(1_000).default(100) };
