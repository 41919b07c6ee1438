// The workers: each starts with its named dependencies and gives back how to stop it.
export { type CallbackWorkerDeps, startCallbackWorker } from './callback.worker';
export { createEgress, type Egress, type EgressOptions } from './egress';
export { isFeedStill, startFeedWorker, whileFeedStands } from './feed.worker';
export {
  type JanitorDeps,
  type JanitorTask,
  startJanitor,
  startLaneJanitor,
  startSharedJanitor,
} from './janitor.worker';
export { prepareLeases } from './lease';
export { startOutboxWorker } from './outbox.worker';
export { endpointsIn, eventsChannel } from './published';
export type { Running } from './running';
export { startSettlementWorker } from './settlement.worker';
export { createSmtp } from './smtp';
export { createWakeUps, type WakeUps } from './wake-up';
