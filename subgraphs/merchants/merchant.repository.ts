// Merchants at rest, each with the agreements it is enrolled under.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, type Environment, environments, tenantFilter } from '../shared/callers/caller';
import { newId } from '../shared/ids';
import { literal } from '../shared/list-filter';
import { alongKey, alongTime } from '../shared/lists/list-order';
import { listPage } from '../shared/lists/list-page';
import { nameOrder } from '../shared/lists/name-order';
import type { Page } from '../shared/lists/page';
import { withoutUndefined } from '../shared/present-members';
import { collectionOf } from '../shared/store/collection-of';
import { allOf, anyOf } from '../shared/store/conditions';
import { createGroupedReader } from '../shared/store/grouped-reader';
import { dropIndexes, prepareCollection } from '../shared/store/prepare-collection';
import { reading } from '../shared/store/reading';
import { absentOr, absentOrNull, storedPart, storedSchema, storedText, there } from '../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../shared/store/unit-of-work';
import {
  emptyDetails,
  invoicings,
  type Merchant,
  type MerchantDeletion,
  merchantStatuses,
  usualCountry,
  usualCurrency,
} from './merchant';
import type { ListedMerchant, MerchantFilter, MerchantSlice } from './merchant-list';

type StoredMerchant = Merchant & { _id: string };

const collection = 'merchants';
const deletionPart = storedPart<MerchantDeletion>({ at: there(Date), userId: storedText, isDone: there(Boolean) });
// What a merchant of a former release lacks may be absent.
const lateText = absentOrNull(String);
const schema = storedSchema<StoredMerchant>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  merchantId: storedText,
  accountId: storedText,
  merchantNumber: there(Number),
  name: storedText,
  status: there(String, { enum: merchantStatuses }),
  invoicing: there(String, { enum: invoicings }),
  currency: absentOr(String),
  country: absentOr(String),
  agreementIds: there([String]),
  createdAt: there(Date),
  updatedAt: absentOr(Date),
  version: there(Number),
  orgNumber: lateText,
  vatNumber: lateText,
  merchantCategoryCode: lateText,
  merchantCity: lateText,
  prefix: lateText,
  createdBy: lateText,
  updatedBy: lateText,
  applicationId: lateText,
  deletion: absentOrNull(deletionPart),
});
schema.index({ environment: 1, merchantId: 1 }, { unique: true });
schema.index({ environment: 1, merchantNumber: 1 }, { unique: true });
schema.index({ environment: 1, accountId: 1, merchantId: 1 });
schema.index({ environment: 1, status: 1, merchantId: 1 });
schema.index({ environment: 1, 'deletion.isDone': 1 }, { partialFilterExpression: { 'deletion.isDone': false } });
schema.index({ environment: 1, agreementIds: 1, merchantId: 1 });
const byName = { collation: nameOrder } as const;
schema.index({ environment: 1, name: 1, _id: 1 }, { name: 'byName', ...byName });
schema.index({ environment: 1, accountId: 1, name: 1, _id: 1 }, { name: 'ofAccountByName', ...byName });
schema.index({ environment: 1, createdAt: -1, _id: -1 });
schema.index({ environment: 1, accountId: 1, createdAt: -1, _id: -1 });
schema.index({ environment: 1, orgNumber: 1 }, { partialFilterExpression: { orgNumber: { $gte: '' } } });
/** Of releases that had no lists by name. */
const retiredIndexes = ['names'];

export type MerchantRepository = ReturnType<typeof createMerchantRepository>;

