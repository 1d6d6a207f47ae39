// Owns the procedures of the engine itself, its jobs, and its live events. Never implements one.

import { eventIterator, oc, type } from '@orpc/contract';
import { z } from 'zod';
import type { EngineStatus, Job, StreamPulse } from '../model.ts';
import { page } from './inputs.ts';

export const engine = {
  status: oc.output(type<EngineStatus>()),
  /** The newest lines of the engine's log, oldest first. */
  log: oc.input(z.object(page)).output(type<string[]>()),
};

export const jobs = {
  /** Running ones first, then newest first. */
  list: oc.output(type<Job[]>()),
  cancel: oc.input(z.object({ id: z.number().int() })).output(type<Job>()),
};

export const live = {
  /** What landed, was replayed, rejected or refused, by stream, at most four times a second. */
  pulses: oc.output(eventIterator(type<StreamPulse[]>())),
};
