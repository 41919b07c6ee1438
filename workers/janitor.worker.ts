// Housekeeping by schedule: named tasks handed in by the composition, run by one process at a time under a lease, lane by lane by as many as there are lanes, or by every process.
import type { Connection } from 'mongoose';
import type { Lane } from '../subgraphs/notifications';
import type { Clock } from '../subgraphs/shared/clock';
import type { Log } from '../subgraphs/shared/log/log';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import { createWatchdog } from '../subgraphs/shared/log/watchdog';
import { isPrimaryReachable } from '../subgraphs/shared/store/mongo';
import { type Leading, startLanes } from './lanes';
import { createLease } from './lease';
import { orElseAfter, pause, type Running } from './running';

const leaseTtlMs = 10_000;
const renewMs = leaseTtlMs / 4;
const tickMs = 1_000;
const holdMsMax = 5_000;
/** Longer than any answer of an acquirer, a token service or a mail server is waited for. */
const stillMsMax = 120_000;
const answerMsMax = 1_000;

export interface JanitorTask<Given extends unknown[] = []> {
  name: string;
  /** Real time between the end of one run and the start of the next; none once the clock was moved. */
  everyMs: number;
  /** The same after a run that found nothing to do; `everyMs` without it. */
  idleMs?: number;
  /** Must be harmless to repeat; stops early when the signal aborts. Resolves with 0 when it found nothing to do. */
  run(stopping: AbortSignal, ...given: Given): Promise<unknown>;
}

interface JanitorMeans {
  connection: Connection;
  clock: Pick<Clock, 'offsetMs'>;
  log: Log;
  metrics?: Pick<Metrics, 'watchdogRestarts'> | undefined;
  /** Real time without an end after which a task is begun anew. */
  stillMsMax?: number;
}

interface RoundsDeps extends JanitorMeans {
  tasks: readonly JanitorTask[];
}

export interface JanitorDeps extends RoundsDeps {
  /** Name of the lease: one process leads for each name. */
  lease?: string;
}

/** Runs in every process, and each does all of the tasks: of what a task works on it takes what no other process has taken. */
export function startSharedJanitor(deps: RoundsDeps & { name: string }): Running {
  return startRounds(deps, deps.name, async () => true);
}

/** Runs in every process, of which one leads. */
export function startJanitor(deps: JanitorDeps): Running {
  const { connection, lease: name = 'janitor' } = deps;
  const lease = createLease(connection, name, leaseTtlMs);
  let [leads, lookAtMs] = [false, 0];

  /** Renews the lease also while tasks are under way, and looks whether another's is over. */
  async function lead(): Promise<boolean> {
    if (performance.now() >= lookAtMs) {
      lookAtMs = performance.now() + renewMs;
      leads = (await orElseAfter(holdMsMax, lease.hold(), null).catch(() => null)) !== null;
    }
    return leads;
  }

  const rounds = startRounds(deps, name, lead);
  return {
    async stop() {
      await rounds.stop();
      await orElseAfter(answerMsMax, lease.release(), undefined).catch(() => undefined);
    },
  };
}

/** Begins what is due, once a second, as long as this process is the one to do so. */
function startRounds(deps: RoundsDeps, owner: string, mayBegin: () => Promise<boolean>): Running {
  const stopping = new AbortController();
  const rounds = createRounds(deps, owner, stopping.signal);
  const running = work();

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (await mayBegin()) rounds.startDue();
      await pause(tickMs, stopping.signal);
    }
    await rounds.ended();
  }

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

export interface LaneJanitorDeps extends JanitorMeans {
  /** The first part of the names of its leases. */
  kind: string;
  lanes(): Promise<readonly Lane[]>;
  tasks: readonly JanitorTask<[Lane]>[];
}

/** Runs in every process; they share the lanes, and each does the tasks for those that it leads. */
export function startLaneJanitor(deps: LaneJanitorDeps): Running {
  const { connection, log, metrics, kind, lanes } = deps;
  const ttlMs = leaseTtlMs;
  // No task is waited for longer than that.
  const still = 2 * (deps.stillMsMax ?? stillMsMax);
  return startLanes<Lane>({ connection, log, metrics, kind, ttlMs, stillMsMax: still, list: lanes, lead });

  /** Until the lease is lost or the lane given up: what is under way then comes to its end first. */
  async function lead({ lane, turn: { signal, moved }, renew }: Leading<Lane>): Promise<void> {
    const lost = new AbortController();
    const over = AbortSignal.any([signal, lost.signal]);
    const tasks = deps.tasks.map((task) => ({ ...task, run: (stopping: AbortSignal) => task.run(stopping, lane) }));
    const rounds = createRounds({ ...deps, tasks }, kind, over);
    let renewAtMs = 0;
    try {
      while (!over.aborted) {
        moved();
        if (performance.now() >= renewAtMs) {
          renewAtMs = performance.now() + renewMs;
          if (!(await orElseAfter(holdMsMax, renew(), false))) return;
        }
        rounds.startDue();
        await pause(tickMs, over);
      }
    } finally {
      // Also when the lease could not be asked about: whoever leads next is not to meet what goes on here.
      lost.abort();
      await rounds.ended();
    }
  }
}

/** Each task has its own pace: a slow one holds none of the others up; one that fails is logged and comes again. */
function createRounds(
  { connection, clock, log, metrics, tasks, ...limits }: RoundsDeps,
  owner: string,
  stopping: AbortSignal,
) {
  const answers = () => isPrimaryReachable(connection, answerMsMax);
  const watches = new Map(
    tasks.map((task) => {
      const watched = { stillMsMax: limits.stillMsMax ?? stillMsMax, log, metrics, answers };
      return [task.name, createWatchdog({ ...watched, loop: `${owner}: ${task.name}` })];
    }),
  );
  const dueAtMs = new Map(tasks.map(({ name }) => [name, 0]));
  const underWay = new Map<string, Promise<void>>();
  let movedMs = clock.offsetMs();

  async function runOne({ name, everyMs, idleMs = everyMs, run }: JanitorTask): Promise<void> {
    const begunAtMs = clock.offsetMs();
    let restMs = everyMs;
    try {
      await watches.get(name)?.(async ({ signal }) => {
        if ((await run(signal)) === 0) restMs = idleMs;
      }, stopping);
    } catch (error) {
      log.error({ error, operation: name }, 'a janitor task failed');
    } finally {
      underWay.delete(name);
      dueAtMs.set(name, clock.offsetMs() === begunAtMs ? performance.now() + restMs : 0);
    }
  }

  return {
    startDue(): void {
      // What came due by a moved clock does not wait for its turn.
      if (clock.offsetMs() !== movedMs) for (const { name } of tasks) dueAtMs.set(name, 0);
      movedMs = clock.offsetMs();
      for (const task of tasks) {
        const isDue = !stopping.aborted && performance.now() >= (dueAtMs.get(task.name) ?? 0);
        if (isDue && !underWay.has(task.name)) underWay.set(task.name, runOne(task));
      }
    },
    ended: () => Promise.all(underWay.values()),
  };
}
