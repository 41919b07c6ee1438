// Numbers of merchants: one counter per environment, which only goes up (decision register 2.3-A, Numbers).
import type { Connection } from 'mongoose';
import type { Environment } from '../shared/callers/caller';
import { collectionOf } from '../shared/store/collection-of';
import { prepareCollection } from '../shared/store/prepare-collection';
import { storedSchema, storedText, there } from '../shared/store/stored-schema';

/** Numbers below are given by hand: the sandbox's own merchants, and those that staff number themselves. */
const firstCountedNumber = 200_001;

interface MerchantNumberCounter {
  _id: string;
  next: number;
}

const schema = storedSchema<MerchantNumberCounter>('counters', { _id: storedText, next: there(Number) });

export type MerchantNumberRepository = ReturnType<typeof createMerchantNumberRepository>;

export function createMerchantNumberRepository(connection: Connection) {
  const counters = collectionOf<MerchantNumberCounter>(connection, 'counters');
  return {
    /** A number that was not taken before; one whose merchant is not made after all is left out for good. */
    async take(environment: Environment): Promise<number> {
      const _id = `merchantNumber:${environment}`;
      const before = await counters.findOneAndUpdate(
        { _id },
        [{ $set: { next: { $add: [{ $ifNull: ['$next', firstCountedNumber] }, 1] } } }],
        { upsert: true, returnDocument: 'after' },
      );
      if (!before) throw new Error('the counter of merchants did not answer');
      return before.next - 1;
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}
