// Feeds something that is kept from the event log, lane by lane: the journal, or the figures. In every process, of which one leads each lane; woken by published events where that matters, and looking by itself besides (reporting interface).
import type { Connection } from 'mongoose';
import type { LaneName } from '../subgraphs/notifications';
import type { Log } from '../subgraphs/shared/log/log';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import { type Leading, startLanes } from './lanes';
import { createLease, isAnyHeld, isHeld, type Reign } from './lease';
import { pause, type Running } from './running';

/** What is fed: the first part of the names of its leases. */
export type FeedKind = 'journal' | 'figures';
/** Whoever holds this lease wants the feed to stand still: the worker lets go within a second or two, and waits. */
const pauseNameOf = (kind: FeedKind) => `${kind}-pause`;
const leaseTtlMs = 8_000;
const renewMs = 2_000;
/** Booking a batch takes a fraction of it. */
const stillMsMax = 5_000;
/** How long to wait for a wake-up, and to rest between two batches under load: what happens meanwhile is fed together. */
const pauses: Readonly<Record<FeedKind, { idleMs: number; restMs: number }>> = {
  // An event after a quiet moment is booked at once: it wakes.
  journal: { idleMs: 1_000, restMs: 250 },
  // Nobody waits for a figure: the longer the rest, the fewer transactions.
  figures: { idleMs: 1_000, restMs: 1_000 },
};

interface FedBatch {
  events: number;
  isFull: boolean;
  position: number | null;
}

export interface FeedWorkerDeps<Feed extends LaneName> {
  kind: FeedKind;
  connection: Connection;
  log: Log;
  metrics?: Pick<Metrics, 'watchdogRestarts'>;
  /** The lanes of the log of which something may be left to book. */
  feeds(): Promise<readonly Feed[]>;
  /**
   * Feeds the next batch of a lane from behind `from` (from its checkpoint where that is not known), in its leader's own session; tells how many
   * events it was, whether more are known to wait, and how far the lane has come: null when somebody else moved it.
   */
  feedNext(feed: Feed, session: Reign['session'], from: number | null): Promise<FedBatch>;
  /** Calls `wake` when events were published; returns how to stop that. Without it the worker looks by itself. */
  wakeUps?(wake: () => void): () => void;
}

/** Runs until stopped. Two leaders of a lane at once would be harmless: the checkpoint lets one of them book a batch. */
export function startFeedWorker<Feed extends LaneName>(deps: FeedWorkerDeps<Feed>): Running {
  const { kind, connection, log, metrics, feedNext } = deps;
  const { idleMs, restMs } = pauses[kind];
  const waiting = new Set<() => void>();
  const stopWakeUps = deps.wakeUps?.(() => {
    for (const wake of waiting) wake();
  });
  const lanes = startLanes({
    connection,
    log,
    metrics,
    kind,
    ttlMs: leaseTtlMs,
    stillMsMax,
    list: async () => ((await isFeedStill(connection, kind)) ? [] : deps.feeds()),
    lead: feed,
  });

  /** Until the lease is lost, the worker stops or the turn is abandoned; throws what booking throws. */
  async function feed({ lane, turn: { signal, moved }, reign, renew }: Leading<Feed>): Promise<void> {
    // Also before the first batch: whoever makes the journal stand still looks for leases after having said so.
    let heldUntil = performance.now();
    let position: number | null = null;
    while (!signal.aborted) {
      moved();
      if (performance.now() >= heldUntil) {
        if ((await isFeedStill(connection, kind)) || !(await renew())) return;
        heldUntil = performance.now() + renewMs;
      }
      const fed = await feedNext(lane, reign.session, position);
      position = fed.position;
      if (fed.events === 0) await untilWoken(signal);
      else if (!fed.isFull) await pause(restMs, signal);
    }
  }

  async function untilWoken(signal: AbortSignal): Promise<void> {
    const wakeUp = new AbortController();
    const end = () => wakeUp.abort();
    waiting.add(end);
    signal.addEventListener('abort', end, { once: true });
    await pause(idleMs, wakeUp.signal);
    signal.removeEventListener('abort', end);
    waiting.delete(end);
  }

  return {
    async stop() {
      stopWakeUps?.();
      await lanes.stop();
    },
  };
}

/** Whether somebody makes that feed stand still now. */
export function isFeedStill(connection: Connection, kind: FeedKind): Promise<boolean> {
  return isHeld(connection, pauseNameOf(kind));
}

const pauseTtlMs = 30_000;
const pauseWaitMs = 200;
/** How long the feed may take to stop. */
const stopWaitMsMax = 15_000;

/** Stops that feed in every process, runs `work`, and lets it go on. Throws when another pause holds, or when the feed does not stop in time. */
export async function whileFeedStands<Result>(
  connection: Connection,
  kind: FeedKind,
  work: () => Promise<Result>,
): Promise<Result> {
  const pauseName = pauseNameOf(kind);
  const stop = createLease(connection, pauseName, pauseTtlMs);
  if ((await stop.hold()) === null)
    throw new Error(`the feed of the ${kind} is already made to stand still by somebody else`);
  const renewal = setInterval(() => void stop.hold().catch(() => undefined), pauseTtlMs / 4);
  try {
    const until = performance.now() + stopWaitMsMax;
    // Who takes the lease of a lane from now on finds that it must stand still; the others are waited for.
    while (await isAnyHeld(connection, kind)) {
      if (performance.now() >= until) throw new Error(`the worker that feeds the ${kind} did not let go`);
      await pause(pauseWaitMs, new AbortController().signal);
    }
    return await work();
  } finally {
    clearInterval(renewal);
    await stop.release();
  }
}
