// One reader of the event log per process, for all subscribers: rung by the doorbell, covered by a poll every second, never past an event it could not read.
import type { EventLog, PositionedEvent } from '../../subgraphs/notifications';
import { inTime } from '../../subgraphs/shared/deadline';
import type { Log } from '../../subgraphs/shared/log/log';
import type { Metrics } from '../../subgraphs/shared/log/metrics';
import { createWatchdog, type Turn } from '../../subgraphs/shared/log/watchdog';

const pollMs = 1_000;
const batchMax = 500;
const stillMsMax = 3_000;
const answerMsMax = 1_000;

export interface EventTailDeps {
  log: Log;
  metrics?: Pick<Metrics, 'watchdogRestarts'> | undefined;
  events: Pick<EventLog, 'readEvents' | 'tailPosition'>;
  /** Calls `ring` when there may be new events; returns how to stop that. A lost ring costs a poll interval. */
  doorbell: (ring: () => void) => () => void;
  /** Gets the events in commit order; called in the same tick in which `position` moves past them. */
  onEvents: (events: readonly PositionedEvent[]) => void;
}

export interface EventTail {
  /** Everything up to here was handed to `onEvents` or lies before the tail was started. */
  readonly position: number;
  /** Starts following the log at its end; while nobody holds it, the log is not read. */
  hold(): Promise<void>;
  release(): void;
  stop(): Promise<void>;
}

export function createEventTail({ log, metrics, events, doorbell, onEvents }: EventTailDeps): EventTail {
  const answers = () =>
    inTime(events.tailPosition(), answerMsMax, () => new Error('late')).then(
      () => true,
      () => false,
    );
  const watch = createWatchdog({ loop: 'event tail', stillMsMax, log, metrics, answers });
  const stopping = new AbortController();
  let position = 0;
  let holders = 0;
  let isFollowing = false;
  let starting: Promise<void> | null = null;
  let reading: Promise<void> | null = null;
  let rungAgain = false;
  let silence: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;

  async function readAll({ signal, moved }: Turn): Promise<void> {
    for (;;) {
      moved();
      const batch = await events.readEvents({ afterPosition: position, limit: batchMax });
      const last = batch.at(-1);
      // Of a turn that was abandoned nothing is handed on: another reads the same.
      if (!last || holders === 0 || signal.aborted) return;
      position = last.position;
      onEvents(batch);
      if (batch.length < batchMax) return;
    }
  }

  function ring(): void {
    if (holders === 0 || starting) return;
    if (reading) {
      rungAgain = true;
      return;
    }
    reading = watch(readAll, stopping.signal)
      .catch((error: unknown) =>
        log.warn({ error, dependency: 'mongodb' }, 'the event log could not be read; trying again'),
      )
      .finally(() => {
        reading = null;
        if (!rungAgain) return;
        rungAgain = false;
        ring();
      });
  }

  /** Rejects when the end of the log cannot be read: each subscriber that waits for it is told. */
  async function start(): Promise<void> {
    await reading;
    let isAtEnd = false;
    const findEnd = async ({ signal }: Turn) => {
      const end = await events.tailPosition();
      if (signal.aborted) return;
      position = end;
      isAtEnd = true;
    };
    while (holders > 0 && !isAtEnd) await watch(findEnd, stopping.signal);
    if (holders === 0) return;
    isFollowing = true;
    silence ??= doorbell(ring);
    timer ??= setInterval(ring, pollMs);
  }

  function pause(): void {
    isFollowing = false;
    silence?.();
    silence = null;
    if (timer) clearInterval(timer);
    timer = null;
  }

  return {
    get position() {
      return position;
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
