// The workers: each starts with its named dependencies and gives back how to stop it.
export { type CallbackWorkerDeps, startCallbackWorker } from './callback.worker';
export { createEgress, type Egress, type EgressOptions } from './egress';
export { startFeedWorker, whileFeedStands } from './feed.worker';
export { type JanitorDeps, type JanitorTask, startJanitor, startLaneJanitor } from './janitor.worker';
export { prepareLeases } from './lease';
export { eventsChannel, startOutboxWorker } from './outbox.worker';
export type { Running } from './running';
export { startSettlementWorker } from './settlement.worker';
export { createSmtp } from './smtp';
export { createWakeUps, endpointsIn, type WakeUps } from './wake-up';
