// One reign over a lane of the log: reads what waits and what the stream brings, and publishes it batch by batch. One loop does it all, its lease included,
// so that a leader who does not get on does not stay one.

import type { Lane } from '../subgraphs/notifications';
import type { Log } from '../subgraphs/shared/log/log';
import type { EventRecord } from '../subgraphs/shared/store/unit-of-work';
import type { Leading } from './lanes';
import { createPublisher, type OutboxWorkerDeps, type Tell } from './publish';
import { orElseAfter, pause, type TakeTurn } from './running';

const batchMax = 500;
/** Beyond this the worker starts over: what waits is then read from the log in pages. */
const bufferedMax = 20_000;
const beatMs = 1_000;
const closeMsMax = 1_000;
/** How often, in beats, events without a slot are looked for. */
const slotsEvery = 5;
/** After a batch as small as that the lane rests: what happens meanwhile is published, told and looked for together. An event after a quiet moment has its place at once. */
const smallBatch = 100;
const restMs = 25;

interface OutboxReignDeps extends Omit<OutboxWorkerDeps, 'connection' | 'redis'> {
  /** Shared by the lanes that this process leads. */
  takeTurn: TakeTurn;
}

function noTurn(): void {}

/** Serves as the leader until the lease is lost, the stream breaks, the worker stops or the turn is abandoned. */
export async function reignOverLog(
  deps: OutboxReignDeps,
  { lane, turn, reign, renew }: Leading<Lane>,
  tell: Tell,
): Promise<void> {
  const inbox = await openInbox(deps, lane, turn.signal);
  const publisher = createPublisher(deps, { lane, reign, tell });
  const missed = createSweeper(deps, lane, publisher);
  let beatAtMs = performance.now() + beatMs;
  try {
    for (let isFirst = true; !inbox.over.aborted; ) {
      turn.moved();
      if (performance.now() >= beatAtMs) {
        if (!(await renew()))
          return deps.log.warn({ operation: 'outbox' }, 'the lease of a lane of the outbox was lost');
        inbox.add(await missed(inbox.buffer));
        beatAtMs = performance.now() + beatMs;
        if (inbox.over.aborted) return;
      }
      // What was there before the stream goes first, however much it is, in pages.
      const waiting: EventRecord[] = isFirst
        ? await deps.stores.events.unpositioned(batchMax, lane, publisher.heldIds())
        : [];
      isFirst = waiting.length === batchMax;
      const count = waiting.length > 0 ? waiting.length : inbox.buffer.length;
      if (count === 0) {
        await inbox.untilWoken(beatAtMs - performance.now());
        continue;
      }
      // While another lane publishes, what fills no batch yet grows: a batch costs about the same however many are in it.
      const endTurn = count < batchMax ? await deps.takeTurn() : noTurn;
      const batch = waiting.length > 0 ? waiting : inbox.buffer.splice(0, batchMax);
      await publisher.publish(batch).finally(endTurn);
      if (batch.length < smallBatch && inbox.buffer.length < smallBatch) await pause(restMs, inbox.over);
    }
  } finally {
    deps.metrics?.outboxLag.set({ lane: String(lane.lane) }, 0);
    deps.metrics?.outboxHeld.set({ lane: String(lane.lane) }, 0);
    await orElseAfter(closeMsMax, inbox.close(), undefined).catch(() => undefined);
  }
}

/** What the stream brings, until it ends or `signal` aborts. */
async function openInbox(
  { stores, log }: { stores: OutboxReignDeps['stores']; log: Log },
  lane: Lane,
  signal: AbortSignal,
) {
  const buffer: EventRecord[] = [];
  const over = new AbortController();
  const end = () => over.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let wakeUp = new AbortController();
  const add = (events: readonly EventRecord[]) => {
    if (buffer.push(...events) > bufferedMax) end();
    // Each call makes an exception with its stack, also when it has aborted before.
    if (!wakeUp.signal.aborted) wakeUp.abort();
  };
  over.signal.addEventListener('abort', () => wakeUp.abort(), { once: true });
  const stream = await stores.events.watch(lane, {
    onInsert: (event) => add([event]),
    onEnd: (error) => {
      log.warn({ error }, 'the change stream of events ended');
      end();
    },
  });
  return {
    buffer,
    add,
    over: over.signal,
    /** Waits for the next event, but no longer than that. */
    async untilWoken(ms: number): Promise<void> {
      if (buffer.length > 0 || over.signal.aborted) return;
      wakeUp = new AbortController();
      await pause(Math.max(0, ms), wakeUp.signal);
    },
    async close(): Promise<void> {
      signal.removeEventListener('abort', end);
      await stream.close();
    },
  };
}

/** Each call returns the events that had no position at the last call either and that the stream did not bring, and what is held back. */
function createSweeper(
  { stores, clock, metrics }: OutboxReignDeps,
  lane: Lane,
  { heldIds, held }: Pick<ReturnType<typeof createPublisher>, 'heldIds' | 'held'>,
): (buffered: readonly EventRecord[]) => Promise<EventRecord[]> {
  let seen = new Set<string>();
  let beats = 0;
  return async (buffered) => {
    // What a process of a former release wrote belongs to some lane, and the first one sees to it.
    if (lane.lane === 0 && beats++ % slotsEvery === 0) await stores.events.giveSlots(batchMax);
    const found = await stores.events.unpositioned(batchMax, lane, heldIds());
    const known = new Set(buffered.map(({ _id }) => _id));
    const missed = found.filter(({ _id }) => seen.has(_id) && !known.has(_id));
    seen = new Set(found.map(({ _id }) => _id));
    const now = clock.now().getTime();
    const oldest = Math.min(now, ...found.map(({ occurredAt }) => occurredAt.getTime()));
    metrics?.outboxLag.set({ lane: String(lane.lane) }, (now - oldest) / 1_000);
    return [...held(), ...missed];
  };
}
