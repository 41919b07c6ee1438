// Transactions at rest: metadata, and for a quarter of an hour the envelope that the caller got (tokenization interface, create transaction).
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, type Environment, environments, tenantFilter } from '../../shared/callers/caller';
import { childPages } from '../../shared/lists/child-pages';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import type { Page } from '../../shared/lists/page';
import { inSlots } from '../../shared/store/in-slots';
import { ofSlotOf, ofSlotOfIds } from '../../shared/store/of-slot';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { type SlotRange, slotOf } from '../../shared/store/slot';
import { absentOr, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite } from '../../shared/store/unit-of-work';
import type { CardTransaction } from './card-transaction';

export interface KnownTransaction {
  transaction: CardTransaction;
  /** The envelope as it was answered; null once it was forgotten. */
  encryptedData: string | null;
}

/** A transaction as it is kept. */
export interface KeptTransaction extends KnownTransaction {
  /** Of the cryptogram in the envelope, which is itself kept nowhere else. */
  cryptogramHash: string;
}

/** The natural key of a transaction. */
export interface TransactionKey {
  environment: Environment;
  acquirerId: string;
  merchantId: string;
  transactionId: string;
}

type StoredCardTransaction = Omit<CardTransaction, 'cardTransactionId'> & {
  _id: string;
  slot?: number;
  encryptedData?: string;
  /** Absent on transactions of before cryptograms were bound to what they are for: long over. */
  cryptogramHash?: string;
  /** What the cryptogram was spent on. */
  spentOn?: string;
};

const cardTransactionsCollection = 'card_transactions';

const schema = storedSchema<StoredCardTransaction>(cardTransactionsCollection, {
  _id: storedText,
  // Those of releases before have none until `npm run database:slots`.
  slot: absentOr(Number),
  environment: there(String, { enum: environments }),
  accountId: storedText,
  acquirerId: storedText,
  merchantId: storedText,
  virtualAccountId: storedText,
  transactionId: storedText,
  transactionAt: there(Date),
  amount: storedText,
  currencyCode: storedText,
  createdAt: there(Date),
  encryptedData: absentOr(String),
  cryptogramHash: absentOr(String),
  spentOn: absentOr(String),
});
schema.index({ slot: 1, environment: 1, acquirerId: 1, merchantId: 1, transactionId: 1 }, { unique: true });
schema.index({ virtualAccountId: 1, _id: -1 });
schema.index(
  { slot: 1, cryptogramHash: 1 },
  { unique: true, partialFilterExpression: { cryptogramHash: { $exists: true } } },
);
schema.index({ createdAt: 1 }, { partialFilterExpression: { encryptedData: { $exists: true } } });

export type CardTransactionRepository = ReturnType<typeof createCardTransactionRepository>;

export function createCardTransactionRepository(connection: Connection) {
  const records: Model<StoredCardTransaction> = connection.model<StoredCardTransaction>('CardTransaction', schema);
  return {
    async find({
      environment,
      acquirerId,
      merchantId,
      transactionId,
    }: TransactionKey): Promise<KnownTransaction | null> {
      const found = await records
        .findOne({ environment, acquirerId, merchantId, transactionId, ...ofSlotOf(merchantId) })
        .lean<StoredCardTransaction>();
      return found ? { transaction: transactionOf(found), encryptedData: found.encryptedData ?? null } : null;
    },
    /** One page for each account, in one query. */
    listByAccounts(
      caller: Caller,
      virtualAccountIds: readonly string[],
      slice: Slice<string>,
    ): Promise<Map<string, Page<CardTransaction>>> {
      const target = { connection, collection: cardTransactionsCollection, parentField: 'virtualAccountId' };
      return childPages(
        target,
        {
          parentIds: virtualAccountIds,
          filter: tenantFilter(caller),
          slots: ofSlotOfIds(virtualAccountIds, caller),
          ...alongKey('_id', slice, -1),
        },
        transactionOf,
      );
    },
    insertOf({ transaction: { cardTransactionId, ...rest }, ...kept }: KeptTransaction): InsertWrite {
      const document = { _id: cardTransactionId, slot: slotOf(rest), ...rest, ...kept };
      return { collection: cardTransactionsCollection, document };
    },
    /** The transaction of that merchant whose envelope held the cryptogram. */
    async findByCryptogram(of: {
      environment: Environment;
      accountId: string;
      merchantId: string;
      cryptogramHash: string;
    }): Promise<CardTransaction | null> {
      const found = await records.findOne({ ...of, ...ofSlotOf(of.merchantId) }).lean<StoredCardTransaction>();
      return found && transactionOf(found);
    },
    /** True for the first use of a transaction's cryptogram that was made after `madeAfter`, and for every further one with the same purpose. */
    async spend(
      { cardTransactionId, merchantId }: CardTransaction,
      usedFor: string,
      madeAfter: Date,
    ): Promise<boolean> {
      const isFirst = { spentOn: trusted({ $exists: false }), createdAt: trusted({ $gt: madeAfter }) };
      const { matchedCount } = await records.updateOne(
        { _id: cardTransactionId, ...ofSlotOf(merchantId), $or: [isFirst, { spentOn: usedFor }] },
        { $set: { spentOn: usedFor } },
        { writeConcern: { w: 'majority', j: true } },
      );
      return matchedCount === 1;
    },
    /** Drops the envelopes of transactions made before `before`, of those slots; returns how many. */
    async forgetEnvelopes(environment: Environment, before: Date, slots: SlotRange): Promise<number> {
      const { modifiedCount } = await records.updateMany(
        {
          environment,
          ...inSlots(slots),
          createdAt: trusted({ $lt: before }),
          encryptedData: trusted({ $exists: true }),
        },
        { $unset: { encryptedData: 1 } },
      );
      return modifiedCount;
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

function transactionOf({
  _id,
  slot,
  encryptedData,
  cryptogramHash,
  spentOn,
  ...rest
}: StoredCardTransaction): CardTransaction {
  return { cardTransactionId: _id, ...rest };
}
