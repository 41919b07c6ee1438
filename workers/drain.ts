// Serves one endpoint: under its lease, takes what is due in batches, claims each batch there before connecting, records each result after, and looks
// again when somebody rang meanwhile.
import type { HeldEndpoint, NotificationsStores } from '../subgraphs/notifications';
import { newId } from '../subgraphs/shared/ids';
import { abandoned, type Turn } from '../subgraphs/shared/log/watchdog';
import type { DrainDeps } from './drain-deps';
import { EndpointRun } from './endpoint-run';
import { openSender } from './sender';

/** Real time; a worker that died is replaced after this long. */
const endpointLeaseTtlMs = 8_000;

export interface Drain {
  /** Serves the endpoint until nothing of it is due; returns false when another worker serves it (and was told to look again). */
  serve(endpointId: string, turn: Turn): Promise<boolean>;
  /** Has the run that serves the endpoint in this process look again; false when there is none. */
  lookAgain(endpointId: string): boolean;
}

type Runs = Map<string, EndpointRun>;

export function createDrain(deps: DrainDeps): Drain {
  const runs: Runs = new Map();
  return {
    async serve(endpointId, turn) {
      for (;;) {
        const held = await deps.stores.leases.acquire(endpointId, newId(), endpointLeaseTtlMs);
        if (!held) return false;
        const isWanted = await serve(deps, runs, held, turn);
        if (!isWanted || turn.signal.aborted) return true;
      }
    },
    lookAgain: (endpointId) => runs.get(endpointId)?.lookAgain() ?? false,
  };
}

/**
 * Serves for one stretch and releases the lease; true when the endpoint should be looked at again, with its address and secrets read anew.
 * Throws when the database is away: the lease then runs out, and whoever takes it over recovers what was in flight.
 */
async function serve(
  deps: DrainDeps,
  runs: Runs,
  held: HeldEndpoint,
  { signal: stopping, moved }: Turn,
): Promise<boolean> {
  const { leases, deliveries } = deps.stores;
  const { endpointId, address, health } = held.endpoint;
  const over = new AbortController();
  const end = () => over.abort();
  stopping.addEventListener('abort', end, { once: true });
  if (stopping.aborted) end();
  const stopRenewing = keepLease(deps, held, end);
  // At a stop it is kept until what is in flight has come back; what was abandoned keeps nobody else away.
  const letGo = () => void (stopping.reason === abandoned && stopRenewing());
  stopping.addEventListener('abort', letGo, { once: true });
  try {
    if (held.isInherited) {
      const count = await deliveries.recoverInterrupted(held.inheritedClaims, held.fence, deps.clock.now());
      if (count > 0) deps.log.warn({ endpointId, count }, 'attempts of a worker that is gone are made again');
    }
    let hasMore = false;
    if (address === null || health.state === 'DISABLED') {
      await deliveries.endDue(endpointId, deps.clock.now(), address === null ? 'noAddress' : 'endpointDisabled');
    } else {
      const sender = await openSender(deps, held.endpoint, address);
      const run = new EndpointRun(deps, held, sender, { signal: over.signal, moved });
      runs.set(endpointId, run);
      hasMore = await run.untilIdle();
    }
    return (await release(leases, held)) || hasMore;
  } finally {
    runs.delete(endpointId);
    stopRenewing();
    stopping.removeEventListener('abort', end);
    stopping.removeEventListener('abort', letGo);
  }
}

/** True when somebody rang while the endpoint was served. */
async function release(
  leases: NotificationsStores['leases'],
  { endpoint, fence, rings }: HeldEndpoint,
): Promise<boolean> {
  let seen = rings;
  for (;;) {
    const moved = await leases.release(endpoint.endpointId, fence, seen);
    if (moved === null) return seen !== rings;
    seen = moved;
  }
}

/** Renews the lease until the returned function is called; `onLost` when it could not be kept. */
function keepLease(deps: DrainDeps, { endpoint, fence }: HeldEndpoint, onLost: () => void): () => void {
  let keptAtMs = performance.now();
  const timer = setInterval(() => void renew(), endpointLeaseTtlMs / 4);

  async function renew(): Promise<void> {
    const askedAtMs = performance.now();
    try {
      if (await deps.stores.leases.renew(endpoint.endpointId, fence, endpointLeaseTtlMs)) keptAtMs = askedAtMs;
      else onLost();
    } catch {
      if (performance.now() - keptAtMs > endpointLeaseTtlMs) onLost();
    }
  }
  return () => clearInterval(timer);
}
