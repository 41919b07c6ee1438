// Virtual accounts at rest: masks in the clear, the token sealed, the card as a keyed hash (tokenization interface, What the service does, 4).
import type { Collection, Filter } from 'mongodb';
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, type Environment, environments, tenantFilter } from '../../shared/callers/caller';
import type { Sealed } from '../../shared/crypto/vault';
import { childPages } from '../../shared/lists/child-pages';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { withoutAbsent, withoutUndefined } from '../../shared/present-members';
import { inBatches } from '../../shared/store/batcher';
import { collectionOf } from '../../shared/store/collection-of';
import { ofSlotOf, ofSlotOfIds, ofSlotOfList } from '../../shared/store/of-slot';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { slotOf } from '../../shared/store/slot';
import { absentOr, maybeText, sealedPart, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { isTokenLive, type VirtualAccountState, virtualAccountStates } from './lifecycle';
import type { VirtualAccount } from './virtual-account';

/** What the vault holds of an account; never leaves the services of this domain. */
export interface Holding {
  /** Keyed hash of the card number. */
  cardHash: string;
  /** The token service's reference of the token. */
  tokenReference: string;
  /** The request to the token service that this account goes back to. */
  provisioningId: string;
  token: Sealed;
}

export interface HeldAccount {
  account: VirtualAccount;
  holding: Holding;
}

/** Where a card is looked up: one live account per merchant and card. */
export interface CardOfMerchant {
  environment: Environment;
  acquirerId: string;
  merchantId: string;
  cardHash: string;
}

export interface VirtualAccountFilter {
  merchantId?: string | null;
  state?: VirtualAccountState | null;
}

type StoredVirtualAccount = Omit<VirtualAccount, 'virtualAccountId'> &
  Holding & { _id: string; slot?: number; live?: true; lastTransactionAt?: Date };

const virtualAccountsCollection = 'virtual_accounts';

const schema = storedSchema<StoredVirtualAccount>(virtualAccountsCollection, {
  _id: storedText,
  // Those of releases before have none until `npm run database:slots`.
  slot: absentOr(Number),
  environment: there(String, { enum: environments }),
  accountId: storedText,
  merchantId: storedText,
  acquirerId: storedText,
  providerId: storedText,
  pspId: storedText,
  agreementId: storedText,
  state: there(String, { enum: virtualAccountStates }),
  live: absentOr(Boolean),
  par: maybeText,
  accountMasked: storedText,
  accountExpiry: storedText,
  tokenMasked: storedText,
  tokenExpiry: storedText,
  cardHash: storedText,
  tokenReference: storedText,
  provisioningId: storedText,
  token: there(sealedPart),
  reasonCode: maybeText,
  createdAt: there(Date),
  updatedAt: there(Date),
  lastTransactionAt: absentOr(Date),
  version: there(Number),
  sequence: there(Number),
});
schema.index(
  { slot: 1, environment: 1, acquirerId: 1, merchantId: 1, cardHash: 1 },
  { unique: true, partialFilterExpression: { live: true } },
);
schema.index({ environment: 1, merchantId: 1, _id: -1 });
schema.index({ tokenReference: 1 });
// Not of those that are made, so that a creation does not pay for it: nearly all are ACTIVE.
schema.index(
  { environment: 1, state: 1, _id: -1 },
  { partialFilterExpression: { state: { $in: ['SUSPENDED', 'DELETED'] } } },
);
schema.index({ environment: 1, accountId: 1, _id: -1 });

export type VirtualAccountRepository = ReturnType<typeof createVirtualAccountRepository>;

export function createVirtualAccountRepository(connection: Connection) {
  const records: Model<StoredVirtualAccount> = connection.model<StoredVirtualAccount>('VirtualAccount', schema);
  const listed = collectionOf<StoredVirtualAccount>(connection, virtualAccountsCollection);
  const byCard = cardReader(listed);
  const find = (filter: object) => records.find(filter);

  return {
    /** null when it is absent or belongs to somebody else. */
    async find(caller: Caller, virtualAccountId: string): Promise<HeldAccount | null> {
      const found = await records
        .findOne({ ...tenantFilter(caller), _id: virtualAccountId, ...ofSlotOfIds([virtualAccountId], caller) })
        .lean<StoredVirtualAccount>();
      return found ? held(found) : null;
    },
    async findMany(caller: Caller, ids: readonly string[]): Promise<VirtualAccount[]> {
      const own = { ...tenantFilter(caller), _id: trusted({ $in: ids }), ...ofSlotOfIds(ids, caller) };
      const found = await find(own).lean<StoredVirtualAccount[]>();
      return found.map(accountOf);
    },
    /** The live account of a card; look-ups of the same moment travel together. */
    findLiveByCard: (card: CardOfMerchant): Promise<HeldAccount | null> => byCard(card),
    /** The merchant's ACTIVE account with that token, which a deleted one may have as well; null when it is absent or somebody else's. */
    async findActiveByToken(of: {
      environment: Environment;
      accountId: string;
      merchantId: string;
      tokenReference: string;
    }): Promise<VirtualAccount | null> {
      const found = await records
        .findOne({ ...of, state: 'ACTIVE', ...ofSlotOf(of.merchantId) })
        .lean<StoredVirtualAccount>();
      return found ? accountOf(found) : null;
    },
    /** Newest first. */
    async list(
      caller: Caller,
      { merchantId, state }: VirtualAccountFilter,
      slice: Slice<string>,
    ): Promise<Page<VirtualAccount>> {
      const filter = { ...tenantFilter(caller), ...withoutAbsent({ merchantId: merchantId || null, state }) };
      const slots = ofSlotOfList({ merchantId: merchantId || caller.merchantId });
      return listPage(listed, { filter, slots, ...alongKey('_id', slice, -1) }, accountOf);
    },
    /** One page for each merchant, in one query. */
    async listByMerchants(
      caller: Caller,
      merchantIds: readonly string[],
      slice: Slice<string>,
    ): Promise<Map<string, Page<VirtualAccount>>> {
      const target = { connection, collection: virtualAccountsCollection, parentField: 'merchantId' };
      return childPages<StoredVirtualAccount, VirtualAccount>(
        target,
        {
          parentIds: merchantIds,
          filter: tenantFilter(caller),
          slots: ofSlotOf(...merchantIds),
          ...alongKey('_id', slice, -1),
        },
        accountOf,
      );
    },
    insertOf({ account: { virtualAccountId, ...rest }, holding }: HeldAccount): InsertWrite {
      return {
        collection: virtualAccountsCollection,
        document: { _id: virtualAccountId, slot: slotOf(rest), live: true, ...rest, ...holding },
      };
    },
    /** Saves `next` where the version read is still the present one. */
    updateOf(read: VirtualAccount, next: VirtualAccount, holding: Partial<Holding> = {}): UpdateWrite {
      const facts = {
        state: next.state,
        par: next.par,
        accountMasked: next.accountMasked,
        accountExpiry: next.accountExpiry,
        tokenMasked: next.tokenMasked,
        tokenExpiry: next.tokenExpiry,
        reasonCode: next.reasonCode,
        updatedAt: next.updatedAt,
        version: next.version,
        sequence: next.sequence,
      };
      return {
        collection: virtualAccountsCollection,
        filter: {
          _id: read.virtualAccountId as never,
          environment: read.environment,
          accountId: read.accountId,
          version: read.version,
          ...ofSlotOf(read.merchantId),
        },
        update: {
          $set: { ...facts, ...holding },
          ...withoutUndefined({ $unset: isTokenLive(next.state) ? undefined : { live: true } }),
        },
      };
    },
    /** Matches only while the account is ACTIVE: a transaction and a deletion cannot both win. */
    usedOf({ virtualAccountId, environment, accountId, merchantId }: VirtualAccount, at: Date): UpdateWrite {
      return {
        collection: virtualAccountsCollection,
        filter: { _id: virtualAccountId as never, environment, accountId, state: 'ACTIVE', ...ofSlotOf(merchantId) },
        update: { $set: { lastTransactionAt: at } },
      };
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

function cardReader(records: Collection<StoredVirtualAccount>): (card: CardOfMerchant) => Promise<HeldAccount | null> {
  const keyOf = (card: CardOfMerchant) =>
    JSON.stringify([card.environment, card.acquirerId, card.merchantId, card.cardHash]);
  return inBatches(async (cards) => {
    const anyOf = (field: keyof CardOfMerchant) => ({ $in: [...new Set(cards.map((card) => card[field]))] });
    const anyCard = {
      environment: anyOf('environment'),
      acquirerId: anyOf('acquirerId'),
      merchantId: anyOf('merchantId'),
      cardHash: anyOf('cardHash'),
      live: true,
      ...ofSlotOf(...cards.map(({ merchantId }) => merchantId)),
    };
    const found = await reading(findAll(records, anyCard as Filter<StoredVirtualAccount>));
    const byKey = new Map(found.map((record) => [keyOf(record), held(record)]));
    return cards.map((card) => byKey.get(keyOf(card)) ?? null);
  });
}

function held(stored: StoredVirtualAccount): HeldAccount {
  const { cardHash, tokenReference, provisioningId, token } = stored;
  return { account: accountOf(stored), holding: { cardHash, tokenReference, provisioningId, token } };
}

function accountOf(stored: StoredVirtualAccount): VirtualAccount {
  const { _id, slot, live, lastTransactionAt, cardHash, tokenReference, provisioningId, token, ...account } = stored;
  return { virtualAccountId: _id, ...account };
}
