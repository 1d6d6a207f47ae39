// Owns saying what became of promotions whose process is gone: the model is what the store has, whole.
// Never goes on with one; a person promotes again.

import { hostname } from 'node:os';
import { AppError } from '../errors.ts';
import type { PromotionRow } from '../ledger/promotions.ts';
import type { Ground } from './ground.ts';
import { recordEnd, removeEvidence } from './records.ts';

/** Settles every promotion that was running when its process ended. Safe beside processes that run others. */
export const settlePromotions = async (ground: Ground): Promise<void> => {
  const left = ground.ledger().promotions.inStates(['running', 'applying']).filter(isOrphan);
  for (const row of left) {
    if (row.state === 'running') settleRunning(ground, row);
    else await settleApplying(ground, row);
  }
};

const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString();

/** Whether the process that ran it is gone. On another machine nobody can tell; there the folder was carried here. */
const isOrphan = ({ pid, host, startedAt: since }: PromotionRow): boolean => {
  if (host !== hostname()) return true;
  if (pid === process.pid) return since < startedAt;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
};

const settleRunning = (ground: Ground, row: PromotionRow): void => {
  const words =
    'Strata ended while the stream was being measured. The model is as it was; promote it again.';
  recordEnd(ground, row.id, { state: 'interrupted', words });
  removeEvidence(ground, row);
  ground.tell('promotion-interrupted', `${row.stream}: ${words}`, row.stream, 'warn');
};

const settleApplying = async (ground: Ground, row: PromotionRow): Promise<void> => {
  const { stream } = row;
  try {
    const made = (await ground.store().versions()).find(({ promotion }) => promotion === row.id);
    const words = made
      ? `Strata ended while it was being applied. It is v${made.version}, whole; its views were made at the next start.`
      : 'Strata ended before it was applied. The model is as it was; its plan is open.';
    if (made) recordEnd(ground, row.id, { state: 'applied', version: made.version, words });
    else ground.ledger().promotions.change(row.id, { state: 'open', words });
    ground.tell('promotion-interrupted', `${stream}: ${words}`, stream, 'warn');
  } catch (error) {
    // A store that cannot be reached now tells later.
    if (!(error instanceof AppError)) throw error;
  }
};
