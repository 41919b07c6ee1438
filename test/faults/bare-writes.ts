// What the machine does meanwhile: one bare write to MongoDB after another. While one takes long, so does everything that the program asks of it.
import { setTimeout as wait } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';

export interface BareWrites {
  /** Whether one of them took longer than `slowMs` at some time between these two (performance.now()). */
  wereSlow(fromMs: number, toMs: number): boolean;
  stop(): Promise<void>;
}

/** A write that waits for majority and journal takes some 20 ms on a machine that gets on. */
const slowMs = 1_000;
const pauseMs = 100;

/** On a connection of the client's pool and in the database that it names; until it is stopped. */
export function startBareWrites(client: MongoClient): BareWrites {
  const written = client.db().collection('bare_writes');
  const slow: { fromMs: number; toMs: number }[] = [];
  let startedMs = performance.now();
  let isStopping = false;
  const running = (async () => {
    while (!isStopping) {
      startedMs = performance.now();
      await written.insertOne({}, { writeConcern: { w: 'majority', journal: true } });
      const toMs = performance.now();
      if (toMs - startedMs > slowMs) slow.push({ fromMs: startedMs, toMs });
      startedMs = toMs;
      await wait(pauseMs);
    }
  })();
  // A write that failed is looked at when they are stopped.
  running.catch(() => undefined);
  return {
    wereSlow(fromMs, toMs) {
      const isUnderWay = performance.now() - startedMs > slowMs && startedMs < toMs;
      return isUnderWay || slow.some((one) => one.fromMs < toMs && one.toMs > fromMs);
    },
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
