// Closes each day by itself in the night that follows, on the one clock, and has the books checked afterwards; in every process, of which one leads (reporting interface; 2.6 of the decision register).
import type { Connection } from 'mongoose';
import type { Log } from '../subgraphs/shared/log/log';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import { createWatchdog, type Turn } from '../subgraphs/shared/log/watchdog';
import { isPrimaryReachable } from '../subgraphs/shared/store/mongo';
import { createLease } from './lease';
import { orElseAfter, pause, type Running } from './running';

const leaseTtlMs = 10_000;
const tickMs = 1_000;
/** A day of many merchants may take long: one that is abandoned gets double the time when it is begun anew, and finds what is paid. */
const stillMsMax = 120_000;
const answerMsMax = 1_000;

export interface SettlementWorkerDeps {
  connection: Connection;
  log: Log;
  metrics?: Pick<Metrics, 'watchdogRestarts'>;
  /** Closes the day that is due; tells the day, or null when none is. */
  settleDue(): Promise<{ day: string; payouts: number } | null>;
  /** Adds up everything as far as that day; tells what does not agree. */
  checkBooks(throughDay: string): Promise<{ differences: string[] }>;
}

/** Runs until stopped. Two leaders at once would be harmless: a book is paid out once. */
export function startSettlementWorker({
  connection,
  log,
  metrics,
  settleDue,
  checkBooks,
}: SettlementWorkerDeps): Running {
  const lease = createLease(connection, 'settlement', leaseTtlMs);
  const answers = () => isPrimaryReachable(connection, answerMsMax);
  const watch = createWatchdog({ loop: 'settlement', stillMsMax, log, metrics, answers });
  const stopping = new AbortController();
  const running = work();

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await watch(async (turn) => {
        if ((await lease.hold().catch(() => null)) !== null) await settle(turn);
      }, stopping.signal);
      await pause(tickMs, stopping.signal);
    }
    await orElseAfter(answerMsMax, lease.release(), undefined).catch(() => undefined);
  }

  async function settle({ signal }: Turn): Promise<void> {
    const renewal = setInterval(() => void lease.hold().catch(() => undefined), leaseTtlMs / 4);
    // What was abandoned does not stay the leader.
    signal.addEventListener('abort', () => clearInterval(renewal), { once: true });
    try {
      const settled = await settleDue();
      if (settled) {
        log.info({ operation: 'settlement', outcome: settled.day, count: settled.payouts }, 'a day was closed');
        await check(settled.day);
      }
    } catch (error) {
      log.error({ error, operation: 'settlement' }, 'a day could not be closed; it is tried again');
    } finally {
      clearInterval(renewal);
    }
  }

  async function check(day: string): Promise<void> {
    const { differences } = await checkBooks(day);
    for (const reason of differences)
      log.error({ operation: 'settlement', reason }, 'the books do not agree: a person must look');
  }

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
