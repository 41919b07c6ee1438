// One reader of the event log per process, for all subscribers: follows all its lanes by their segments, woken by Redis, covered by a poll every second, never past an event it could not read.
import type { EventHead, EventLog, LogPlace } from '../../subgraphs/notifications';
import { inTime } from '../../subgraphs/shared/deadline';
import type { Log } from '../../subgraphs/shared/log/log';
import type { Metrics } from '../../subgraphs/shared/log/metrics';
import { createWatchdog, type Turn } from '../../subgraphs/shared/log/watchdog';
import { slotCount } from '../../subgraphs/shared/store/slot';
import { eventsOf, type PlacedEvent } from './log-walk';

const pollMs = 1_000;
const stillMsMax = 3_000;
const answerMsMax = 1_000;

export interface EventTailDeps {
  log: Log;
  metrics?: Pick<Metrics, 'watchdogRestarts'> | undefined;
  events: Pick<EventLog, 'readOn' | 'end'>;
  /** Calls `wake` when there may be new events; returns how to stop that. A lost wake-up costs a poll interval. */
  wakeUps: (wake: () => void) => () => void;
  /** Gets what was published, each slot's in commit order; called in the same tick in which `position` moves past it. */
  onEvents: (events: readonly PlacedEvent[]) => void;
}

/** How far the tail has come. */
export interface TailPlace {
  /** Everything of the slot up to here was handed to `onEvents` or lies before the tail was started. */
  position(slot: number): number;
  /** The same of the whole log. */
  place: LogPlace;
  /** Of the last event that was handed out. */
  serial: number;
}

export interface EventTail {
  position(slot: number): number;
  /** As it is at this moment. */
  snapshot(): TailPlace;
  /** Starts following the log at its end; while nobody holds it, the log is not read. */
  hold(): Promise<void>;
  release(): void;
  stop(): Promise<void>;
}

export function createEventTail({ log, metrics, events, wakeUps, onEvents }: EventTailDeps): EventTail {
  const answers = () =>
    inTime(events.end(), answerMsMax, () => new Error('late')).then(
      () => true,
      () => false,
    );
  const watch = createWatchdog({ loop: 'event tail', stillMsMax, log, metrics, answers });
  const stopping = new AbortController();
  let place: LogPlace = { layout: 0, numbers: [] };
  /** Never changed: another follows. */
  let positions: Float64Array = new Float64Array(slotCount);
  let serial = 0;
  let holders = 0;
  let isFollowing = false;
  let starting: Promise<void> | null = null;
  let reading: Promise<void> | null = null;
  let wokenAgain = false;
  let stopWakeUps: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;

  async function readAll({ signal, moved }: Turn): Promise<void> {
    for (;;) {
      moved();
      const step = await events.readOn(place);
      // Of a turn that was abandoned nothing is handed on: another reads the same.
      if (holders === 0 || signal.aborted) return;
      positions = movedOn(positions, step.heads);
      const told = eventsOf(step, place, serial);
      place = step.place;
      serial += told.length;
      if (told.length > 0) onEvents(told);
      if (!step.isFull) return;
    }
  }

  function wake(): void {
    if (holders === 0 || starting) return;
    if (reading) {
      wokenAgain = true;
      return;
    }
    reading = watch(readAll, stopping.signal)
      .catch((error: unknown) =>
        log.warn({ error, dependency: 'mongodb' }, 'the event log could not be read; trying again'),
      )
      .finally(() => {
        reading = null;
        if (!wokenAgain) return;
        wokenAgain = false;
        wake();
      });
  }

  /** Rejects when the end of the log cannot be read: each subscriber that waits for it is told. */
  async function start(): Promise<void> {
    await reading;
    let isAtEnd = false;
    const findEnd = async ({ signal }: Turn) => {
      const end = await events.end();
      if (signal.aborted) return;
      place = end;
      positions = Float64Array.from(end.positions);
      isAtEnd = true;
    };
    while (holders > 0 && !isAtEnd) await watch(findEnd, stopping.signal);
    if (holders === 0) return;
    isFollowing = true;
    stopWakeUps ??= wakeUps(wake);
    timer ??= setInterval(wake, pollMs);
  }

  function pause(): void {
    isFollowing = false;
    stopWakeUps?.();
    stopWakeUps = null;
    if (timer) clearInterval(timer);
    timer = null;
  }

  return {
    position: (slot) => positions[slot] ?? 0,
    snapshot() {
      const then = positions;
      return { position: (slot) => then[slot] ?? 0, place, serial };
    },
    async hold() {
      holders += 1;
      if (isFollowing) return;
      starting ??= start().finally(() => {
        starting = null;
      });
      try {
        await starting;
      } catch (error) {
        holders -= 1;
        throw error;
      }
    },
    release() {
      if (holders === 0) return;
      holders -= 1;
      if (holders === 0) pause();
    },
    async stop() {
      holders = 0;
      pause();
      stopping.abort();
      await reading;
    },
  };
}

/** Throws where one is missing: whoever reads again finds it, and nothing is passed over. */
function movedOn(positions: Float64Array, heads: readonly EventHead[]): Float64Array {
  if (heads.length === 0) return positions;
  const moved = positions.slice();
  for (const { slot, position } of heads) {
    if (position !== (moved[slot] ?? 0) + 1)
      throw new Error(`slot ${slot} goes on with ${position} behind ${moved[slot]}`);
    moved[slot] = position;
  }
  return moved;
}
