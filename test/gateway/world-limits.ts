// What a world for subscription conversations may be told about its bounds, and the configuration that follows.
import { createLog } from '../../subgraphs/shared/log/log';
import type { Tracing } from '../../subgraphs/shared/log/tracing';
import { fixtureConfig, silentLog } from './fixture';

export interface WorldLimits {
  bufferBytesMax?: number;
  subscriptionsMax?: number;
  /** Sockets that have not said whose they are: of one address, and in all. */
  waitingMax?: { address: number; all: number };
  socketsPerTokenMax?: number;
  initTimeoutMs?: number;
  /** Hears every line of the log. */
  onLine?: (line: Record<string, unknown>) => void;
  graphiqlDir?: string;
  /** A production, with these documents as the trusted ones. */
  trusted?: readonly string[];
  operationsMax?: number;
  /** Fields whose look stands in the audit, as `Type.field`. */
  unmasked?: readonly string[];
  /** Absent: nobody collects spans. */
  tracing?: Tracing;
}

export function configOf(limits: WorldLimits) {
  const { subscriptionsMax = 20, bufferBytesMax = 1_048_576, waitingMax = { address: 50, all: 500 } } = limits;
  return {
    ...fixtureConfig,
    HOST: '127.0.0.1',
    GRAPH_PORT: 0,
    isSandbox: limits.trusted === undefined,
    SUBSCRIPTIONS_PER_CONNECTION_MAX: subscriptionsMax,
    UNAUTHENTICATED_SOCKETS_PER_ADDRESS_MAX: waitingMax.address,
    UNAUTHENTICATED_SOCKETS_MAX: waitingMax.all,
    SOCKETS_PER_TOKEN_MAX: limits.socketsPerTokenMax ?? 100,
    CONNECTION_INIT_TIMEOUT_MS: limits.initTimeoutMs ?? 3_000,
    SOCKET_BUFFER_BYTES_MAX: bufferBytesMax,
  };
}

/** Silent unless somebody listens. */
export function logOf({ onLine }: WorldLimits) {
  return onLine ? createLog('info', 'test', (line) => onLine(JSON.parse(line))) : silentLog;
}

/** Counts subscribers, and connections that were closed because their reader was too slow. */
export function slowReaders() {
  let [closed, here] = [0, 0];
  const ignored = { inc: () => undefined, dec: () => undefined };
  const others = { socketsRefused: ignored, graphOperations: { labels: () => ({ observe: () => undefined }) } };
  const slowSubscribersClosed = { inc: () => (closed += 1) };
  const subscribers = { inc: () => (here += 1), dec: () => (here -= 1) };
  return {
    closed: () => closed,
    here: () => here,
    metrics: { ...others, subscribers, subscriptionEvents: ignored, slowSubscribersClosed } as never,
  };
}
