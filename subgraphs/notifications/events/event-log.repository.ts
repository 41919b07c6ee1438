// The event log in MongoDB: reading what somebody owns by position, what has no position yet, and the stream of what is written.
import type { Filter, Hint } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, type Environment, environments, tenantFilter } from '../../shared/callers/caller';
import { childPages } from '../../shared/lists/child-pages';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import type { Page } from '../../shared/lists/page';
import { withoutUndefined } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { onlyWith } from '../../shared/store/conditions';
import { ofSlotOf, ofSlotOfAggregates, ofSlotOfEventIds } from '../../shared/store/of-slot';
import { dropIndexes, prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { slotOf } from '../../shared/store/slot';
import {
  absentOr,
  maybeText,
  openObject,
  orNull,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import { type AggregateType, aggregateTypes, type EventRecord } from '../../shared/store/unit-of-work';
import { createInsertWatch, type WatchInserts } from './event-inserts.repository';
import { type EventPlace, ofLane, ofSlotOfEvents } from './event-place.repository';
import {
  application,
  assignPositions,
  inSequence,
  ofApplication,
  type PositionBatch,
  type PositionOutcome,
} from './event-position.repository';
import { type ShownEvent, shownData, shownMembers } from './event-view';
import type { Lane } from './lane';
import { createLaneRepository, type LaneRepository } from './lane.repository';
import { createSegmentRepository, type EventHead, type SegmentRepository } from './segment.repository';

export type PositionedEvent = EventRecord & { position: number };

/** As much of an event as tells whether it is wanted. */
export type PositionedHead = Omit<EventHead, 'slot'>;

const headMembers = [
  ...(['environment', 'accountId', 'merchantId', 'aggregateType'] as const),
  ...(['aggregateId', 'type', 'position'] as const),
] satisfies (keyof PositionedHead)[];
const headFields = onlyWith(headMembers);
const shownFields = onlyWith([...shownMembers, ...shownData.map((member) => `data.${member}`)]);

const schema = storedSchema<EventRecord>('events', {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  merchantId: maybeText,
  aggregateType: there(String, { enum: aggregateTypes }),
  aggregateId: storedText,
  sequence: there(Number),
  type: storedText,
  version: there(Number),
  occurredAt: there(Date),
  requestId: storedText,
  data: there(openObject),
  // Of releases before the log was cut into slots there are none, and their processes may still be writing.
  slot: absentOr(Number),
  position: orNull(Number),
});
/** What waits for its place, oldest first in each slot; in no other list. */
const waiting = { position: null } as const;
/** As processes write that know of no slots. */
const slotless = { slot: { $exists: false } } as const;
schema.index({ slot: 1 }, { name: 'waiting', partialFilterExpression: { position: { $eq: null } } });
schema.index(inSequence, { unique: true });
schema.index({ aggregateId: 1, sequence: 1 }, { name: ofApplication, partialFilterExpression: application });
schema.index(
  { 'data.operationId': 1, sequence: 1 },
  { partialFilterExpression: { 'data.operationId': { $exists: true } } },
);
const ofMerchant = 'merchant-position';
/** Entered when the position is given: an event without one is in no list. */
const once = { partialFilterExpression: { position: { $gt: 0 } } };
schema.index({ merchantId: 1, position: 1 }, { name: ofMerchant, ...once });
/** From before only events with a position were in them, and from when the replay limit had one of its own. */
const retiredIndexes = ['merchantId_1_position_1', 'occurredAt_1_position_1', 'time-position'];
/** By which the log of before is read, where there is one. */
const formerOrder = { position: 1 } as const;

interface EventRange {
  environment: Environment;
  /** Exclusive. */
  afterPosition: number;
  /** Inclusive; without it, to the end. */
  upTo?: number;
  owner: EventOwner;
  aggregateType?: AggregateType;
  limit: number;
}

/** Exclusive and inclusive. */
interface FormerRange {
  environment: Environment;
  afterPosition: number;
  upTo: number;
  limit: number;
}

/** Whose events lie in one slot. */
export type EventOwner = { merchantId: string } | EventAggregate;

export type EventAggregate = Pick<EventRecord, 'aggregateId' | 'aggregateType'>;

/** What a timeline is of: an operation, or an aggregate of such a type. */
export type TimelineOf = 'operation' | AggregateType;

export interface EventLogRepository {
  lanes: LaneRepository;
  segments: SegmentRepository;
  read(range: EventRange): Promise<PositionedHead[]>;
  /** The log of before it was cut into slots, in its order. */
  readFormer(range: FormerRange): Promise<PositionedEvent[]>;
  /** In the order of the places. */
  bodies(places: readonly EventPlace[]): Promise<PositionedEvent[]>;
  /** When each of them occurred. */
  occurred(places: readonly EventPlace[]): Promise<ReadonlyMap<string, Date>>;
  /** At which terminal what they tell of happened, of those that name one. */
  terminalsOf(places: readonly EventPlace[]): Promise<ReadonlyMap<string, string>>;
  /** Of the aggregate's events; null when it has none. */
  slotOfAggregate(aggregate: EventAggregate): Promise<number | null>;
  find(caller: Caller, eventIds: readonly string[]): Promise<ShownEvent[]>;
  /** One page of events in sequence for each of many aggregates or operations, in one query. */
  timelines(
    caller: Caller,
    of: TimelineOf,
    ids: readonly string[],
    slice: Slice<number>,
  ): Promise<Map<string, Page<EventRecord>>>;
  /** The last position that was given in a slot. */
  tailPosition(slot: number): Promise<number>;
  /** Position of the newest event of an owner behind `after` that occurred before `cutoff`; null when there is none. */
  positionBefore(owner: EventOwner, after: number, cutoff: Date): Promise<number | null>;
  /** Events without a position, of a lane or of all, oldest insertion first in each slot; those of the aggregates in `except` are left out. */
  unpositioned(limit: number, lane?: Lane | null, except?: readonly string[]): Promise<EventRecord[]>;
  /** Gives their slots to events of processes that know of none; resolves with how many it were. */
  giveSlots(limit: number): Promise<number>;
  /** The ids of those that still have no position. */
  stillUnpositioned(places: readonly EventPlace[]): Promise<Set<string>>;
  assignPositions(batch: PositionBatch): Promise<PositionOutcome>;
  /** Calls `onInsert` with each event of the lane in commit order until `close`; `onEnd` when the stream broke. Resolves once every later insert is sure to be told. */
  watch: WatchInserts;
  /** Collections, indexes, and so many lanes. */
  prepare(lanes: number): Promise<void>;
}

export function createEventLogRepository(connection: Connection): EventLogRepository {
  const events = collectionOf<EventRecord>(connection, 'events');
  const lanes = createLaneRepository(connection);
  const segments = createSegmentRepository(connection);
  return {
    lanes,
    segments,
    read({ environment, owner, afterPosition, upTo, aggregateType, limit }) {
      const { filter, hint } = ownedBy(owner);
      const position = { $gt: afterPosition, ...withoutUndefined({ $lte: upTo }) };
      const wanted = { ...filter, environment, position, ...withoutUndefined({ aggregateType }) };
      const options = { projection: headFields, sort: { position: 1 }, limit, hint } as const;
      return reading(findAll<EventRecord, PositionedHead>(events, wanted, options));
    },
    readFormer: ({ environment, afterPosition, upTo, limit }) =>
      reading(
        findAll<EventRecord, PositionedEvent>(
          events,
          { environment, position: { $gt: afterPosition, $lte: upTo } },
          { sort: formerOrder, limit },
        ),
      ),
    async bodies(places) {
      const found = await reading(findAll<EventRecord, PositionedEvent>(events, at(places), { hint: byId }));
      const known = new Map(found.map((event) => [event._id, event]));
      return places.flatMap(({ _id }) => known.get(_id) ?? []);
    },
    async occurred(places) {
      const projection = { occurredAt: 1 };
      const found = await reading(findAll(events, at(places), { projection, hint: byId }));
      return new Map(found.map(({ _id, occurredAt }) => [_id, occurredAt]));
    },
    async terminalsOf(places) {
      const projection = { 'data.terminalId': 1 };
      const found = await reading(findAll(events, at(places), { projection, hint: byId }));
      return new Map(found.flatMap(({ _id, data }) => (data['terminalId'] ? [[_id, String(data['terminalId'])]] : [])));
    },
    async slotOfAggregate(aggregate) {
      const { filter, hint } = ownedBy(aggregate);
      const one = await reading(events.findOne(filter, { hint }));
      return one && (one.slot ?? slotOf(one));
    },
    find: (caller, eventIds) =>
      reading(
        findAll<EventRecord, ShownEvent>(
          events,
          { ...tenantFilter(caller), _id: { $in: [...eventIds] }, ...ofSlotOfEventIds(eventIds, caller) },
          { projection: shownFields, hint: byId },
        ),
      ),
    timelines(caller, of, ids, slice) {
      const isOperation = of === 'operation';
      const lives = isOperation ? ofSlotOfEventIds(ids, caller) : livesOf(of, ids, caller);
      const filter = { ...tenantFilter(caller), ...lives };
      const target = {
        connection,
        collection: 'events',
        parentField: isOperation ? 'data.operationId' : 'aggregateId',
      };
      const query = { parentIds: ids, filter, ...alongKey('sequence', slice) };
      return reading(childPages<EventRecord, EventRecord>(target, query, (event) => event));
    },
    async tailPosition(slot) {
      const lane = (await lanes.newest()).find(({ from, to }) => slot >= from && slot <= to);
      return lane ? lane.base + (lane.given[slot] ?? 0) : 0;
    },
    async positionBefore(owner, after, cutoff) {
      const { filter, hint } = ownedBy(owner);
      const next = (from: number) =>
        reading(events.findOne({ ...filter, position: { $gt: from } }, { sort: { position: 1 }, hint }));
      const isBefore = (event: EventRecord | null) => event !== null && event.occurredAt < cutoff;
      if (!isBefore(await next(after))) return null;
      // Positions follow time: what lies between is halved until the last one before the cutoff is left.
      const behind = { ...filter, position: { $gt: after } };
      const last = await reading(events.findOne(behind, { sort: { position: -1 }, hint }));
      let [known, beyond] = [after, last?.position ?? after];
      while (known < beyond) {
        const event = await next(Math.floor((known + beyond) / 2));
        if (event && isBefore(event)) known = event.position ?? beyond;
        else beyond = Math.floor((known + beyond) / 2);
      }
      return known;
    },
    unpositioned: (limit, lane, except = []) =>
      findAll(
        events,
        {
          ...waiting,
          ...withoutUndefined({
            slot: lane ? ofLane(lane).slot : undefined,
            aggregateId: except.length > 0 ? { $nin: [...except] } : undefined,
          }),
        },
        { hint: 'waiting', limit, maxTimeMS: 5_000 },
      ),
    async giveSlots(limit) {
      const without = await findAll(events, { ...waiting, ...slotless }, { hint: 'waiting', limit });
      if (without.length === 0) return 0;
      const { modifiedCount } = await events.bulkWrite(
        without.map((event) => ({
          updateOne: { filter: { _id: event._id, ...waiting, ...slotless }, update: { $set: { slot: slotOf(event) } } },
        })),
        { ordered: false },
      );
      return modifiedCount;
    },
    async stillUnpositioned(places) {
      const found = await findAll(events, { ...at(places), position: null }, { projection: { _id: 1 }, hint: byId });
      return new Set(found.map(({ _id }) => _id));
    },
    assignPositions: (batch) => assignPositions(connection, batch),
    watch: createInsertWatch(connection),
    async prepare(count) {
      await Promise.all([prepareCollection(connection, schema), segments.ensureIndexes()]);
      await dropIndexes(connection, 'events', retiredIndexes);
      await lanes.prepare(count);
    },
  };
}

const byId = { _id: 1 } as const;

function at(places: readonly EventPlace[]): Filter<EventRecord> {
  return { _id: { $in: places.map(({ _id }) => _id) }, ...ofSlotOfEvents(places) };
}

/** How the events of an owner are found. */
function ownedBy(owner: EventOwner): { filter: Filter<EventRecord>; hint: Hint } {
  if ('merchantId' in owner) return { filter: { ...owner, ...ofSlotOf(owner.merchantId) }, hint: ofMerchant };
  const { aggregateId, aggregateType } = owner;
  const filter = { aggregateId, ...livesOf(aggregateType, [aggregateId], {}) };
  return { filter, hint: aggregateType === 'application' ? ofApplication : inSequence };
}

/** Where the lives of aggregates are, as the index of their type wants it. */
function livesOf(type: AggregateType, ids: readonly string[], caller: Pick<Caller, 'merchantId'>): object {
  return type === 'application' ? application : ofSlotOfAggregates(ids, caller);
}
