// What subscriptions need from the process that serves them.
import type { EventLog } from '../../subgraphs/notifications';
import type { AuditDoor } from '../../subgraphs/shared/callers/audit';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import type { AddressOf } from '../../subgraphs/shared/callers/caller-address';
import type { Blame } from '../../subgraphs/shared/callers/credential-failures';
import type { Clock } from '../../subgraphs/shared/clock';
import type { Config } from '../../subgraphs/shared/config';
import type { Log } from '../../subgraphs/shared/log/log';
import type { Metrics } from '../../subgraphs/shared/log/metrics';
import type { Tracing } from '../../subgraphs/shared/log/tracing';
import type { Admit, ChargeCost } from '../http/admission';
import type { Graph } from '../plan/execute';
import type { Usage } from '../plan/usage';
import type { Persons } from '../sign-in/persons';
import type { LiveCredentialsDeps } from './live-credentials';
import type { SocketLimits } from './socket-bounds';

export interface SubscriptionsDeps
  extends Pick<LiveCredentialsDeps, 'liveScopes' | 'changedSince' | 'credentialWakeUps'> {
  graph: Graph;
  config: Pick<
    Config,
    | 'SUBSCRIPTIONS_PER_CONNECTION_MAX'
    | 'SOCKET_BUFFER_BYTES_MAX'
    | 'CONNECTION_INIT_TIMEOUT_MS'
    | 'REQUEST_TIMEOUT_MS'
    | 'isSandbox'
  > &
    SocketLimits;
  log: Log;
  metrics?: Pick<
    Metrics,
    | 'subscribers'
    | 'subscriptionEvents'
    | 'slowSubscribersClosed'
    | 'graphOperations'
    | 'socketsRefused'
    | 'watchdogRestarts'
  >;
  clock: Pick<Clock, 'now'>;
  events: EventLog;
  /** Calls `wake` whenever there may be new events; returns how to stop that. */
  wakeUps: (wake: () => void) => () => void;
  addressOf: AddressOf;
  authenticate: (authorization: string | undefined) => Promise<Caller>;
  /** Whose a session's cookie is; absent: nobody signs in here. */
  persons?: Persons | undefined;
  /** Counts a wrong token of an address; what to throw. */
  blame: Blame;
  /** Hears of what was refused for want of a right. */
  audit?: AuditDoor;
  /** Absent: nobody collects spans. */
  tracing?: Tracing | undefined;
  /** Counts who uses what; absent: nobody does. */
  usage?: Usage;
  /** Asked for each operation of a connection. */
  admit: Admit;
  /** Absent: what an operation could return costs nothing. */
  charge?: ChargeCost;
}
