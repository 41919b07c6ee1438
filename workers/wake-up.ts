// The doorbell: a BullMQ job says that an endpoint has something due. A ring while one waits is the same ring; a ring while one is being served
// becomes one more look. Losing all of Redis loses nothing: the sweeper rings again.
import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { orElseAfter } from './running';

export const wakeUpQueueName = 'callbacks';

/** BullMQ's key prefix: installations that share a Redis do not hear each other's bells. */
export function wakeUpPrefix(databaseName: string): string {
  return `bull:${databaseName}`;
}

/** A queue whose connection was lost in the middle of a call may never answer: a ring is not waited for longer than this. */
const ringMsMax = 1_000;

/** Endpoints that a message names at most: beyond this the queue alone rings. */
const namedMax = 32;

/** What the outbox tells every process about a batch: its last position and whose callbacks it holds. */
export function printPublished(position: number, endpointIds: readonly string[]): string {
  return [position, ...(endpointIds.length > namedMax ? [] : endpointIds)].join(' ');
}

/** The endpoints that such a message names. */
export function endpointsIn(message: string): string[] {
  return message.split(' ').slice(1);
}

export interface WakeUpData {
  endpointId: string;
}

export interface Doorbell {
  /** Rings for each endpoint; false when Redis did not take it. */
  ring(endpointIds: readonly string[]): Promise<boolean>;
  close(): Promise<void>;
}

/** `redis` fails fast (openRedis 'requests'): a ring is never waited for. */
export function createDoorbell(redis: Redis, databaseName: string): Doorbell {
  let queue: Queue<WakeUpData> | null = null;

  /** The queue is made while Redis is there: one made without it would wait for it, or stay broken. */
  function openQueue(): Queue<WakeUpData> {
    const fresh = new Queue<WakeUpData>(wakeUpQueueName, { connection: redis, prefix: wakeUpPrefix(databaseName) });
    // A failed ring shows in its own rejection; without a listener it would also end the process.
    fresh.on('error', () => undefined);
    return fresh;
  }

  return {
    async ring(endpointIds) {
      if (endpointIds.length === 0) return true;
      if (redis.status !== 'ready') return false;
      queue ??= openQueue();
      const used = queue;
      try {
        const isTaken = used.addBulk(endpointIds.map(ringFor)).then(() => true);
        if (await orElseAfter(ringMsMax, isTaken, false)) return true;
        throw new Error('Redis did not answer');
      } catch {
        if (queue === used) queue = null;
        void used.close().catch(() => undefined);
        return false;
      }
    },
    close: async () => {
      await queue?.close().catch(() => undefined);
    },
  };
}

function ringFor(endpointId: string) {
  return {
    name: 'ring',
    data: { endpointId },
    opts: {
      jobId: `ring-${randomUUID()}`,
      deduplication: { id: `ring-${endpointId}`, keepLastIfActive: true },
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}
