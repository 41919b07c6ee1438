// The judge of standing still: how long events wait for their place in the log while MongoDB answers, as MongoDB itself shows it, past the program and its proxies.
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { timeLimitMs } from './proof';

/** Longest wait for a place while MongoDB answers. */
const placeMsMax = 8_000;
const lookMs = 100;
/** Of the time between two looks so much counts: while this process stands still it sees nothing, and nothing is to blame. */
const lookMsMax = 500;

/** How many events wait for their place. */
export function withoutPlace(database: Db): Promise<number> {
  return database.collection('events').countDocuments({ position: null }, { hint: 'waiting' });
}

/** Waits until everything that waits for its place by now has one; resolves with the wait in ms, and throws when it takes longer than promised. */
export async function untilPlaced(database: Db, when: string): Promise<number> {
  const events = database.collection<{ _id: string; position: number | null }>('events');
  const waiting = await events.find({ position: null }, { projection: { _id: 1 }, hint: 'waiting' }).toArray();
  const ids = waiting.map(({ _id }) => _id);
  let waitedMs = 0;
  for (let lookedMs = performance.now(); ; ) {
    const left = await events.countDocuments({ _id: { $in: ids }, position: null });
    if (left === 0) return Math.round(waitedMs);
    if (waitedMs > timeLimitMs(placeMsMax))
      throw new Error(`${left} events stood without a place for ${Math.round(waitedMs)} ms ${when}`);
    await wait(lookMs);
    const nowMs = performance.now();
    waitedMs += Math.min(nowMs - lookedMs, lookMsMax);
    lookedMs = nowMs;
  }
}
