// Serves endpoints: many are looked at and taken together, each is then served by itself under its lease. What is due is taken in batches, claimed there
// before connecting, recorded after; and no wake-up meanwhile is lost.
import type { HeldEndpoint, NotificationsStores, SeenEndpoint } from '../subgraphs/notifications';
import { newId } from '../subgraphs/shared/ids';
import { abandoned, type Turn } from '../subgraphs/shared/log/watchdog';
import type { DrainDeps } from './drain-deps';
import { claimsAt, firstAhead, type Opening, openingOf } from './due-supply';
import { EndpointRun } from './endpoint-run';
import { openSender } from './sender';

/** Real time; a worker that died is replaced after this long. */
const endpointLeaseTtlMs = 8_000;

/** An endpoint whose lease was taken; null: what is due there is not known yet. */
export interface Opened {
  held: HeldEndpoint;
  /** Before its lease was asked for: it may last from then. */
  askedAtMs: number;
  opening: Opening | null;
}

export interface Drain {
  /** Takes the endpoints with something due. Who serves one of them already is told to look again. */
  open(endpointIds: readonly string[]): Promise<Opened[]>;
  /** Serves the endpoint until nothing of it is due, and lets it go; true when it should be opened anew. */
  serve(opened: Opened, turn: Turn): Promise<boolean>;
  /** Has the run that serves the endpoint in this process look again; false when there is none. */
  lookAgain(endpointId: string): boolean;
}

type Runs = Map<string, EndpointRun>;

export function createDrain(deps: DrainDeps): Drain {
  const runs: Runs = new Map();
  return {
    async open(endpointIds) {
      const seen = await deps.stores.leases.see(endpointIds);
      const isPlain = ({ isFree, endpoint }: SeenEndpoint) =>
        isFree && endpoint.address !== null && endpoint.health.state !== 'DISABLED';
      const plain = seen.filter(isPlain);
      const [taken, missed] = await openPlain(deps, plain);
      const others = [...seen.filter((one) => !isPlain(one)), ...missed];
      const acquired = await Promise.all(others.map(({ endpoint }) => acquire(deps, endpoint.endpointId)));
      return [...taken, ...acquired.flat()];
    },
    serve: (opened, turn) => serve(deps, runs, opened, turn),
    lookAgain: (endpointId) => runs.get(endpointId)?.lookAgain() ?? false,
  };
}

/**
 * Takes the free endpoints of these that have something due: what is due is read before the leases are taken, and claimed in the same write. The second
 * list are those that changed in between.
 */
async function openPlain(
  { stores: { leases, deliveries }, clock, concurrencyPerEndpoint }: DrainDeps,
  seen: readonly SeenEndpoint[],
): Promise<[Opened[], readonly SeenEndpoint[]]> {
  if (seen.length === 0) return [[], []];
  const now = clock.now();
  const ids = seen.map(({ endpoint }) => endpoint.endpointId);
  const due = await deliveries.firstDue(ids, now, firstAhead(concurrencyPerEndpoint));
  const blockers = await deliveries.blockersAmong(due);
  if (blockers === null) return [[], seen];
  const openings = new Map(
    [...due].map(([endpointId, first]) => [endpointId, openingOf(first, blockers.get(endpointId) ?? [], now)]),
  );
  const wanted = seen.flatMap((one) => {
    const opening = openings.get(one.endpoint.endpointId);
    return opening ? [{ seen: one, claims: claimsAt(now, opening.plan.send) }] : [];
  });
  if (wanted.length === 0) return [[], []];
  const askedAtMs = performance.now();
  const held = await leases.takeFree(wanted, newId(), endpointLeaseTtlMs);
  const taken = held.map((one) => ({ held: one, askedAtMs, opening: openings.get(one.endpoint.endpointId) ?? null }));
  const takenIds = new Set(held.map(({ endpoint }) => endpoint.endpointId));
  return [taken, wanted.flatMap(({ seen: one }) => (takenIds.has(one.endpoint.endpointId) ? [] : [one]))];
}

