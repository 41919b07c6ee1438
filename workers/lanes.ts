// Work that is cut into lanes, each with one leader at a time under a lease of its own: processes share the lanes, take over those that become free, and give up what is above their share when others come.
import type { Connection } from 'mongoose';
import { type LaneName, laneId } from '../subgraphs/notifications';
import type { Log } from '../subgraphs/shared/log/log';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import { createWatchdog, type Turn } from '../subgraphs/shared/log/watchdog';
import { isPrimaryReachable } from '../subgraphs/shared/store/mongo';
import { createLease, createMembership, type Lease, type Reign } from './lease';
import { orElseAfter, pause, type Running } from './running';

/** How often a process looks for lanes, as a part of what a lease lasts. */
const looksPerLease = 4;
const answerMsMax = 1_000;

/** What a leader works with. */
export interface Leading<OfLane> {
  lane: OfLane;
  turn: Turn;
  reign: Reign;
  /** False when the lease is lost. */
  renew(): Promise<boolean>;
}

export interface LanesDeps<OfLane> {
  connection: Connection;
  log: Log;
  metrics?: Pick<Metrics, 'watchdogRestarts'> | undefined;
  /** Names of leases are `<kind>:<layout>:<lane>`. */
  kind: string;
  ttlMs: number;
  /** How long a leader may stand still. */
  stillMsMax: number;
  /** The lanes that want a leader now; those that it does not name any more are given up. */
  list(): Promise<readonly OfLane[]>;
  /** Serves until the lease is lost, or the turn's signal aborts; throws what it cannot deal with. */
  lead(leading: Leading<OfLane>): Promise<void>;
}

interface Led {
  stopping: AbortController;
  over: Promise<void>;
}

/** Runs until stopped; in every process. */
export function startLanes<OfLane extends LaneName>(deps: LanesDeps<OfLane>): Running {
  const { connection, log, metrics, kind, ttlMs, stillMsMax } = deps;
  const answers = () => isPrimaryReachable(connection, answerMsMax);
  const lookMs = ttlMs / looksPerLease;
  // Less than a lease lasts, so that the lanes of the dead do not wait for it.
  const membership = createMembership(connection, `${kind}-members`, ttlMs - lookMs);
  const stopping = new AbortController();
  const led = new Map<string, Led>();
  const leases = new Map<string, Lease>();
  const watchLook = createWatchdog({ loop: `${kind} lanes`, stillMsMax, log, metrics, answers });
  const running = work();

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await watchLook(look, stopping.signal).catch((error: unknown) =>
        log.warn({ error, operation: kind }, 'lanes could not be shared out; trying again'),
      );
      await pause(lookMs, stopping.signal);
    }
    await Promise.all([...led.values()].map(({ over }) => over));
    await orElseAfter(answerMsMax, membership.leave(), 0).catch(() => 0);
  }

  async function look({ signal, moved }: Turn): Promise<void> {
    const [lanes, members] = await Promise.all([deps.list(), membership.stay()]);
    const wanted = new Map(lanes.map((lane) => [laneId(lane), lane]));
    const share = Math.ceil(wanted.size / Math.max(1, members));
    const kept = [...led.keys()].filter((id) => wanted.has(id)).slice(0, share);
    for (const [id, { stopping: end }] of led) if (!kept.includes(id)) end.abort();
    for (const id of leases.keys()) if (!wanted.has(id) && !led.has(id)) leases.delete(id);
    for (const [id, lane] of wanted) {
      if (led.size >= share || signal.aborted || stopping.signal.aborted) return;
      if (led.has(id)) continue;
      await tryToLead(id, lane, signal);
      moved();
    }
  }

  async function tryToLead(id: string, lane: OfLane, signal: AbortSignal): Promise<void> {
    const lease = leases.get(id) ?? createLease(connection, `${kind}:${id}`, ttlMs);
    leases.set(id, lease);
    const reign = await lease.take();
    if (!reign) return;
    if (signal.aborted || stopping.signal.aborted) return lease.release();
    const end = new AbortController();
    const stop = () => end.abort();
    stopping.signal.addEventListener('abort', stop, { once: true });
    const over = leadLane(lane, { lease, reign, signal: end.signal }).finally(() => {
      stopping.signal.removeEventListener('abort', stop);
      led.delete(id);
    });
    led.set(id, { stopping: end, over });
  }

  /** One reign, to its end. */
  async function leadLane(
    lane: OfLane,
    { lease, reign, signal }: { lease: Lease; reign: Reign; signal: AbortSignal },
  ): Promise<void> {
    const watch = watchOf(laneId(lane));
    const renew = () => lease.renew(reign.fence);
    await watch((turn) => deps.lead({ lane, turn, reign, renew }), signal).catch((error: unknown) =>
      log.error({ error, operation: kind }, 'the leader of a lane starts over'),
    );
    await orElseAfter(answerMsMax, lease.release(), undefined).catch(() => undefined);
  }

  /** Each lane has a watchdog of its own, whose deadline it keeps from one reign to the next. */
  const watches = new Map<string, ReturnType<typeof createWatchdog>>();
  function watchOf(id: string) {
    const watch = watches.get(id) ?? createWatchdog({ loop: kind, stillMsMax, log, metrics, answers });
    watches.set(id, watch);
    return watch;
  }

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
