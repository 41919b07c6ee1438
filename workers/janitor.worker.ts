// Housekeeping by schedule: named tasks handed in by the composition, run by one process at a time under a lease.
import type { Connection } from 'mongoose';
import type { Log } from '../subgraphs/shared/log/log';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import { createWatchdog } from '../subgraphs/shared/log/watchdog';
import { isPrimaryReachable } from '../subgraphs/shared/store/mongo';
import { createLease } from './lease';
import { orElseAfter, pause, type Running } from './running';

const leaseTtlMs = 10_000;
const tickMs = 1_000;
const holdMsMax = 5_000;
/** Longer than any answer of an acquirer, a token service or a mail server is waited for. */
const stillMsMax = 120_000;
const answerMsMax = 1_000;

export interface JanitorTask {
  name: string;
  /** Real time between the end of one run and the start of the next. */
  everyMs: number;
  /** Must be harmless to repeat; stops early when the signal aborts. */
  run(stopping: AbortSignal): Promise<unknown>;
}

export interface JanitorDeps {
  connection: Connection;
  log: Log;
  metrics?: Pick<Metrics, 'watchdogRestarts'> | undefined;
  /** Real time without an end after which a task is begun anew. */
  stillMsMax?: number;
  /** Name of the lease: one process leads for each name. */
  lease?: string;
  tasks: readonly JanitorTask[];
}

/** Runs in every process, of which one leads. Each task has its own pace: a slow one holds none of the others up; one that fails is logged and comes again. */
export function startJanitor(deps: JanitorDeps): Running {
  const { connection, log, lease: name = 'janitor', tasks } = deps;
  const lease = createLease(connection, name, leaseTtlMs);
  const answers = () => isPrimaryReachable(connection, answerMsMax);
  const watches = new Map(
    tasks.map((task) => {
      const limits = { stillMsMax: deps.stillMsMax ?? stillMsMax, log, metrics: deps.metrics, answers };
      return [task.name, createWatchdog({ ...limits, loop: `${name}: ${task.name}` })];
    }),
  );
  const stopping = new AbortController();
  const dueAtMs = new Map(tasks.map(({ name }) => [name, 0]));
  const underWay = new Map<string, Promise<void>>();
  const running = work();

  /** Each tick renews the lease, also while tasks are under way. */
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      if ((await orElseAfter(holdMsMax, lease.hold(), null).catch(() => null)) !== null) startDue();
      await pause(tickMs, stopping.signal);
    }
    await Promise.all(underWay.values());
    await orElseAfter(answerMsMax, lease.release(), undefined).catch(() => undefined);
  }

  function startDue(): void {
    for (const task of tasks) {
      const isDue = !stopping.signal.aborted && performance.now() >= (dueAtMs.get(task.name) ?? 0);
      if (isDue && !underWay.has(task.name)) underWay.set(task.name, runOne(task));
    }
  }

  async function runOne({ name, everyMs, run }: JanitorTask): Promise<void> {
    try {
      await watches.get(name)?.(async ({ signal }) => void (await run(signal)), stopping.signal);
    } catch (error) {
      log.error({ error, operation: name }, 'a janitor task failed');
    } finally {
      underWay.delete(name);
      dueAtMs.set(name, performance.now() + everyMs);
    }
  }

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
