// One subscription of one client: replays the log from its cursor, then joins its group live, with no gap and nothing twice.

import { once } from 'node:events';
import { execute } from 'graphql';
import type { EventLog } from '../../subgraphs/notifications';
import type { Clock } from '../../subgraphs/shared/clock';
import { DomainError } from '../../subgraphs/shared/errors';
import type { Graph } from '../plan/execute';
import type { PreparedOperation } from '../plan/prepared-operation';
import type { Variables } from '../subgraphs/subgraph-client';
import { nextFrame } from './event-frame';
import type { EventTail } from './event-tail';
import type { Member, SubscriberGroup } from './subscriber-group';
import type { PreparedSubscription } from './subscription-document';
import { gapItem } from './subscription-field';

const replayBatchMax = 200;
/** A replay waits for its reader above this many unsent bytes. */
const replayPauseBytes = 128 * 1024;
/** How long a replay waits for a reader that takes nothing. */
const replayStallMs = 30_000;

export interface SubscriberDeps {
  graph: Graph;
  clock: Pick<Clock, 'now'>;
  tail: EventTail;
  events: Pick<EventLog, 'readEvents' | 'slotOf' | 'tailPosition' | 'replayFloor' | 'parseCursor' | 'printCursor'>;
  group: SubscriberGroup;
  subscription: PreparedSubscription;
  operation: PreparedOperation;
  variables: Variables;
  member: Member;
}

/** Where a subscription starts: after `from` in its slot; with a gap item first when events are missing there. */
export interface Start {
  slot: number;
  from: number;
  gap: boolean;
}

/** Decides it by cursor; refuses cursors that are not of this log. `arrived`: the tail's positions when the subscription came. */
export async function startOf(
  { events, subscription }: Pick<SubscriberDeps, 'events' | 'subscription'>,
  arrived: (slot: number) => number,
): Promise<Start> {
  const { field, owner } = subscription;
  const owned = field.ownedBy === 'merchantId' ? { merchantId: owner } : { aggregateId: owner };
  const slot = await events.slotOf(owned);
  if (slot === null)
    throw new DomainError('notFound', 'there are no events of this owner', { field: field.ownerArgument });
  const arrivedAt = arrived(slot);
  // Whatever was committed after the subscription came is live for it, even while it was being checked.
  if (subscription.after === null) return { slot, from: arrivedAt, gap: false };
  const position = events.parseCursor(subscription.after);
  // Another process may have read further than this one; nobody has read further than the log.
  if (position > arrivedAt && position > (await events.tailPosition(slot))) {
    throw new DomainError('invalidInput', 'after is not a cursor of this log', { field: 'after' });
  }
  const floor = await events.replayFloor(owned, position);
  return floor === null ? { slot, from: position, gap: false } : { slot, from: floor, gap: true };
}

/** Brings the member up to date and puts it into the live group; stops early when `isOver`. */
export async function follow(deps: SubscriberDeps, start: Start, isOver: () => boolean): Promise<void> {
  const { group, member, tail } = deps;
  member.from = start.from;
  if (start.gap) member.socket.write(nextFrame(member.id, await gapPayload(deps, start.from)));
  for (;;) {
    // The tail moves and hands out events in one tick: whoever has everything up to it may join in that same tick.
    const goal = tail.position(start.slot);
    await replay(deps, goal, isOver);
    if (isOver()) return;
    if (goal === tail.position(start.slot)) break;
  }
  group.add(member);
}

async function replay(deps: SubscriberDeps, goal: number, isOver: () => boolean): Promise<void> {
  const { events, group, member, subscription } = deps;
  const { field, owner } = subscription;
  while (member.from < goal && !isOver()) {
    const batch = await events.readEvents({
      afterPosition: member.from,
      upTo: goal,
      [field.ownedBy]: owner,
      aggregateType: field.aggregateType,
      limit: replayBatchMax,
    });
    for (const event of batch) {
      await writable(member);
      if (isOver()) return;
      const payload = await group.payload(event);
      if (isOver()) return;
      if (payload !== null) member.socket.write(nextFrame(member.id, payload));
      member.from = event.position;
    }
    if (batch.length < replayBatchMax) member.from = Math.max(member.from, goal);
  }
}

async function writable({ socket, tooSlow }: Member): Promise<void> {
  if (socket.writableLength <= replayPauseBytes) return;
  await once(socket, 'drain', { signal: AbortSignal.timeout(replayStallMs) }).catch(() => tooSlow());
}

/** The gap item goes through the same selection as any other; nobody else's data is in it. */
async function gapPayload(
  { clock, graph, events, subscription, operation, variables }: SubscriberDeps,
  floor: number,
): Promise<string> {
  const { document, name } = operation;
  const result = await execute({
    schema: graph.apiSchema,
    document,
    variableValues: variables,
    rootValue: { [subscription.fieldName]: gapItem(events.printCursor(floor), clock.now()) },
    ...(name ? { operationName: name } : {}),
  });
  return JSON.stringify({ data: result.data ?? null, errors: result.errors });
}
