// Closes each day by itself in the night that follows, on the one clock, lane by lane, and has the books checked when all are closed; in every process, which share the lanes (reporting interface; 2.6 of the decision register).
import type { Connection } from 'mongoose';
import type { Lane } from '../subgraphs/notifications';
import type { Log } from '../subgraphs/shared/log/log';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import { type Leading, startLanes } from './lanes';
import { pause, type Running } from './running';

const leaseTtlMs = 20_000;
const tickMs = 3_000;
/** Some hundred books take a fraction of it: what is abandoned is begun anew, and finds what is paid. */
const stillMsMax = 120_000;
/** A journal that is farther behind than that has told so by itself. */
const caughtUpMsMax = 600_000;

export interface SettlementWorkerDeps {
  connection: Connection;
  log: Log;
  metrics?: Pick<Metrics, 'watchdogRestarts'>;
  lanes(): Promise<readonly Lane[]>;
  /** Closes the day that is due for those slots; tells the day, or null when none is, and whether that was the last of it. */
  settleDue(turn: {
    slots: Lane;
    stopping: AbortSignal;
    moved(): void;
  }): Promise<{ day: string; payouts: number; isWhole: boolean } | null>;
  /** Adds up everything as far as that day, once the journal has caught up; tells what does not agree. */
  checkBooks(moving: { throughDay: string; over: AbortSignal }): Promise<{ differences: string[] }>;
}

/** Runs until stopped. Two leaders of a lane at once would be harmless: a book is paid out once. */
export function startSettlementWorker(deps: SettlementWorkerDeps): Running {
  const { connection, log, metrics, lanes, settleDue, checkBooks } = deps;
  const checks = new Set<Promise<void>>();
  const stopping = new AbortController();
  const running = startLanes<Lane>({
    connection,
    log,
    metrics,
    kind: 'settlement',
    ttlMs: leaseTtlMs,
    stillMsMax,
    list: lanes,
    lead,
  });
  return {
    async stop() {
      stopping.abort();
      await running.stop();
      await Promise.all(checks);
    },
  };

  async function lead({ lane, turn: { signal, moved }, renew }: Leading<Lane>): Promise<void> {
    const lost = new AbortController();
    const over = AbortSignal.any([signal, lost.signal]);
    const beat = () =>
      void renew().then(
        (isHeld) => isHeld || lost.abort(),
        () => undefined,
      );
    const renewal = setInterval(beat, leaseTtlMs / 4);
    try {
      while (!over.aborted) {
        moved();
        await settle({ slots: lane, stopping: over, moved });
        await pause(tickMs, over);
      }
    } finally {
      clearInterval(renewal);
    }
  }

  async function settle(turn: Parameters<typeof settleDue>[0]): Promise<void> {
    try {
      const settled = await settleDue(turn);
      if (!settled) return;
      const { day, payouts, isWhole } = settled;
      log.info({ operation: 'settlement', outcome: day, count: payouts, lane: turn.slots.lane }, 'a lane closed a day');
      if (!isWhole) return;
      log.info({ operation: 'settlement', outcome: day }, 'a day was closed');
      const checking = check(day).finally(() => checks.delete(checking));
      checks.add(checking);
    } catch (error) {
      log.error({ error, operation: 'settlement' }, 'a day could not be closed; it is tried again');
    }
  }

  /** Beside the lanes, which do not wait for it: with many books it takes long. */
  async function check(day: string): Promise<void> {
    try {
      const over = AbortSignal.any([stopping.signal, AbortSignal.timeout(caughtUpMsMax)]);
      const { differences } = await checkBooks({ throughDay: day, over });
      for (const reason of differences)
        log.error({ operation: 'settlement', reason }, 'the books do not agree: a person must look');
    } catch (error) {
      if (stopping.signal.aborted)
        log.info({ error, operation: 'settlement' }, 'the check of the books ends with its process');
      else log.error({ error, operation: 'settlement' }, 'the books could not be checked');
    }
  }
}
