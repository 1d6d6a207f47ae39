// Owns what a model store is: versions of the model, appended one after another, and the lock of a promotion.
// Never knows kb.duckdb; whoever applies a version does.

import { AppError } from '../../errors.ts';
import type { ModelVersion, StoreStatus, VersionSummary } from '../../model.ts';

/** Who runs a promotion, as a refusal names them. */
export interface RunHolder {
  readonly stream: string;
  readonly by: string;
  readonly host: string;
  readonly pid: number;
  readonly since: string;
}

/** The lock of a running promotion; it goes with its process, or its connection. */
export interface RunLock {
  release(): Promise<void>;
}

export interface ModelStore {
  readonly kind: StoreStatus['kind'];
  status(): Promise<StoreStatus>;
  /** Newest first. Throws `model_store_unreachable`. */
  versions(): Promise<VersionSummary[]>;
  /** Undefined where there is none with the number. Throws `model_store_unreachable`. */
  version(version: number): Promise<ModelVersion | undefined>;
  /** The newest; undefined where nothing has been promoted. Throws `model_store_unreachable`. */
  current(): Promise<ModelVersion | undefined>;
  /**
   * Appends a version, durably, or not at all: `plan_outdated` where its number is taken.
   * `model_store_unreachable` where the connection was lost; its `details.recorded` is null when that came while the
   * store was asked to keep it, so that nobody here knows.
   */
  append(version: ModelVersion): Promise<void>;
  /** Takes the lock of a promotion. Throws `promotion_running` with its `holder`, `model_store_unreachable`. */
  lock(holder: RunHolder): Promise<RunLock>;
  close(): Promise<void>;
}

/** What is thrown where a promotion runs already. */
export const isRunning = (holder: RunHolder | null): AppError => {
  const who = holder
    ? `${holder.stream} is being promoted by ${holder.by} (process ${holder.pid} on ${holder.host}, since ${holder.since}).`
    : 'Another promotion is running.';
  return new AppError('promotion_running', who, { details: { holder } });
};

/** What is thrown where another version came first. */
export const isOutdated = (version: number): AppError =>
  new AppError('plan_outdated', `Version ${version} was applied by somebody else meanwhile.`, {
    details: { version },
  });
