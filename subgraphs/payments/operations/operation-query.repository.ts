// The listing of operations: every filter of the operations query over indexes, in any order, page by page (hosted checkout, GET operations).
import type { Document, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import type { Caller } from '../../shared/callers/caller';
import { boundedCount } from '../../shared/lists/bounded-count';
import { boundedList } from '../../shared/lists/bounded-list';
import { childPages } from '../../shared/lists/child-pages';
import { cutToPage, type Page, type TotalCount } from '../../shared/lists/page';
import { withoutAbsent, withoutUndefined } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { allOf, anyOf, between, onlyWith } from '../../shared/store/conditions';
import { ofSlotOf, ofSlotOfIds, ofSlotOfList } from '../../shared/store/of-slot';
import { findAll, reading } from '../../shared/store/reading';
import { checkoutSessionsCollection } from '../collections';
import type { Operation } from './operation';
import { operationOf, operationsCollection, ownFilter, type StoredOperation } from './operation.repository';
import {
  asksForPending,
  decideCountIndex,
  decideListIndex,
  excludedProfiles,
  type ListingIndex,
  profilePattern,
  type Survey,
} from './operation-facets';
import type { OperationMember, OperationPart } from './operation-parts';
import {
  countMax,
  newestFirst,
  type OperationFilter,
  type OperationOrder,
  type OperationPosition,
  orderedField,
} from './operation-query';
import { createOperationSurveys } from './operation-survey.repository';

export interface OperationSlice {
  order: OperationOrder;
  size: number;
  after: OperationPosition | null;
}

export interface NumberedPage {
  operations: Operation[];
  /** Counted up to `countMax`. */
  totalCount: number;
  isTotalExact: boolean;
  hasNextPage: boolean;
}

export interface NumberedSlice {
  order: OperationOrder;
  size: number;
  /** From zero. */
  number: number;
}

/** What an operation may be a child of. An orderId is one merchant's: it goes with a filter by merchant. */
export type ParentField = 'merchantId' | 'paymentId' | 'orderId';

/** Operations that are left out of a page before it is worth asking first whether there are as many. */
const skippedBlindlyMax = 10_000;

type StoredOperationPart = Pick<StoredOperation, '_id' | 'accountId' | 'merchantId'> & Partial<StoredOperation>;

export type OperationQueryRepository = ReturnType<typeof createOperationQueryRepository>;

export function createOperationQueryRepository(connection: Connection) {
  const records = collectionOf<StoredOperation>(connection, operationsCollection);
  const sessions = collectionOf<{ _id: string; paymentId: string }>(connection, checkoutSessionsCollection);
  const survey = createOperationSurveys(collectionOf(connection, operationsCollection));
  const surveyOf = ({ environment }: Caller, { merchantId }: OperationFilter) =>
    merchantId ? survey({ environment, merchantId }) : null;

  /** A visit is one of a payment, by whose index its operations are found: nobody asks for them often enough to have one of their own. */
  const placed = async (caller: Caller, filter: OperationFilter): Promise<PlacedFilter> => {
    const { sessionId } = filter;
    if (!sessionId) return filter;
    const ofVisit = { _id: sessionId, ...ofSlotOfIds([sessionId], caller) };
    const visit = sessions.findOne(ofVisit, { projection: { paymentId: 1 } });
    return { ...filter, visited: (await reading(visit))?.paymentId ?? null };
  };
  const find = async (query: ListingQuery, order: OperationOrder, { skip = 0, limit = 1 }): Promise<Operation[]> => {
    const hint = withoutAbsent({ hint: query.index || null });
    const found = await boundedList(records, query.condition as Filter<StoredOperation>, {
      sort: sortOf(order),
      skip,
      limit,
      ...hint,
    });
    return found.map(operationOf);
  };
  const count = (query: ListingQuery): Promise<number> =>
    reading(
      records.countDocuments(query.condition as Filter<StoredOperation>, {
        limit: countMax + 1,
        ...withoutAbsent({ hint: query.index || null }),
      }),
    );

  const countOf = (caller: Caller, filter: PlacedFilter, known: Survey | null): Promise<TotalCount> => {
    const { index, condition } = queryFor(caller, filter, known && { known, index: decideCountIndex(filter, known) });
    return boundedCount(records, condition, index ? { hint: index } : { sort: sortOf(newestFirst) });
  };

  return {
    /** Those of the caller's; absent and foreign ones are left out. */
    async findMany(caller: Caller, ids: readonly string[]): Promise<Operation[]> {
      const found = findAll(records, ofOwnIds(caller, ids));
      return (await reading(found)).map(operationOf);
    },
    /** The same, with these members alone. */
    async findParts(
      caller: Caller,
      ids: readonly string[],
      members: readonly OperationMember[],
    ): Promise<OperationPart[]> {
      const found = findAll<StoredOperation, StoredOperationPart>(records, ofOwnIds(caller, ids), {
        projection: onlyWith(['accountId', 'merchantId', ...members]),
      });
      return (await reading(found)).map(partOf);
    },
    /** What follows `after` in the order. */
    async list(caller: Caller, asked: OperationFilter, slice: OperationSlice): Promise<Page<Operation>> {
      const { order, size, after } = slice;
      const filter = await placed(caller, asked);
      const known = await surveyOf(caller, filter);
      const { index, condition } = queryFor(
        caller,
        filter,
        known && { known, index: decideListIndex(filter, order, known) },
      );
      const slots = slotsOf(caller, filter);
      const rest = after ? { $and: [condition, beyond(order, after)], ...slots } : { ...condition, ...slots };
      const found = await find({ index, condition: rest }, order, { limit: size + 1 });
      return cutToPage(
        found,
        size,
        (operation) => operation,
        () => countOf(caller, filter, known),
      );
    },
    /** One page for each parent, in one query. */
    async listByParents(
      caller: Caller,
      { field, ids }: { field: ParentField; ids: readonly string[] },
      asked: OperationFilter,
      { order, size, after }: OperationSlice,
    ): Promise<Map<string, Page<Operation>>> {
      const query = {
        parentIds: ids,
        filter: conditionOf(caller, await placed(caller, asked)),
        beyond: after && beyond(order, after),
        slots: slotsOfParents(caller, { field, ids }, asked),
        sort: sortOf(order),
        size,
      };
      return reading(
        childPages<StoredOperation, Operation>(
          { connection, collection: operationsCollection, parentField: field },
          query,
          operationOf,
        ),
      );
    },
    /** The page of that number. */
    async page(caller: Caller, asked: OperationFilter, { order, size, number }: NumberedSlice): Promise<NumberedPage> {
      const filter = await placed(caller, asked);
      const known = await surveyOf(caller, filter);
      const query = queryFor(caller, filter, known && { known, index: decideListIndex(filter, order, known) });
      const counting = count(queryFor(caller, filter, known && { known, index: decideCountIndex(filter, known) }));
      const skip = number * size;
      const isBeyond = skip > skippedBlindlyMax && skip >= (await counting) && (await counting) <= countMax;
      // What is passed over is passed over by its key, which does not hold the slot.
      const slots = skip === 0 ? slotsOf(caller, filter) : {};
      const rows = { ...query, condition: { ...query.condition, ...slots } };
      const listing = isBeyond ? [] : find(rows, order, { skip, limit: size + 1 });
      const [found, counted] = await Promise.all([listing, counting]);
      return {
        operations: found.slice(0, size),
        totalCount: Math.min(counted, countMax),
        isTotalExact: counted <= countMax,
        hasNextPage: found.length > size,
      };
    },
  };
}

/** Of a caller of one merchant nobody else's are listed. */
function slotsOf(caller: Caller, filter: OperationFilter) {
  return ofSlotOfList({ ...filter, ...withoutUndefined({ merchantId: caller.merchantId || undefined }) });
}

function slotsOfParents(
  caller: Caller,
  { field, ids }: { field: ParentField; ids: readonly string[] },
  asked: OperationFilter,
) {
  if (field === 'paymentId') return ofSlotOfIds(ids, caller);
  return field === 'merchantId' ? ofSlotOf(...ids) : slotsOf(caller, asked);
}

function ofOwnIds(caller: Caller, ids: readonly string[]) {
  return { ...ownFilter(caller), _id: { $in: [...ids] }, ...ofSlotOfIds(ids, caller) };
}

/** With the payment that the visit which was asked for is of; null: there is no such visit. */
type PlacedFilter = OperationFilter & { visited?: string | null };

interface ListingQuery {
  /** Null: the database chooses. */
  index: ListingIndex | null;
  condition: Document;
}

function queryFor(
  caller: Caller,
  filter: PlacedFilter,
  choice: { known: Survey; index: ListingIndex | null } | null,
): ListingQuery {
  const condition = conditionOf(caller, filter);
  if (choice?.index !== 'ofMerchantByProfile') return { index: choice?.index ?? null, condition };
  const { profile, ...rest } = condition;
  return {
    index: 'ofMerchantByProfile',
    condition: { ...rest, profile: { ...profile, $nin: excludedProfiles(filter, choice.known) } },
  };
}

/** Starts from the caller's own; what only a few values exist of is asked for by the profile. */
function conditionOf(caller: Caller, filter: PlacedFilter): Document {
  const { operationId, fromTime, toTime, minAmount, maxAmount, merchantIds, currencies, visited } = filter;
  const pattern = profilePattern(filter);
  const equal = { _id: operationId, ...Object.fromEntries(equalNames.map((name) => [name, filter[name]])) };
  return {
    ...withoutAbsent(equal),
    ...withoutUndefined({
      profile: pattern ? { $regex: pattern.source } : undefined,
      // Of all merchants the few that wait have an index of their own.
      result: asksForPending(filter) && !filter.merchantId ? 'PENDING' : undefined,
    }),
    ...between('time', fromTime, toTime),
    ...between('amountMinor', minAmount ? Number(minAmount) : null, maxAmount ? Number(maxAmount) : null),
    ...allOf([
      ...anyOf({ merchantId: merchantIds, currency: currencies }),
      ...(visited === undefined ? [] : [{ paymentId: visited }]),
    ]),
    ...ownFilter(caller),
  };
}

/** Parts of the filter that are stored under their own name and are no facets. */
const equalNames = [
  ...(['merchantId', 'paymentId', 'sessionId', 'orderId'] as const),
  ...(['family', 'currency', 'customField', 'contractId'] as const),
];

/** What was read is nobody else's: it is finished in place. */
function partOf(read: StoredOperationPart): OperationPart {
  const amount = read.amountMinor === undefined ? {} : { amountMinor: BigInt(read.amountMinor) };
  return Object.assign(read, { operationId: read._id }, amount as Pick<OperationPart, 'amountMinor'>);
}

function sortOf({ by, direction }: OperationOrder): Record<string, 1 | -1> {
  const way = direction === 'ASC' ? 1 : -1;
  return { [orderedField[by]]: way, _id: way };
}

/** Orderings whose value an operation may lack; null sorts before every value. */
const nullable: ReadonlySet<string> = new Set(['orderId', 'paymentCircuit']);

/** Everything after a position. */
function beyond(order: OperationOrder, { value, operationId }: OperationPosition): Document {
  const field = orderedField[order.by];
  const isAscending = order.direction === 'ASC';
  const [further, notBefore] = isAscending ? ['$gt', '$gte'] : ['$lt', '$lte'];
  const place = order.by === 'operationTime' ? new Date(Number(value)) : value;
  const tiedBeyond = { _id: { [further]: operationId } };
  const beyondValue = { [field]: { [further]: place } };
  // The outer bound is where the index scan starts.
  if (!nullable.has(order.by)) return { [field]: { [notBefore]: place }, $or: [beyondValue, tiedBeyond] };
  const tied = { [field]: value, ...tiedBeyond };
  if (value === null) return isAscending ? { $or: [tied, { [field]: { $ne: null } }] } : tied;
  return { $or: isAscending ? [tied, beyondValue] : [tied, beyondValue, { [field]: null }] };
}
