// The endpoints that this process is to serve: what waits is opened many at a time, as far as there are places, and each then goes on by itself, so
// that a slow one holds up nobody.
import type { Log } from '../subgraphs/shared/log/log';
import type { Watch } from '../subgraphs/shared/log/watchdog';
import type { Drain, Opened } from './drain';

const openedAtOnceMax = 256;
/** While one group is being taken, another is read. */
const openingsMax = 2;

export interface Visits {
  /** Endpoints with something due, or so somebody says. */
  call(endpointIds: readonly string[]): void;
  /** It waits to be served, or is served. */
  has(endpointId: string): boolean;
  /** How many more could be begun now; none when this process stops. */
  readonly free: number;
  /** Resolves when there is a free place, or this process stops. */
  untilFree(): Promise<void>;
  /** Resolves when all is quiet, with those that wait still; after the signal aborted. */
  end(): Promise<string[]>;
}

interface VisitMeans {
  drain: Drain;
  watch: Watch;
  log: Pick<Log, 'error'>;
  stopping: AbortSignal;
  /** Endpoints that are served at once. */
  placesMax: number;
}

export function createVisits({ drain, watch, log, stopping, placesMax }: VisitMeans): Visits {
  const waiting = new Set<string>();
  const served = new Set<string>();
  const underWay = new Set<Promise<unknown>>();
  const waiters: (() => void)[] = [];
  let opening = 0;

  const free = () => (stopping.aborted ? 0 : Math.max(0, placesMax - served.size - waiting.size));

  function call(endpointIds: readonly string[]): void {
    for (const endpointId of endpointIds) if (!drain.lookAgain(endpointId)) waiting.add(endpointId);
    // What is called for in one turn of the event loop is opened together.
    if (waiting.size > 0) setImmediate(next);
  }

  function next(): void {
    while (!stopping.aborted && opening < openingsMax) {
      const group: string[] = [];
      const places = Math.min(openedAtOnceMax, placesMax - served.size);
      for (const endpointId of waiting) {
        if (group.length >= places) break;
        // While it is opened or let go, nobody can be woken: it waits for its end.
        if (!served.has(endpointId)) group.push(endpointId);
      }
      if (group.length === 0) break;
      for (const endpointId of group) {
        waiting.delete(endpointId);
        served.add(endpointId);
      }
      opening += 1;
      void track(openGroup(group)).finally(() => {
        opening -= 1;
        next();
      });
    }
    if (free() > 0 || stopping.aborted) for (const tell of waiters.splice(0)) tell();
  }

  async function openGroup(endpointIds: readonly string[]): Promise<void> {
    let opened: readonly Opened[] = [];
    await watch(async ({ signal }) => {
      const found = await drain.open(endpointIds);
      if (!signal.aborted || stopping.aborted) opened = found;
    }, stopping).catch((error: unknown) => log.error({ error }, 'endpoints with due callbacks could not be taken'));
    const isOpened = new Set(opened.map(({ held }) => held.endpoint.endpointId));
    for (const endpointId of endpointIds) if (!isOpened.has(endpointId)) served.delete(endpointId);
    for (const one of opened) void track(serve(one));
  }

  /** Never rejects: what failed is found again by the sweep. */
  async function serve(one: Opened): Promise<void> {
    const { endpointId } = one.held.endpoint;
    let isWanted = false;
    await watch(async (turn) => {
      isWanted = await drain.serve(one, turn);
    }, stopping).catch((error: unknown) => log.error({ error, endpointId }, 'serving an endpoint failed'));
    served.delete(endpointId);
    if (isWanted) waiting.add(endpointId);
    next();
  }

  function track(work: Promise<void>): Promise<void> {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  }

  stopping.addEventListener('abort', next, { once: true });

  return {
    call,
    has: (endpointId) => waiting.has(endpointId) || served.has(endpointId),
    get free() {
      return free();
    },
    untilFree: () => (free() > 0 || stopping.aborted ? Promise.resolve() : new Promise((tell) => waiters.push(tell))),
    async end() {
      while (underWay.size > 0) await Promise.all(underWay);
      return [...waiting];
    },
  };
}
