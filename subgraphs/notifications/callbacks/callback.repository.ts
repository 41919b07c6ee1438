// Callbacks in MongoDB as the graph reads them, and the writes of a manual redelivery.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, environments, tenantFilter } from '../../shared/callers/caller';
import { boundedCount } from '../../shared/lists/bounded-count';
import { boundedList } from '../../shared/lists/bounded-list';
import { childCounts, countsTogether } from '../../shared/lists/child-pages';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import { placed } from '../../shared/lists/list-page';
import { cutToPage, type Page } from '../../shared/lists/page';
import { collectionOf, driverDatabase } from '../../shared/store/collection-of';
import { ofSlotOfAggregates } from '../../shared/store/of-slot';
import { dropIndexes, prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import {
  absentOr,
  absentOrNull,
  maybeText,
  orNull,
  sealedPart,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import type { UpdateWrite } from '../../shared/store/unit-of-work';
import { callbackKinds } from '../kinds/callback-kinds';
import { type Attempt, attemptResults, type Callback, callbackStatuses, endReasons } from './callback';
import { asksForOpen, type CallbackFilter, conditionOf, failedStatuses } from './callback-filter.repository';
import { type CallbacksOf, callbacksOfParent, countedBy, latestFirst } from './callbacks-of-parents.repository';
import { dueIndexName, dueTimeIndexName, openIndexName, outOfTurnIndexName } from './due-callback.repository';
import { createEndpointLeases } from './endpoint-lease.repository';
import type { Claim } from './stored-endpoint';

const collection = 'deliveries';
/** So many callbacks are looked at for where those of a merchant go. */
const lastCallbacksMax = 1_000;

type StoredCallback = Omit<Callback, 'callbackId' | 'sendingAt'> & {
  _id: string;
  attemptsMade: number;
  /** Of its last event in the log; absent: it has none. */
  sequence?: number;
  outOfTurn?: true;
  /** Its event's; absent in callbacks of before the log was cut into slots. */
  slot?: number;
};

const attemptPart = storedPart<Attempt>({
  number: there(Number),
  at: there(Date),
  result: there(String, { enum: attemptResults }),
  status: orNull(Number),
  durationMs: orNull(Number),
  excerpt: maybeText,
  nextAt: orNull(Date),
  isManual: there(Boolean),
});
/** What is on its way stood in the callback before it stood at the lease of its endpoint. */
type OfBefore = { sendingAt?: Date | null };
const schema = storedSchema<StoredCallback & OfBefore>(collection, {
  sendingAt: absentOrNull(Date),
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  merchantId: maybeText,
  kind: there(String, { enum: callbackKinds }),
  endpointId: storedText,
  eventId: storedText,
  requestId: absentOr(String),
  orderingKey: storedText,
  slot: absentOr(Number),
  position: there(Number),
  address: absentOrNull(String),
  path: storedText,
  headers: { type: Map, of: String, required: true },
  body: storedText,
  securityToken: absentOrNull(sealedPart),
  authorization: absentOrNull(sealedPart),
  status: there(String, { enum: callbackStatuses }),
  reason: orNull(String, { enum: endReasons }),
  open: there(Boolean),
  ordered: there(Boolean),
  tries: there(Number),
  attemptsMade: there(Number),
  sequence: absentOr(Number),
  fence: there(Number),
  dueAt: there(Date),
  outOfTurn: absentOr(Boolean),
  attempts: there([attemptPart]),
  redelivery: maybeText,
  createdAt: there(Date),
  endedAt: orNull(Date),
});
const whileOpen = { partialFilterExpression: { open: true } };
schema.index({ open: 1, endpointId: 1, dueAt: 1, position: 1 }, { name: dueIndexName, ...whileOpen });
schema.index({ open: 1, dueAt: 1, endpointId: 1 }, { name: dueTimeIndexName, ...whileOpen });
/**
 * Of former versions: of the sweep, of those out of turn, from before one endpoint could have several addresses; of every status, and by age. The last
 * held the same once each as the unique one of now, which is there before it goes; in shards that one has to begin with the endpoint.
 */
const retiredIndexes = [
  'due',
  'order',
  'eventId_1_endpointId_1',
  'environment_1_status_1_position_1',
  'age',
  'eventId_1_endpointId_1_address_1',
];
schema.index(
  { endpointId: 1, orderingKey: 1, position: 1 },
  { name: outOfTurnIndexName, partialFilterExpression: { outOfTurn: true } },
);
schema.index({ endpointId: 1, eventId: 1, address: 1 }, { unique: true });
schema.index({ eventId: 1 });
schema.index({ accountId: 1, position: 1 });
schema.index({ merchantId: 1, position: 1 });
schema.index({ orderingKey: 1, position: 1 });
schema.index({ environment: 1, position: 1 });
schema.index({ environment: 1, endpointId: 1, position: 1 });
// What was delivered is nearly all, and found along the position.
schema.index(
  { environment: 1, status: 1, position: 1 },
  { name: 'failed', partialFilterExpression: { status: { $in: [...failedStatuses] } } },
);
schema.index({ environment: 1, position: 1 }, { name: openIndexName, ...whileOpen });

export interface CallbackRepository {
  find(caller: Caller, callbackIds: readonly string[]): Promise<Callback[]>;
  list(caller: Caller, filter: CallbackFilter, slice: Slice<number>): Promise<Page<Callback>>;
  /** One page for each of many merchants, virtual accounts, operations, applications or payments, in one query. */
  listEach(
    caller: Caller,
    by: CallbacksOf,
    keys: readonly string[],
    slice: Slice<number>,
  ): Promise<Map<string, Page<Callback>>>;
  /** Where the last callbacks about a merchant went to. */
  endpointsOfMerchant(caller: Caller, merchantId: string): Promise<string[]>;
  redeliver(callback: Callback, nonce: string, dueAt: Date): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createCallbackRepository(connection: Connection): CallbackRepository {
  const deliveries = collectionOf<StoredCallback>(connection, collection);
  const leases = createEndpointLeases(connection);

  /** What is claimed among these: nothing is asked where all of them are closed. */
  async function claimsOn(rows: readonly StoredCallback[]): Promise<Claim[]> {
    const endpointIds = new Set(rows.filter(({ open }) => open).map(({ endpointId }) => endpointId));
    return endpointIds.size > 0 ? leases.claimsAt([...endpointIds]) : [];
  }

  return {
    async find(caller, callbackIds) {
      const filter: Filter<StoredCallback> = { ...tenantFilter(caller), _id: { $in: [...callbackIds] } };
      const found = await reading(findAll(deliveries, filter));
      return found.map(callbacksOf(await claimsOn(found)));
    },
    async list(caller, filter, slice) {
      const claims = asksForOpen(filter) ? await leases.claimsOf(caller) : null;
      const own = { ...tenantFilter(caller), ...conditionOf(filter, claims ?? []) };
      const { beyond, sort, size } = alongKey('position', slice, -1);
      const from = placed(own, beyond) as Filter<StoredCallback>;
      const found = await boundedList(deliveries, from, { sort, limit: size + 1 });
      const shown = callbacksOf(claims ?? (await claimsOn(found)));
      return cutToPage(found, size, shown, () => boundedCount(deliveries, own, { sort: latestFirst }));
    },
    async listEach(caller, by, keys, slice) {
      const own = tenantFilter(caller);
      const ofEvents = by === 'paymentId' ? ofSlotOfAggregates(keys, caller) : {};
      const { size } = slice;
      const found = await reading(
        driverDatabase(connection)
          .aggregate<{ _id: string; callbacks: StoredCallback[] }>([
            { $documents: keys.map((_id) => ({ _id })) },
            { $lookup: callbacksOfParent(by, { wanted: own, ofEvents }, slice) },
          ])
          .toArray(),
      );
      const claims = await claimsOn(found.flatMap(({ callbacks }) => callbacks));
      const countOf = countsTogether((parentIds) =>
        childCounts({ ...countedBy(by), connection, parentIds, filter: { ...own, ...ofEvents } }),
      );
      return new Map(
        found.map(({ _id, callbacks }) => [_id, cutToPage(callbacks, size, callbacksOf(claims), () => countOf(_id))]),
      );
    },
    async endpointsOfMerchant(caller, merchantId) {
      const last = await reading(
        findAll(
          deliveries,
          { ...tenantFilter(caller), merchantId },
          { projection: { endpointId: 1 }, sort: latestFirst, limit: lastCallbacksMax },
        ),
      );
      return [...new Set(last.map(({ endpointId }) => endpointId))];
    },
    redeliver: ({ callbackId, environment, endpointId, eventId }, nonce, dueAt) => ({
      collection,
      filter: { _id: callbackId, environment, endpointId, eventId } as unknown as UpdateWrite['filter'],
      update: {
        $unset: { outOfTurn: true },
        $set: {
          status: 'PENDING',
          open: true,
          ordered: false,
          reason: null,
          tries: 0,
          dueAt,
          endedAt: null,
          redelivery: nonce,
        },
      },
    }),
    async ensureIndexes() {
      await prepareCollection(connection, schema);
      await dropIndexes(connection, collection, retiredIndexes);
    },
  };
}

function callbacksOf(claims: readonly Claim[]): (stored: StoredCallback) => Callback {
  const claimedAt = new Map(claims.flatMap(({ at, callbackIds }) => callbackIds.map((id) => [id, at] as const)));
  return ({ _id, attemptsMade: _attemptsMade, outOfTurn: _outOfTurn, ...rest }) => {
    const at = claimedAt.get(_id);
    const sendingAt = rest.open && at && rest.dueAt <= at ? at : null;
    return {
      ...rest,
      callbackId: _id,
      address: rest.address ?? null,
      status: sendingAt ? 'SENDING' : rest.open ? 'PENDING' : rest.status,
      sendingAt,
      securityToken: rest.securityToken ?? null,
      authorization: rest.authorization ?? null,
    };
  };
}
