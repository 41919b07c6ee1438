// Events of one virtual account for the product: committed as its outbox worker leaves them, or as a service does, which lets the outbox worker do its part.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Collection, Document } from 'mongodb';
import type { StoredLane } from '../../subgraphs/notifications/events/lane.repository';
import { type EventHead, type StoredSegment, segmentOf } from '../../subgraphs/notifications/events/segment.repository';
import { slotOf } from '../../subgraphs/shared/store/slot';
import type { Product } from '../support/product';

export interface ProductEvents {
  /** Inserts events with positions; the returned function sends the wake-up. */
  positioned(count: number): Promise<() => Promise<void>>;
  /** Inserts one event without a position. */
  commit(): Promise<void>;
  close(): Promise<void>;
}

export function productEvents(product: Product, virtualAccountId: string): ProductEvents {
  const database = product.database.db();
  const events: Collection<Document & { _id: string }> = database.collection('events');
  const lanes: Collection<StoredLane> = database.collection('event_lanes');
  const segments: Collection<StoredSegment> = database.collection('event_segments');
  const redis = new Redis(product.redisUrl);
  const { merchantId } = product.credentials.tenants.alpha;
  const accountId = 'alpha';
  const slot = slotOf({ merchantId, accountId });
  let sequence = 1;

  function event(position: number | null) {
    sequence += 1;
    return {
      _id: randomUUID(),
      environment: 'sandbox' as const,
      accountId,
      merchantId,
      slot,
      aggregateType: 'virtualAccount' as const,
      aggregateId: virtualAccountId,
      sequence,
      type: 'virtualAccount.suspended',
      version: 1,
      occurredAt: new Date(),
      requestId: randomUUID(),
      // No state that a callback kind would need: nothing is sent for it.
      data: { virtualAccountId },
      position,
    };
  }

  return {
    async positioned(count) {
      const taken = await lanes.findOneAndUpdate(
        { next: null, from: { $lte: slot }, to: { $gte: slot } },
        { $inc: { number: 1, [`given.${slot}`]: count } },
        { returnDocument: 'after' },
      );
      if (!taken) throw new Error('no lane takes the events');
      const first = taken.base + (taken.given[slot] ?? 0) - count + 1;
      const heads = Array.from({ length: count }, (_, index) => ({ ...event(first + index), position: first + index }));
      await events.insertMany(heads);
      await segments.insertOne(segmentOf(taken, taken.number, heads.map(headOf)));
      return async () => {
        await redis.publish('events', '');
      };
    },
    async commit() {
      await events.insertOne(event(null), { writeConcern: { w: 'majority', journal: true } });
    },
    close: async () => redis.disconnect(),
  };
}

function headOf(event: EventHead): EventHead {
  const { _id, environment, accountId, merchantId, aggregateType, aggregateId, type, slot, position } = event;
  return { _id, environment, accountId, merchantId, aggregateType, aggregateId, type, slot, position };
}
