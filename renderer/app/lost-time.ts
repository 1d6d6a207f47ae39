// Owns which of the rates are not known, since the engine began to count after them. Never draws.

import type { StreamRates } from '../../core/model.ts';

/** How many of the oldest of `periods` periods, the newest included, had ended when counting began. */
export const lostOf = ({ at, since, periodMs }: StreamRates, periods: number): number => {
  const start = Date.parse(at) - (periods - 1) * periodMs;
  const lost = Math.floor((Date.parse(since) - start) / periodMs);
  return Math.min(periods, Math.max(0, lost));
};
