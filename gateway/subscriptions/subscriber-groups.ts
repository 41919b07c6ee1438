// All groups of subscribers of this process, found by what an event is about.
import { type EventHead, mayHearOf } from '../../subgraphs/notifications';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { EventsViewer } from './event-completion';
import { isWanted } from './event-filter';
import type { PlacedEvent } from './log-walk';
import { createSubscriberGroup, type SubscriberGroup, type SubscriberGroupDeps } from './subscriber-group';
import type { PreparedSubscription } from './subscription-document';
import type { OwnedField } from './subscription-field';

export interface SubscriberGroups {
  /** The group of that subscription for such a caller, or for that very one where looks are audited; every `acquire` needs its `release`. */
  acquire(subscription: PreparedSubscription, viewer: EventsViewer): SubscriberGroup;
  release(group: SubscriberGroup): void;
  /** Hands each group the events that belong to it. */
  dispatch(events: readonly PlacedEvent[]): void;
}

interface GroupEntry {
  key: string;
  topic: string;
  subscription: PreparedSubscription;
  caller: Caller;
  group: SubscriberGroup;
  users: number;
}

export function createSubscriberGroups(
  deps: Pick<SubscriberGroupDeps, 'events' | 'log' | 'bufferBytesMax' | 'onSent' | 'tracing'>,
): SubscriberGroups {
  const byKey = new Map<string, GroupEntry>();
  const byGroup = new Map<SubscriberGroup, GroupEntry>();
  const byTopic = new Map<string, Set<GroupEntry>>();

  function create(key: string, subscription: PreparedSubscription, viewer: EventsViewer): GroupEntry {
    const { follows } = subscription;
    const topic = 'owner' in follows ? topicOf(follows.field, follows.owner) : wholeLog;
    const { caller } = viewer;
    const group = createSubscriberGroup({ ...deps, ...viewer, subscription });
    const entry: GroupEntry = { key, topic, subscription, caller, group, users: 0 };
    byKey.set(key, entry);
    byGroup.set(group, entry);
    byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(entry));
    return entry;
  }

  /** Those that follow the event's merchant, those that follow what the event is about, and those that follow everything and want it. */
  function wantedBy(event: EventHead): GroupEntry[] {
    const { aggregateType, merchantId, aggregateId } = event;
    const owners = [
      ...(merchantId === null ? [] : [['merchantId', merchantId] as const]),
      ['aggregateId', aggregateId] as const,
    ];
    const owned = owners.flatMap(([ownedBy, owner]) => [
      ...(byTopic.get(topicOf({ aggregateType, ownedBy }, owner)) ?? []),
    ]);
    const all = byTopic.get(wholeLog);
    return all ? [...owned, ...[...all].filter((entry) => mayFollow(entry, event))] : owned;
  }

  return {
    acquire(subscription, asking) {
      const viewer = subscription.isAudited ? ownViewer(asking) : sharedViewer(asking);
      const { caller, address = '' } = viewer;
      const key = `${scopeKey(caller)}\n${caller.credentialId}\n${address}\n${subscription.key}`;
      const entry = byKey.get(key) ?? create(key, subscription, viewer);
      entry.users += 1;
      return entry.group;
    },
    release(group) {
      const entry = byGroup.get(group);
      if (!entry) return;
      entry.users -= 1;
      if (entry.users > 0) return;
      byKey.delete(entry.key);
      byGroup.delete(group);
      const others = byTopic.get(entry.topic);
      others?.delete(entry);
      if (others?.size === 0) byTopic.delete(entry.topic);
    },
    dispatch(events) {
      const wanted = new Map<GroupEntry, PlacedEvent[]>();
      for (const event of events) {
        for (const entry of wantedBy(event)) {
          if (!maySee(entry.caller, event)) continue;
          const list = wanted.get(entry);
          if (list) list.push(event);
          else wanted.set(entry, [event]);
        }
      }
      for (const [{ group }, list] of wanted) if (group.size > 0) group.deliver(list);
    },
  };
}

/** Of the whole log. */
const wholeLog = 'events';

function mayFollow({ subscription: { follows } }: Pick<GroupEntry, 'subscription'>, event: EventHead): boolean {
  return 'filter' in follows && isWanted(follows.filter, event);
}

/** Whether an event lies within what a caller may see: its environment, its account unless it is staff, its merchant where it acts for one, and the audit with the right to it. */
export function maySee(
  caller: Pick<Caller, 'environment' | 'accountId' | 'merchantId' | 'scopes'>,
  event: Pick<EventHead, 'environment' | 'accountId' | 'merchantId' | 'aggregateType'>,
): boolean {
  if (event.environment !== caller.environment) return false;
  if (caller.merchantId !== undefined && event.merchantId !== caller.merchantId) return false;
  if (caller.accountId !== null && event.accountId !== caller.accountId) return false;
  return mayHearOf(caller, event);
}

function topicOf({ aggregateType, ownedBy }: Pick<OwnedField, 'aggregateType' | 'ownedBy'>, owner: string): string {
  return `${aggregateType} ${ownedBy} ${owner}`;
}

/** Callers with the same point of view: everything that resolvers decide by. */
export function scopeKey({ kind, environment, accountId, merchantId = '', scopes }: Caller): string {
  return JSON.stringify([kind, environment, accountId, merchantId, [...scopes].sort()]);
}

/** Whoever comes with that credential from that address; the one token that the first came with may be revoked while the others live on. */
function ownViewer({
  caller: { accessTokenHash: _hash, expiresAt: _expiry, ...caller },
  address,
}: EventsViewer): EventsViewer {
  return { caller, ...withoutUndefined({ address }) };
}

/** Stands for everybody with the same point of view. */
function sharedViewer(viewer: EventsViewer): EventsViewer {
  return { caller: { ...ownViewer(viewer).caller, credentialId: 'subscribers' } };
}