/** One by itself: it is off, left behind by a worker that is gone, or served by somebody. */
async function acquire({ stores: { leases } }: DrainDeps, endpointId: string): Promise<Opened[]> {
  const askedAtMs = performance.now();
  const held = await leases.acquire(endpointId, newId(), endpointLeaseTtlMs);
  return held ? [{ held, askedAtMs, opening: null }] : [];
}

/**
 * Serves for one stretch and releases the lease; true when the endpoint should be looked at again, with its address and secrets read anew.
 * Throws when the database is away: the lease then runs out, and whoever takes it over recovers what was in flight.
 */
async function serve(deps: DrainDeps, runs: Runs, opened: Opened, { signal: stopping, moved }: Turn): Promise<boolean> {
  const { leases, deliveries } = deps.stores;
  const { held, opening } = opened;
  const { endpointId, address, health } = held.endpoint;
  const over = new AbortController();
  const end = () => over.abort();
  stopping.addEventListener('abort', end, { once: true });
  if (stopping.aborted) end();
  const { stopRenewing, isLeaseOver } = keepLease(deps, opened, end);
  // At a stop it is kept until what is in flight has come back; what was abandoned keeps nobody else away.
  const letGo = () => void (stopping.reason === abandoned && stopRenewing());
  stopping.addEventListener('abort', letGo, { once: true });
  try {
    if (held.isInherited) {
      const own = { endpointId, fence: held.fence };
      const count = await deliveries.recoverInterrupted(own, held.inheritedClaims, deps.clock.now());
      if (count > 0) deps.log.warn({ endpointId, count }, 'attempts of a worker that is gone are made again');
    }
    let hasMore = false;
    if (address === null || health.state === 'DISABLED') {
      await deliveries.endDue(endpointId, deps.clock.now(), address === null ? 'noAddress' : 'endpointDisabled');
    } else {
      const sender = await openSender(deps, held.endpoint, address);
      const run = new EndpointRun(deps, held, sender, {
        turn: { signal: over.signal, moved },
        opening,
        isLeaseOver,
      });
      runs.set(endpointId, run);
      hasMore = await run.untilIdle();
    }
    stopRenewing();
    return (await release(leases, held)) || hasMore;
  } finally {
    runs.delete(endpointId);
    stopRenewing();
    stopping.removeEventListener('abort', end);
    stopping.removeEventListener('abort', letGo);
  }
}

/** True when a wake-up came while the endpoint was served. */
async function release(leases: NotificationsStores['leases'], held: HeldEndpoint): Promise<boolean> {
  let rings = 0;
  for (;;) {
    const moved = await leases.release(held, rings);
    if (moved === null) return rings > 0;
    rings = moved;
  }
}

/**
 * Renews the lease until it is told to stop; `onLost` when it could not be kept, and as soon as its time is over: a renewal without an answer keeps
 * nobody else away.
 */
function keepLease(deps: DrainDeps, { held: { endpoint, fence }, askedAtMs }: Opened, onLost: () => void) {
  let overAtMs = askedAtMs + endpointLeaseTtlMs;
  let deadline: NodeJS.Timeout | undefined;
  // What fails is tried again as long as there is time.
  const timer = setInterval(() => void renew().catch(() => undefined), endpointLeaseTtlMs / 4);
  const isLeaseOver = () => performance.now() >= overAtMs;
  watch();

  function watch(): void {
    if (isLeaseOver()) onLost();
    else deadline = setTimeout(watch, overAtMs - performance.now());
  }

  async function renew(): Promise<void> {
    const sentAtMs = performance.now();
    if (!(await deps.stores.leases.renew(endpoint.endpointId, fence, endpointLeaseTtlMs))) return onLost();
    overAtMs = Math.max(overAtMs, sentAtMs + endpointLeaseTtlMs);
  }

  const stopRenewing = () => {
    clearInterval(timer);
    clearTimeout(deadline);
  };
  return { stopRenewing, isLeaseOver };
}
