// Owns which of the rates are not known, as the engine does not know all that landed then. Never draws.

import type { StreamRates } from '../../core/model.ts';

/** How many of the oldest periods had ended before every landing was in. */
export const lostOf = ({ at, since, periodMs, periods }: StreamRates): number => {
  const start = Date.parse(at) - (periods - 1) * periodMs;
  const lost = Math.floor((Date.parse(since) - start) / periodMs);
  return Math.min(periods, Math.max(0, lost));
};
