// The one clock as a running process sees it: real time plus an offset kept in MongoDB, moved forward by the sandbox, told to all by Redis.
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import type { Clock } from './clock';
import { newId } from './ids';
import { platformSettings } from './store/platform-settings';
import { followChannel } from './store/redis';

/** A wake-up that was lost is made up for by this; who moves the clock waits for confirmations besides. */
const pollMs = 2_000;
/** How often a process asks while Redis cannot wake it. */
const deafPollMs = 50;
/** After so many of these polls a process has read what was there at the first. */
const deafPollsMax = 10;
/** How long an advance waits for the other processes to confirm: on a machine that is out of breath none must be left behind. */
const confirmationMsMax = 15_000;
/** How long the first wake-up waits for its confirmations; each further one twice as long. */
const firstWakeUpMs = 2_500;

interface ClockSetting {
  _id: 'clock';
  offsetMs: number;
}

export interface SandboxClock extends Clock {
  /** Moves the clock of every process forward; resolves when they have it (or after fifteen seconds). */
  advance(ms: number): Promise<Date>;
  stop(): Promise<void>;
}

/** In production the offset is always zero and nothing is polled. */
export async function openClock(deps: {
  connection: Connection;
  redis: Redis;
  subscriber: Redis;
  isSandbox: boolean;
}): Promise<SandboxClock> {
  const settings = platformSettings<ClockSetting>(deps.connection);
  // Redis carries a message to every database number, so the name of this installation is part of the channel.
  const channel = `clock:${deps.connection.name}`;
  let offsetMs = 0;
  const follow = (value: number) => {
    offsetMs = Math.max(offsetMs, value);
  };
  const read = async () => follow((await settings.findOne({ _id: 'clock' }))?.offsetMs ?? 0);

  const clock: Clock = { now: () => new Date(Date.now() + offsetMs), offsetMs: () => offsetMs };
  if (!deps.isSandbox) {
    return {
      ...clock,
      advance: () => Promise.reject(new Error('the clock of production is not moved')),
      stop: async () => undefined,
    };
  }

  await read();
  const wakeUps = followChannel(deps.subscriber, channel, (confirmKey) => {
    // A wake-up only: where the clock stands is said by the database.
    void read()
      .then(() => deps.redis.rpush(confirmKey, '1'))
      .then(() => deps.redis.expire(confirmKey, 60))
      .catch(() => undefined);
  });
  let polling: NodeJS.Timeout;
  const pollAfter = (ms: number) => {
    clearTimeout(polling);
    polling = setTimeout(poll, ms);
  };
  function poll(): void {
    // A failed poll is covered by the next one: while the database is away nobody can move the clock either.
    void read().catch(() => undefined);
    pollAfter(wakeUps.isSubscribed() ? pollMs : deafPollMs);
  }
  const grownDeaf = () => pollAfter(deafPollMs);
  deps.subscriber.on('close', grownDeaf);
  pollAfter(deafPollMs);

  return {
    ...clock,
    async advance(ms) {
      const setting = await settings.findOneAndUpdate(
        { _id: 'clock' },
        { $inc: { offsetMs: ms } },
        { upsert: true, returnDocument: 'after' },
      );
      follow(setting?.offsetMs ?? ms);
      await othersFollow(deps.redis, channel);
      return clock.now();
    },
    async stop() {
      clearTimeout(polling);
      deps.subscriber.off('close', grownDeaf);
      wakeUps.stop();
    },
  };
}

/** Waits for the confirmations, and for the poll of a process that Redis has lost; without Redis all learn it by their next poll. */
async function othersFollow(redis: Redis, channel: string): Promise<void> {
  const deadline = Date.now() + confirmationMsMax;
  const deafHaveIt = pause(deafPollMs * deafPollsMax);
  for (let wakeUpMs = firstWakeUpMs; Date.now() < deadline; wakeUpMs *= 2) {
    if (redis.status !== 'ready') return pause(pollMs * 1.5);
    if (await isHeardByAll(redis, channel, Math.min(Date.now() + wakeUpMs, deadline))) return deafHaveIt;
  }
}

/** Wakes all once. False when Redis was too slow to say how many heard it, or when one of them (it may have ended since) did not confirm in time. */
async function isHeardByAll(redis: Redis, channel: string, deadline: number): Promise<boolean> {
  const confirmKey = `clock:confirm:${newId()}`;
  const listeners = await redis.publish(channel, confirmKey).catch(() => Number.POSITIVE_INFINITY);
  do {
    if ((await redis.llen(confirmKey).catch(() => 0)) >= listeners) return true;
    await pause(5);
  } while (Number.isFinite(listeners) && Date.now() < deadline);
  return false;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
