// Owns core's face: what Electron's host process, `strata serve` and other programs may use. Nothing else is.

export { type Channel, channelOver } from './lake/apart/channel.ts';
export type { LakeKind } from './lake/apart/priority.ts';
export { type Core, type CoreOptions, openCore } from './open-core.ts';
export { type Engine, type EngineOptions, openEngine, type PortLike } from './open-engine.ts';
