// What serving an endpoint needs from its process: the same for the drain, its runs and the record of their results.
import type { NotificationsStores } from '../subgraphs/notifications';
import type { CallbackTally } from '../subgraphs/reporting';
import type { Clock } from '../subgraphs/shared/clock';
import type { Vault } from '../subgraphs/shared/crypto/vault';
import type { Log } from '../subgraphs/shared/log/log';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import type { Egress } from './egress';

/** What all the endpoints that a process serves share. */
export interface Traffic {
  /** Callbacks on their way. */
  inFlight: number;
  /** So many of them may be on their way to one endpoint now. */
  readonly limitPerEndpoint: number;
  /** Others wait for a place: whoever has nothing left to do makes room at once. */
  readonly isCrowded: boolean;
}

export interface DrainDeps {
  stores: Pick<NotificationsStores, 'deliveries' | 'leases' | 'health' | 'signingEndpoint'>;
  egress: Egress;
  vault: Pick<Vault, 'open'>;
  clock: Clock;
  log: Log;
  metrics?: Pick<Metrics, 'callbackAttempts'>;
  /** Told of every attempt that was recorded; for figures. */
  tally?: Pick<CallbackTally, 'add'>;
  /** Whether an event tells also those attempts that went out as they should. */
  tellsEveryAttempt: boolean;
  concurrencyPerEndpoint: number;
  traffic: Traffic;
  /** How long an endpoint is held on to when nothing of it is due any more; real time. */
  lingerMs: number;
  /** Told when something of the endpoint is due later. */
  wakeAt(endpointId: string, dueAt: Date): void;
  /** 0 up to 1, for jitter. */
  chance?: () => number;
}
