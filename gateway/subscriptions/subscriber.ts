// One subscription of one client: replays the log from its cursor, then joins its group live, with no gap and nothing twice.

import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { execute } from 'graphql';
import type { EventLog, EventOwner, PositionedHead, ReadEvents } from '../../subgraphs/notifications';
import type { Clock } from '../../subgraphs/shared/clock';
import { inTime } from '../../subgraphs/shared/deadline';
import { DomainError } from '../../subgraphs/shared/errors';
import type { Graph } from '../plan/execute';
import type { PreparedOperation } from '../plan/prepared-operation';
import type { Variables } from '../subgraphs/subgraph-client';
import { completedMax } from './event-completion';
import { bundledFrames, eventFrame, payloadOfResult } from './event-frame';
import type { EventTail, TailPlace } from './event-tail';
import type { Member, PrintedEvent, SubscriberGroup, ToldEvent } from './subscriber-group';
import type { PreparedSubscription } from './subscription-document';
import { gapItem, gapType, type OwnedField } from './subscription-field';

/** Batches that are read and completed while the one before them is written. */
const batchesAhead = 2;
/** Events of the past that are written at once, unless one alone is larger. */
const bundleBytesMax = 64 * 1024;
/** A replay waits for its reader above this many unsent bytes. */
const replayPauseBytes = 128 * 1024;
/** How long a replay waits for a reader that takes nothing. */
const replayStallMs = 30_000;

export interface SubscriberDeps {
  graph: Graph;
  clock: Pick<Clock, 'now'>;
  tail: EventTail;
  events: EventLog;
  group: SubscriberGroup;
  subscription: PreparedSubscription;
  operation: PreparedOperation;
  variables: Variables;
  member: Member;
}

/** Where a subscription to one owner's events starts: after `from` in its slot; with a gap item first when events are missing there. */
export interface OwnedStart {
  field: OwnedField;
  owner: string;
  slot: number;
  from: number;
  gap: boolean;
}

/** Decides it by cursor; refuses cursors that are not of this log. */
export async function startOf(
  { events }: Pick<SubscriberDeps, 'events'>,
  { field, owner, after }: { field: OwnedField; owner: string; after: string | null },
  arrived: TailPlace,
): Promise<OwnedStart> {
  const owned = ownerOf(field, owner);
  const slot = await events.slotOf(owned);
  if (slot === null)
    throw new DomainError('notFound', 'there are no events of this owner', { field: field.ownerArgument });
  const arrivedAt = arrived.position(slot);
  // Whatever was committed after the subscription came is live for it, even while it was being checked.
  if (after === null) return { field, owner, slot, from: arrivedAt, gap: false };
  const position = events.parseCursor(after);
  // Another process may have read further than this one; nobody has read further than the log.
  if (position > arrivedAt && position > (await events.tailPosition(slot))) {
    throw new DomainError('invalidInput', 'after is not a cursor of this log', { field: 'after' });
  }
  const floor = await events.replayFloor(owned, position);
  return { field, owner, slot, from: floor ?? position, gap: floor !== null };
}

function ownerOf({ aggregateType, ownedBy }: OwnedField, owner: string): EventOwner {
  return ownedBy === 'merchantId' ? { merchantId: owner } : { aggregateId: owner, aggregateType };
}

/** Brings the member up to date and puts it into the live group; stops early when `isOver`. */
export async function follow(deps: SubscriberDeps, start: OwnedStart, isOver: () => boolean): Promise<void> {
  const { field, owner, slot, gap } = start;
  const { events, group, member, tail } = deps;
  const owned = { owner: ownerOf(field, owner), aggregateType: field.aggregateType };
  member.from = start.from;
  if (gap) await tellGap(deps, events.printCursor(start.from));
  for (;;) {
    // The tail moves and hands out events in one tick: whoever has everything up to it may join in that same tick.
    const goal = tail.position(slot);
    await tell(deps, ownedBatches(events, { ...owned, afterPosition: member.from, upTo: goal }), isOver);
    if (isOver()) return;
    // A cursor may lie ahead of this process's tail: what it covers is not told again when the tail comes there.
    member.from = Math.max(member.from, goal);
    if (tail.position(slot) <= member.from) break;
  }
  group.add(member);
}

/** What an owner has behind a position, in batches that are completed at once. */
export async function* ownedBatches(
  events: Pick<EventLog, 'readEvents'>,
  range: Omit<ReadEvents, 'limit'> & { upTo: number },
): AsyncGenerator<readonly PositionedHead[]> {
  let { afterPosition } = range;
  while (afterPosition < range.upTo) {
    const batch = await events.readEvents({ ...range, afterPosition, limit: completedMax });
    yield batch;
    afterPosition = batch.length < completedMax ? range.upTo : (batch.at(-1)?.position ?? range.upTo);
  }
}

/** Completes and writes events of the past, as fast as the reader takes them; between batches whoever follows live comes first. */
export async function tell(
  { group, member }: Pick<SubscriberDeps, 'group' | 'member'>,
  batches: AsyncIterable<readonly ToldEvent[]>,
  isOver: () => boolean,
): Promise<void> {
  const completed: AsyncIterable<readonly PrintedEvent[]> = Readable.from(batches, { highWaterMark: 1 }).map(
    (events: readonly ToldEvent[]) => group.print(events),
    { concurrency: batchesAhead },
  );
  for await (const batch of completed) {
    if (isOver()) return;
    for (const bundle of bundledFrames(member.id, batch, bundleBytesMax)) {
      if (member.sink.writableLength > replayPauseBytes) {
        await writable(member);
        if (isOver()) return;
      }
      member.sink.write(bundle);
    }
    await nextTurn();
  }
}

async function writable({ sink, tooSlow }: Member): Promise<void> {
  await inTime(once(sink, 'drain'), replayStallMs, () => new Error('nothing was read')).catch(() => tooSlow());
}

/** The gap item goes through the same selection as any other; nobody else's data is in it. */
export async function tellGap(
  { clock, graph, member, subscription, operation, variables }: SubscriberDeps,
  cursor: string,
): Promise<void> {
  const { document, name } = operation;
  const result = await execute({
    schema: graph.apiSchema,
    document,
    variableValues: variables,
    rootValue: { [subscription.fieldName]: gapItem(cursor, clock.now()) },
    operationName: name ?? undefined,
  });
  const payload = payloadOfResult(result.data ?? null, result.errors);
  member.sink.write(eventFrame(member.id, payload, { type: gapType, cursor }));
}
