// Redis: wake-ups and counters, never the store. Request paths fail fast without it; workers wait for it.
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { withoutUndefined } from '../present-members';

/** After that a call of `requests` is given up by the connection; who cannot wait so long has a limit of its own. */
const commandTimeoutMs = 5_000;

export type RedisUse = 'requests' | 'workers';

const whileAway = {
  requests: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    enableAutoPipelining: true,
    autoResendUnfulfilledCommands: false,
  },
  workers: { enableOfflineQueue: true, maxRetriesPerRequest: null },
} satisfies Record<RedisUse, RedisOptions>;

/** `requests`: a call fails at once while Redis is away; `workers`: calls wait for it without limit, as BullMQ wants. */
export function openRedis(url: string, use: RedisUse): Redis {
  const options = {
    ...whileAway[use],
    connectTimeout: 2_000,
    retryStrategy: retryAfterMs,
    lazyConnect: false,
  };
  const redis = isClusterUrl(url) ? openCluster(url, options) : new Redis(url, options);
  // Absence shows in each call's own rejection (and in readiness); without a listener it would end the process.
  redis.on('error', () => undefined);
  return redis;
}

const retryAfterMs = (attempt: number) => Math.min(50 * attempt, 1_000);

/** `redis+cluster://host:port,host:port`, or `rediss+cluster://` with TLS: some nodes of a Redis Cluster; it names the others. */
function isClusterUrl(url: string): boolean {
  return /^rediss?\+cluster:/.test(url);
}

/** Has every command that we use; keys that one command or script uses together stand in braces. */
function openCluster(url: string, options: RedisOptions): Redis {
  const [first = '', ...others] = url.split(',');
  const { protocol, username, password, host } = new URL(first);
  const [secret, user] = [decodeURIComponent(password), decodeURIComponent(username)];
  const cluster = new Cluster([`redis://${host}`, ...others.map((other) => `redis://${other}`)], {
    enableOfflineQueue: options.enableOfflineQueue ?? true,
    enableAutoPipelining: options.enableAutoPipelining ?? false,
    clusterRetryStrategy: retryAfterMs,
    redisOptions: {
      ...options,
      ...withoutUndefined({
        password: secret || undefined,
        username: user || undefined,
        tls: protocol === 'rediss+cluster:' ? {} : undefined,
      }),
    },
  });
  return cluster as unknown as Redis;
}

/** Hears the messages of one channel. */
export interface Listening {
  /** False while messages may be missed: the connection is away, or not yet subscribed again. */
  isSubscribed(): boolean;
  stop(): void;
}

/**
 * Calls `heard` with each message of the channel. Subscribes each time that the connection is ready and never before: a subscription
 * sent while the connection still shakes hands is confirmed and then lost with it (ioredis, issue 2037).
 */
export function followChannel(subscriber: Redis, channel: string, heard: (message: string) => void): Listening {
  let subscribedAt: Redis['stream'] | null = null;
  const onMessage = (name: string, message: string) => {
    if (name === channel) heard(message);
  };
  const subscribe = () => {
    const { stream } = subscriber;
    // A failure ends with the connection, and the next one is ready in its turn.
    void subscriber.subscribe(channel).then(
      () => {
        subscribedAt = stream;
      },
      () => undefined,
    );
  };
  subscriber.on('message', onMessage);
  subscriber.on('ready', subscribe);
  if (subscriber.status === 'ready') subscribe();
  return {
    isSubscribed: () => subscriber.status === 'ready' && subscribedAt === subscriber.stream,
    stop() {
      subscriber.off('message', onMessage);
      subscriber.off('ready', subscribe);
    },
  };
}

/** Refuses a Redis that may drop our keys or forget them at a restart; returns what is wrong, or null. */
export async function redisFault(redis: Redis): Promise<string | null> {
  const setting = async (name: string) => String(((await redis.config('GET', name)) as string[])[1] ?? '');
  const policy = await setting('maxmemory-policy');
  if (policy !== 'noeviction') return `Redis has maxmemory-policy ${policy}; set it to noeviction`;
  const appendOnly = await setting('appendonly');
  return appendOnly === 'yes' ? null : 'Redis has no append-only file; set appendonly yes';
}
