// Owns what changing rejects needs of the rest of core. Never holds behaviour.

import type { Landing, LiveNews } from '../../model.ts';
import type { Delivery } from '../delivery.ts';
import type { JobBoard } from '../jobs.ts';
import type { OpenKnowledgebase } from '../open.ts';
import type { OpenStream } from '../streams.ts';

export interface RejectContext {
  readonly knowledgebase: OpenKnowledgebase;
  /** Keeps it open until the returned function is called. */
  readonly hold: () => () => void;
  /** The way of a POST. */
  readonly land: (stream: OpenStream, delivery: Delivery) => Promise<Landing>;
  readonly announce: (news: LiveNews) => void;
  readonly jobs: JobBoard;
}

/** Who does something to a reject, and what it is a part of. */
export interface Actor {
  /** `window`, `command line`, `recipe <name>`. */
  readonly by: string;
  readonly recipeId: string | null;
  /** What many changes at once have in common; null for one by itself. */
  readonly operation: string | null;
}