export function createMerchantRepository(connection: Connection) {
  const records: Model<StoredMerchant> = connection.model<StoredMerchant>('Merchant', schema);
  const listed = collectionOf<StoredMerchant>(connection, collection);
  const readOne = createGroupedReader<StoredMerchant>(listed, { field: 'merchantId' });
  const find = (filter: Record<string, unknown>) => records.find(filter);

  return {
    async findMany(caller: Caller, merchantIds: readonly string[]): Promise<Merchant[]> {
      const found = await reading(
        find({ ...tenantFilter(caller), merchantId: trusted({ $in: merchantIds }) }).lean<StoredMerchant[]>(),
      );
      return found.map(merchantOf);
    },
    /** Without a caller: for the checks that other domains make. */
    async findStatus(
      environment: Environment,
      merchantId: string,
    ): Promise<Pick<Merchant, 'status' | 'agreementIds' | 'deletion'> | null> {
      return readOne(merchantId, { environment });
    },
    /** Without a caller: what other domains must know of it. */
    async findFacts(environment: Environment, merchantId: string): Promise<Merchant | null> {
      const found = await readOne(merchantId, { environment });
      return found && merchantOf(found);
    },
    /** The same by its number. */
    async findByNumber(environment: Environment, merchantNumber: number): Promise<Merchant | null> {
      const found = await reading(records.findOne({ environment, merchantNumber }).lean<StoredMerchant>());
      return found && merchantOf(found);
    },
    /** Deleted ones whose keys and sessions may still be open, the latest first: their callers wait for it. */
    async listEnding(environment: Environment, size: number): Promise<Merchant[]> {
      const filter = { environment, 'deletion.isDone': false };
      const found = records.find(filter).sort({ 'deletion.at': -1 }).limit(size).lean<StoredMerchant[]>();
      return (await reading(found)).map(merchantOf);
    },
    async list(caller: Caller, slice: MerchantSlice, wanted: MerchantFilter = {}): Promise<Page<ListedMerchant>> {
      const filter = { ...tenantFilter(caller), ...wantedBy(wanted) };
      // Ids of accounts have no capitals and no accents: they are told apart by the order of names, too.
      const collation = slice.order === 'NAME' ? nameOrder : undefined;
      const countedAlong = { merchantId: 1 } as const;
      return listPage(listed, { filter, ...alongOrder(slice), collation, countedAlong }, listedOf);
    },
    insertOf(merchant: Merchant): InsertWrite {
      return { collection, document: { _id: newId(), ...merchant } };
    },
    /** Saves where the version read is still the present one. */
    updateOf(read: Merchant, change: Partial<Merchant>): UpdateWrite {
      const { environment, merchantId, version } = read;
      return {
        collection,
        filter: { environment, merchantId, version },
        update: { $set: { ...change, version: version + 1 } },
      };
    },
    /** For the sandbox's own tenants: makes what is missing and leaves what was changed since. */
    async seed(merchant: Merchant): Promise<void> {
      const { environment, merchantId, agreementIds, ...rest } = merchant;
      await records.updateOne(
        { environment, merchantId },
        { $setOnInsert: { _id: newId(), ...rest }, $addToSet: { agreementIds: { $each: agreementIds } } },
        { upsert: true },
      );
    },
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, schema);
      await dropIndexes(connection, collection, retiredIndexes);
    },
  };
}

function alongOrder({ order, ...slice }: MerchantSlice) {
  if (order === 'NAME') return alongTime('name', slice, 1);
  if (order === 'NEWEST') return alongTime('createdAt', slice);
  return alongKey('merchantId', { ...slice, after: slice.after && String(slice.after.at) });
}

function wantedBy({ text, status, statuses, accountIds, ...rest }: MerchantFilter): object {
  const { isDeleted = status || statuses ? false : null } = rest;
  const deleted = isDeleted ? trusted({ $ne: null }) : null;
  const wanted = withoutUndefined({
    status: status ?? undefined,
    deletion: typeof isDeleted === 'boolean' ? deleted : undefined,
  });
  const several = allOf(anyOf({ status: statuses, accountId: accountIds }));
  const named = text ? called(text) : {};
  return { ...named, ...wanted, ...several };
}

/** Wherever it stands in an id or a name: no index has that, so the order is followed. */
function called(text: string): object {
  const part = trusted({ $regex: literal(text), $options: 'i' });
  const number = /^\d{1,9}$/.test(text) ? [{ merchantNumber: Number(text) }] : [];
  return { $or: [{ merchantId: part }, { name: part }, ...number] };
}

function listedOf(stored: StoredMerchant): ListedMerchant {
  return { _id: stored._id, ...merchantOf(stored) };
}

/** Records from before a merchant had a currency, a country and all its details have the usual ones. */
function merchantOf({ _id, ...merchant }: StoredMerchant): Merchant {
  return {
    ...emptyDetails,
    ...merchant,
    currency: merchant.currency ?? usualCurrency,
    country: merchant.country ?? usualCountry,
    updatedAt: merchant.updatedAt ?? merchant.createdAt,
  };
}
