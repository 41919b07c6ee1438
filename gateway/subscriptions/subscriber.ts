// One subscription of one client: replays the log from its cursor, then joins its group live, with no gap and nothing twice.

import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { execute } from 'graphql';
import type { EventLog } from '../../subgraphs/notifications';
import type { Clock } from '../../subgraphs/shared/clock';
import { DomainError } from '../../subgraphs/shared/errors';
import type { Graph } from '../plan/execute';
import type { PreparedOperation } from '../plan/prepared-operation';
import type { Variables } from '../subgraphs/subgraph-client';
import { completedMax } from './event-completion';
import { eventFrame } from './event-frame';
import type { EventTail, TailPlace } from './event-tail';
import type { PlacedEvent } from './log-walk';
import type { Member, SubscriberGroup } from './subscriber-group';
import type { PreparedSubscription } from './subscription-document';
import { gapItem, gapType, type OwnedField } from './subscription-field';

export const replayBatchMax = 2 * completedMax;
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
  const owned = field.ownedBy === 'merchantId' ? { merchantId: owner } : { aggregateId: owner };
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

/** Brings the member up to date and puts it into the live group; stops early when `isOver`. */
export async function follow(deps: SubscriberDeps, start: OwnedStart, isOver: () => boolean): Promise<void> {
  const { events, group, member, tail } = deps;
  member.from = start.from;
  if (start.gap) await tellGap(deps, events.printCursor(start.from));
  for (;;) {
    // The tail moves and hands out events in one tick: whoever has everything up to it may join in that same tick.
    const goal = tail.position(start.slot);
    await replay(deps, { ...start, goal }, isOver);
    if (isOver()) return;
    if (goal === tail.position(start.slot)) break;
  }
  group.add(member);
}

async function replay(
  deps: SubscriberDeps,
  { field, owner, goal }: Pick<OwnedStart, 'field' | 'owner'> & { goal: number },
  isOver: () => boolean,
): Promise<void> {
  const { events, member } = deps;
  while (member.from < goal && !isOver()) {
    const batch = await events.readEvents({
      afterPosition: member.from,
      upTo: goal,
      [field.ownedBy]: owner,
      aggregateType: field.aggregateType,
      limit: replayBatchMax,
    });
    await tell(deps, batch, isOver);
    if (isOver()) return;
    member.from = batch.length < replayBatchMax ? goal : (batch.at(-1)?.position ?? goal);
  }
}

type Told = Pick<PlacedEvent, '_id' | 'aggregateType' | 'type' | 'position'> & { place?: PlacedEvent['place'] };

/** Completes and writes events of the past, as fast as the reader takes them; between batches whoever follows live comes first. */
export async function tell(
  { events: log, group, member }: Pick<SubscriberDeps, 'events' | 'group' | 'member'>,
  events: readonly Told[],
  isOver: () => boolean,
): Promise<void> {
  for (let index = 0; index < events.length && !isOver(); index += completedMax) {
    const chunk = events.slice(index, index + completedMax);
    const payloads = await group.payloads(chunk);
    for (const [at, { type, place, position }] of chunk.entries()) {
      await writable(member);
      if (isOver()) return;
      const payload = payloads[at];
      const cursor = place ? log.printPlace(place) : log.printCursor(position);
      if (payload) member.sink.write(eventFrame(member.id, payload, { type, cursor }));
    }
    await nextTurn();
  }
}

async function writable({ sink, tooSlow }: Member): Promise<void> {
  if (sink.writableLength <= replayPauseBytes) return;
  await once(sink, 'drain', { signal: AbortSignal.timeout(replayStallMs) }).catch(() => tooSlow());
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
    ...(name ? { operationName: name } : {}),
  });
  const payload = JSON.stringify({ data: result.data ?? null, errors: result.errors });
  member.sink.write(eventFrame(member.id, payload, { type: gapType, cursor }));
}
