// Feeds the journal of reporting from the event log: in every process, of which one leads; rung by published events, and looking by itself besides (reporting interface).
import type { Connection } from 'mongoose';
import type { Log } from '../subgraphs/shared/log/log';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import { createWatchdog, type Turn } from '../subgraphs/shared/log/watchdog';
import { isPrimaryReachable } from '../subgraphs/shared/store/mongo';
import { createLease, isHeld, type Reign } from './lease';
import { orElseAfter, pause, type Running } from './running';

const leaseName = 'journal';
/** Whoever holds this lease wants the journal to stand still: the worker lets go within a second or two, and waits. */
const journalPauseName = 'journal-pause';
const leaseTtlMs = 5_000;
const renewMs = 1_000;
const idleMs = 250;
/** Booking a batch takes a fraction of it. */
const stillMsMax = 5_000;
const answerMsMax = 1_000;
/** Between two batches under load: what happens meanwhile is booked together. An event after a quiet moment is booked at once. */
const restMs = 100;

export interface JournalWorkerDeps {
  connection: Connection;
  log: Log;
  metrics?: Pick<Metrics, 'watchdogRestarts'>;
  /** Books the next batch, in the leader's own session; tells how many events it was, and whether more are known to wait. */
  bookNext(session: Reign['session']): Promise<{ events: number; isFull: boolean }>;
  /** Calls `ring` when events were published; returns how to stop that. */
  doorbell(ring: () => void): () => void;
}

/** Runs until stopped. Two leaders at once would be harmless: the checkpoint lets one of them book a batch. */
export function startJournalWorker({ connection, log, metrics, bookNext, doorbell }: JournalWorkerDeps): Running {
  const lease = createLease(connection, leaseName, leaseTtlMs);
  const answers = () => isPrimaryReachable(connection, answerMsMax);
  const watch = createWatchdog({ loop: 'journal', stillMsMax, log, metrics, answers });
  const stopping = new AbortController();
  let wake: () => void = () => undefined;
  const silence = doorbell(() => wake());
  const running = lead();

  async function lead(): Promise<void> {
    while (!stopping.signal.aborted) {
      await watch(runExclusive, stopping.signal).catch((error: unknown) =>
        log.error({ error }, 'the journal worker starts over'),
      );
      await pause(renewMs, stopping.signal);
    }
    await orElseAfter(answerMsMax, lease.release(), undefined).catch(() => undefined);
  }

  async function runExclusive(turn: Turn): Promise<void> {
    if (await isHeld(connection, journalPauseName)) return lease.release();
    const reign = await lease.take();
    if (reign) await feed(turn, reign);
  }

  /** Until the lease is lost, the worker stops or the turn is abandoned; throws what booking throws. */
  async function feed({ signal, moved }: Turn, { fence, session }: Reign): Promise<void> {
    let heldUntil = performance.now() + renewMs;
    while (!signal.aborted) {
      moved();
      if (performance.now() >= heldUntil) {
        if ((await isHeld(connection, journalPauseName)) || !(await lease.renew(fence))) return;
        heldUntil = performance.now() + renewMs;
      }
      const { events, isFull } = await bookNext(session);
      if (events === 0) await rung(signal);
      else if (!isFull) await pause(restMs, signal);
    }
  }

  async function rung(signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    wake = () => waiting.abort();
    const end = () => waiting.abort();
    signal.addEventListener('abort', end, { once: true });
    await pause(idleMs, waiting.signal);
    signal.removeEventListener('abort', end);
  }

  return {
    async stop() {
      stopping.abort();
      silence();
      await running;
    },
  };
}

const pauseTtlMs = 30_000;
const pauseWaitMs = 200;
/** How long the feed may take to stop. */
const stopWaitMsMax = 15_000;

/** Stops the feed of every process, runs `work`, and lets it go on. Throws when another pause holds, or when the feed does not stop in time. */
export async function whileJournalStands<Result>(connection: Connection, work: () => Promise<Result>): Promise<Result> {
  const [stop, lead] = [
    createLease(connection, journalPauseName, pauseTtlMs),
    createLease(connection, leaseName, pauseTtlMs),
  ];
  if ((await stop.hold()) === null) throw new Error('the journal is already made to stand still by somebody else');
  const renewal = setInterval(
    () => void Promise.all([stop.hold(), lead.hold()]).catch(() => undefined),
    pauseTtlMs / 4,
  );
  try {
    const until = performance.now() + stopWaitMsMax;
    while ((await lead.hold()) === null) {
      if (performance.now() >= until) throw new Error('the journal worker did not let go');
      await pause(pauseWaitMs, new AbortController().signal);
    }
    return await work();
  } finally {
    clearInterval(renewal);
    await lead.release();
    await stop.release();
  }
}
