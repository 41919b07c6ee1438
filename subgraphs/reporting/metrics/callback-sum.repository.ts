// The sums of callbacks at rest: added to by every process that delivers, read by the few that a question needs.
import type { AnyBulkWriteOperation } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { withoutUndefined } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { maybeText, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { CallbackSum } from './callback-sums';
import { type Grain, grains, rollUpId } from './roll-up';

type StoredSum = Omit<CallbackSum, 'id' | 'environment' | 'level' | 'grain' | 'latency'> & {
  _id: string;
  /** `<environment>:<level>:<grain>`. */
  series: string;
  latency?: Record<string, number>;
};

const schema = storedSchema<StoredSum>('metric_callbacks', {
  _id: storedText,
  series: there(String, {
    enum: environments.flatMap((environment) =>
      (['PLATFORM', 'MERCHANT'] as const).flatMap((level) =>
        grains.map((grain) => seriesOf({ environment, level, grain })),
      ),
    ),
  }),
  start: there(Date),
  accountId: maybeText,
  merchantId: maybeText,
  attempts: there(Number),
  delivered: there(Number),
  latency: { type: Map, of: Number, default: undefined },
});
schema.index({ merchantId: 1, series: 1, start: 1 });
schema.index({ accountId: 1, series: 1, start: 1 });

interface CallbackRange {
  environment: Environment;
  level: CallbackSum['level'];
  grain: Grain;
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  accountId?: string;
  merchantIds?: readonly string[];
  limit: number;
}

export type CallbackSumRepository = ReturnType<typeof createCallbackSumRepository>;

export function createCallbackSumRepository(connection: Connection) {
  const sums = collectionOf<StoredSum>(connection, 'metric_callbacks');
  return {
    add: async (all: readonly CallbackSum[]): Promise<void> =>
      void (await sums.bulkWrite(all.map(increment), { ordered: false, writeConcern: { w: 'majority' } })),
    read: (range: CallbackRange): Promise<StoredSum[]> =>
      reading(findAll(sums, filterOf(range), { limit: range.limit })),
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}

function seriesOf({ environment, level, grain }: Pick<CallbackSum, 'environment' | 'level' | 'grain'>): string {
  return `${environment}:${level}:${grain}`;
}

function filterOf(range: CallbackRange) {
  const { from, to, accountId, merchantIds } = range;
  if (!accountId && !merchantIds) return { _id: { $gte: rollUpId(range, from), $lt: rollUpId(range, to) } };
  return {
    series: seriesOf(range),
    start: { $gte: from, $lt: to },
    ...withoutUndefined({ accountId, merchantId: merchantIds && { $in: [...merchantIds] } }),
  };
}

function increment(sum: CallbackSum): AnyBulkWriteOperation<StoredSum> {
  const { id, start, accountId, merchantId, attempts, delivered, latency } = sum;
  const buckets = Object.fromEntries([...latency].map(([bucket, count]) => [`latency.${bucket}`, count]));
  return {
    updateOne: {
      filter: { _id: id },
      update: {
        $inc: { attempts, delivered, ...buckets } as never,
        $setOnInsert: { series: seriesOf(sum), start, accountId, merchantId },
      },
      upsert: true,
    },
  };
}
