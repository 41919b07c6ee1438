// What the outbox worker is handed.
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import type { NotificationsStores } from '../subgraphs/notifications';
import type { Clock } from '../subgraphs/shared/clock';
import type { Log } from '../subgraphs/shared/log/log';
import type { Metrics } from '../subgraphs/shared/log/metrics';

export interface OutboxWorkerDeps {
  connection: Connection;
  /** Fails fast (openRedis 'requests'). */
  redis: Redis;
  stores: Pick<NotificationsStores, 'databaseName' | 'events' | 'endpoints'>;
  clock: Clock;
  log: Log;
  metrics?: Pick<Metrics, 'outboxLag' | 'outboxHeld' | 'operations' | 'watchdogRestarts'>;
}
