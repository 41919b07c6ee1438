// The event log in MongoDB: reading by position, what has no position yet, and the stream of what is written.
import type { Filter, Timestamp } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, type Environment, environments, tenantFilter } from '../../shared/callers/caller';
import { type AggregateType, aggregateTypes, type EventRecord } from '../../shared/store/outbox';
import type { Page } from '../../shared/store/page';
import { platformSettings } from '../../shared/store/platform-settings';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { maybeText, openObject, orNull, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import { collectionOf, dropIndexes } from '../callbacks/collection';
import {
  assignPositions,
  type Counter,
  counterId,
  type PositionBatch,
  type PositionOutcome,
} from './event-position.repository';

export type PositionedEvent = EventRecord & { position: number };

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
  position: orNull(Number),
});
schema.index({ position: 1 });
schema.index({ aggregateId: 1, sequence: 1 }, { unique: true });
schema.index(
  { 'data.operationId': 1, sequence: 1 },
  { partialFilterExpression: { 'data.operationId': { $exists: true } } },
);
/** Entered when the position is given: an event without one is in no list. */
const once = { partialFilterExpression: { position: { $gt: 0 } } };
schema.index({ merchantId: 1, position: 1 }, { name: 'merchant-position', ...once });
schema.index({ occurredAt: 1, position: 1 }, { name: 'time-position', ...once });
/** From before only events with a position were in them. */
const retiredIndexes = ['merchantId_1_position_1', 'occurredAt_1_position_1'];

interface EventRange {
  environment: Environment;
  /** Exclusive. */
  afterPosition: number;
  /** Inclusive; without it, to the tail. */
  upTo?: number;
  merchantId?: string;
  aggregateId?: string;
  aggregateType?: AggregateType;
  limit: number;
}

/** What a timeline is of: the field of an event that holds the id. */
export type TimelineOf = 'aggregateId' | 'data.operationId';

export interface EventLogRepository {
  read(range: EventRange): Promise<PositionedEvent[]>;
  find(caller: Caller, eventIds: readonly string[]): Promise<EventRecord[]>;
  /** One page of events in sequence for each of many aggregates or operations, in one query. */
  timelines(
    caller: Caller,
    ids: readonly string[],
    page: { of: TimelineOf; size: number; afterSequence: number },
  ): Promise<Map<string, Page<EventRecord>>>;
  tailPosition(): Promise<number>;
  /** Position of the newest event that occurred before `cutoff`; 0 when there is none. */
  positionBefore(cutoff: Date): Promise<number>;
  /** Events without a position, oldest insertion first; those of the aggregates in `except` are left out. */
  unpositioned(limit: number, except?: readonly string[]): Promise<EventRecord[]>;
  /** Those of the ids that still have no position. */
  stillUnpositioned(eventIds: readonly string[]): Promise<Set<string>>;
  assignPositions(batch: PositionBatch): Promise<PositionOutcome>;
  /** Calls `onInsert` with each event in commit order until `close`; `onEnd` when the stream broke. */
  /** Resolves once every later insert is sure to be told. */
  watch(listener: {
    onInsert(event: EventRecord): void;
    onEnd(error: unknown): void;
  }): Promise<{ close(): Promise<void> }>;
  ensureIndexes(): Promise<void>;
}

export function createEventLogRepository(connection: Connection): EventLogRepository {
  const events = collectionOf<EventRecord>(connection, 'events');
  const counters = platformSettings<Counter>(connection);
  const unpositioned = (limit: number, except: readonly string[] = []) =>
    events
      .find({ position: null, ...(except.length > 0 ? { aggregateId: { $nin: [...except] } } : {}) })
      .sort({ position: 1 })
      .limit(limit)
      .maxTimeMS(5_000)
      .toArray();

  return {
    read: (range) =>
      reading(
        events.find(filterOf(range)).sort({ position: 1 }).limit(range.limit).toArray() as Promise<PositionedEvent[]>,
      ),
    find: (caller, eventIds) =>
      reading(events.find({ ...tenantFilter(caller), _id: { $in: [...eventIds] } }).toArray()),
    async timelines(caller, ids, { of, size, afterSequence }) {
      const found = await reading(
        connection
          .getClient()
          .db(connection.name)
          .aggregate<{ _id: string; events: EventRecord[] }>([
            { $documents: ids.map((_id) => ({ _id })) },
            {
              $lookup: {
                from: 'events',
                localField: '_id',
                foreignField: of,
                pipeline: [
                  { $match: { ...tenantFilter(caller), sequence: { $gt: afterSequence } } },
                  { $sort: { sequence: 1 } },
                  { $limit: size + 1 },
                ],
                as: 'events',
              },
            },
          ])
          .toArray(),
      );
      return new Map(
        found.map((each) => [each._id, { items: each.events.slice(0, size), hasNextPage: each.events.length > size }]),
      );
    },
    tailPosition: async () => (await reading(counters.findOne({ _id: counterId })))?.position ?? 0,
    async positionBefore(cutoff) {
      const filter: Filter<EventRecord> = { occurredAt: { $lt: cutoff }, position: { $gt: 0 } };
      return (await reading(events.findOne(filter, { sort: { occurredAt: -1, position: -1 } })))?.position ?? 0;
    },
    unpositioned,
    async stillUnpositioned(eventIds) {
      const found = await events
        .find({ _id: { $in: [...eventIds] }, position: null }, { projection: { _id: 1 } })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },
    assignPositions: (batch) => assignPositions(connection, batch),
    watch: (listener) => watchInserts(connection, listener),
    async ensureIndexes() {
      await prepareCollection(connection, schema);
      await dropIndexes(events, retiredIndexes);
      await counters.updateOne({ _id: counterId }, { $setOnInsert: { position: 0, fence: 0 } }, { upsert: true });
    },
  };
}

function filterOf(range: EventRange): Filter<EventRecord> {
  return {
    environment: range.environment,
    position: { $gt: range.afterPosition, ...(range.upTo === undefined ? {} : { $lte: range.upTo }) },
    ...(range.merchantId === undefined ? {} : { merchantId: range.merchantId }),
    ...(range.aggregateId === undefined ? {} : { aggregateId: range.aggregateId }),
    ...(range.aggregateType === undefined ? {} : { aggregateType: range.aggregateType }),
  };
}

/** Resolves once everything committed from now on is sure to come, although the driver opens the stream itself later. */
async function watchInserts(
  connection: Connection,
  { onInsert, onEnd }: { onInsert(event: EventRecord): void; onEnd(error: unknown): void },
): Promise<{ close(): Promise<void> }> {
  // As of what a majority has, which is what every other read here sees: an event that is committed but not there yet comes by the stream.
  const { operationTime } = await connection
    .getClient()
    .db(connection.name)
    .command({
      find: 'events',
      limit: 1,
      singleBatch: true,
      projection: { _id: 1 },
      readConcern: { level: 'majority' },
    });
  const stream = collectionOf<EventRecord>(connection, 'events').watch([{ $match: { operationType: 'insert' } }], {
    batchSize: 1_000,
    maxAwaitTimeMS: 5_000,
    startAtOperationTime: operationTime as Timestamp,
  });
  let isClosed = false;
  const end = (error: unknown) => {
    if (isClosed) return;
    isClosed = true;
    void stream.close().catch(() => undefined);
    onEnd(error);
  };
  stream.on('change', (change) => {
    if (change.operationType === 'insert') onInsert(change.fullDocument);
  });
  stream.on('error', end);
  stream.on('close', () => end(new Error('the change stream was closed')));
  return {
    async close() {
      isClosed = true;
      await stream.close();
    },
  };
}
