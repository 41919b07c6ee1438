// Events of one virtual account for the product: committed as its outbox worker leaves them, or as a service does, which lets the outbox worker do its part.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Collection, Document } from 'mongodb';
import type { Product } from '../support/product';

export interface ProductEvents {
  /** Inserts events with positions; the returned function rings the doorbell. */
  positioned(count: number): Promise<() => Promise<void>>;
  /** Inserts one event without a position. */
  commit(): Promise<void>;
  close(): Promise<void>;
}

export function productEvents(product: Product, virtualAccountId: string): ProductEvents {
  const database = product.database.db();
  const events: Collection<Document & { _id: string }> = database.collection('events');
  const settings: Collection<Document & { _id: string }> = database.collection('platform_settings');
  const redis = new Redis(product.redisUrl);
  const { merchantId } = product.credentials.tenants.alpha;
  let sequence = 1;

  function event(position: number | null) {
    sequence += 1;
    return {
      _id: randomUUID(),
      environment: 'sandbox',
      accountId: 'alpha',
      merchantId,
      aggregateType: 'virtualAccount',
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
      const counter = await settings.findOneAndUpdate(
        { _id: 'eventPosition' },
        { $inc: { position: count } },
        { returnDocument: 'after' },
      );
      const first = (counter?.['position'] as number) - count + 1;
      await events.insertMany(Array.from({ length: count }, (_, index) => event(first + index)));
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
