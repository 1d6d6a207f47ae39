// Owns how the engine is, as the window says it. Never hears of it; api.ts does.

import type { EngineState as ShellEngineState } from '../electron/ipc.ts';

/** As the shell says, or as calls over HTTP show. */
export type EngineState =
  | Exclude<ShellEngineState, { readonly state: 'ready' }>
  | { readonly state: 'ready' };

/**
 * What the window says after news of the shell. An engine that stopped is away until the next one answers: that the
 * next is starting takes nothing back of what is said, and adds which attempt it is.
 */
export const afterNews = (shown: EngineState, news: EngineState): EngineState =>
  news.state === 'starting' && shown.state === 'stopped'
    ? { ...shown, attempt: news.attempt }
    : news;
