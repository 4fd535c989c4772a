export { spawnOwned, forkOwned, type SpawnOwned } from './spawn/spawn-owned.ts';
export { spawnDetached } from './spawn/spawn-detached.ts';
export { adoptSurvivors, type Survivor } from './spawn/adopt-survivors.ts';
export {
  owned,
  ownProcessGroups,
  releaseProcessGroupOnceEmpty,
  releaseProcessGroups,
  type GroupLike,
} from './spawn/groups.ts';
export { forwardSignals, type ForwardedSignal } from './spawn/forward-signals.ts';
export { killOwned } from './spawn/kill-owned.ts';
export { shutdownOwned } from './spawn/shutdown-owned.ts';
export { supervisorStatus, type SupervisorStatus } from './spawn/supervisor.ts';
export { sweepOrphans, type SweepReport } from './spawn/sweep.ts';
export { warm } from './spawn/warm.ts';
export type { OwnedGroup } from './spawn/registry.ts';
export type { DetachedOptions, OwnedOptions, Piped, With } from './spawn/options.ts';
