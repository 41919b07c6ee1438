// Wake-ups: a BullMQ job says that something is due, and a set beside it at which endpoints. A wake-up while one waits is the same one, and an endpoint
// stands in the set once. Losing all of Redis loses nothing: the sweep wakes again.
import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Log } from '../subgraphs/shared/log/log';
import { orElseAfter, type Running } from './running';
import type { Visits } from './visits';

const wakeUpQueueName = 'callbacks';

/**
 * Prefix of all keys of wake-ups: installations that share a Redis do not get each other's. In braces, so that a Redis Cluster keeps them in one slot: BullMQ
 * uses several in one script.
 */
export function wakeUpPrefix(databaseName: string): string {
  return `{bull:${databaseName}}`;
}

/** The set of woken endpoints. */
function wokenKey(databaseName: string): string {
  return `${wakeUpPrefix(databaseName)}:rung`;
}

/** A queue whose connection was lost in the middle of a call may never answer: a wake-up is not waited for longer than this. */
const sendMsMax = 1_000;

export interface WakeUps {
  /** Wakes whoever may serve these endpoints; false when Redis did not take it. */
  send(endpointIds: readonly string[]): Promise<boolean>;
  /** Wakes once more for those that are woken and not taken yet. */
  again(): Promise<boolean>;
  /** Takes so many of the woken endpoints; who takes them serves them, or the sweep finds them again. */
  take(count: number): Promise<string[]>;
  close(): Promise<void>;
}

/** `redis` fails fast (openRedis 'requests'): a wake-up is never waited for. */
export function createWakeUps(redis: Redis, databaseName: string): WakeUps {
  let queue: Queue | null = null;
  const key = wokenKey(databaseName);

  /** The queue is made while Redis is there: one made without it would wait for it, or stay broken. */
  function openQueue(): Queue {
    const fresh = new Queue(wakeUpQueueName, { connection: redis, prefix: wakeUpPrefix(databaseName) });
    // A failed wake-up shows in its own rejection; without a listener it would also end the process.
    fresh.on('error', () => undefined);
    return fresh;
  }

  /** True when Redis took it: `work` is given the queue and is not waited for without limit. */
  async function isTaken(work: (queue: Queue) => Promise<unknown>): Promise<boolean> {
    if (redis.status !== 'ready') return false;
    queue ??= openQueue();
    const used = queue;
    try {
      const taken = work(used).then(() => true);
      if (await orElseAfter(sendMsMax, taken, false)) return true;
      throw new Error('Redis did not answer');
    } catch {
      if (queue === used) queue = null;
      void used.close().catch(() => undefined);
      return false;
    }
  }

  const addJob = (used: Queue) => used.add('ring', {}, jobOptions());

  return {
    async send(endpointIds) {
      if (endpointIds.length === 0) return true;
      return isTaken(async (used) => {
        // First the names, then the job: whoever gets it finds them.
        await redis.sadd(key, ...endpointIds);
        await addJob(used);
      });
    },
    again: () => isTaken(addJob),
    take: (count) => redis.spop(key, count),
    close: async () => {
      await queue?.close().catch(() => undefined);
    },
  };
}

/** Names in Redis stay as other versions on the same Redis know them. */
function jobOptions() {
  return {
    jobId: `ring-${randomUUID()}`,
    deduplication: { id: 'ring' },
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: true,
  };
}

/** A woken endpoint is taken by one process: so many at a time, that others find some, too. */
const takenMax = 256;

interface WakeUpReceiving {
  wakeUps: WakeUps;
  visits: Visits;
  log: Pick<Log, 'debug'>;
  databaseName: string;
}

/** Receives wake-ups: takes as many of the endpoints as there are places, wakes again for the rest, and receives nothing more until there is a place. */
export function receiveWakeUps(blockingRedis: Redis, { wakeUps, visits, log, databaseName }: WakeUpReceiving): Running {
  const worker = new Worker(
    wakeUpQueueName,
    async (job) => {
      // A wake-up from now on has a job of its own, and those of before are in the set.
      await job.removeDeduplicationKey();
      const count = Math.min(takenMax, visits.free);
      const endpointIds = count > 0 ? await wakeUps.take(count) : [];
      visits.call(endpointIds);
      if (endpointIds.length === count) await wakeUps.again();
      await visits.untilFree();
    },
    {
      connection: blockingRedis,
      prefix: wakeUpPrefix(databaseName),
      concurrency: 1,
      lockDuration: 10_000,
      stalledInterval: 5_000,
      maxStalledCount: 1_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  // Redis away, or emptied under a job: the sweep covers both.
  worker.on('error', (error) => log.debug({ error }, 'the queue of wake-ups met an error'));
  return {
    /** A worker without Redis cannot take its leave: what it holds there is nothing that is needed. */
    async stop() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, 3_000).unref());
      await Promise.race([worker.close().catch(() => undefined), late]);
    },
  };
}
