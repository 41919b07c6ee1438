// Callback endpoints in MongoDB: one per account and kind, and of the kinds whose address comes with each event one per address too.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, environments, tenantFilter } from '../../shared/callers/caller';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { withoutUndefined } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
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
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { type CallbackKind, callbackKinds } from '../kinds/callback-kinds';
import { originOf } from './address-template';
import {
  type CallbackEndpoint,
  disablingReasons,
  type EndpointHealth,
  type EndpointState,
  endpointStates,
  type SigningSecret,
} from './callback-endpoint';
import {
  createGivenEndpoints,
  type EndpointTarget,
  type GivenAddress,
  type GivenEndpoint,
} from './given-endpoint.repository';
import { createLastAtEndpoints, type ReadLastAtEndpoints } from './last-at-endpoint.repository';
import { type Claim, type EndpointLeaseRecord, freeLease, fromStored, type StoredEndpoint } from './stored-endpoint';

const collection = 'callback_endpoints';

const leasePart = storedPart<EndpointLeaseRecord>({
  owner: storedText,
  until: there(Date),
  fence: there(Number),
  rings: there(Number),
  isInherited: there(Boolean),
  claims: absentOr([storedPart<Claim>({ at: there(Date), callbackIds: there([String]) })]),
});
const schema = storedSchema<StoredEndpoint>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  kind: there(String, { enum: callbackKinds }),
  address: maybeText,
  origin: absentOrNull(String),
  addressKey: absentOrNull(String),
  authorization: orNull(sealedPart),
  secrets: there([
    storedPart<SigningSecret>({
      secretId: storedText,
      sealed: there(sealedPart),
      createdAt: there(Date),
      expiresAt: orNull(Date),
    }),
  ]),
  health: there(
    storedPart<EndpointHealth>({
      state: there(String, { enum: endpointStates }),
      exhaustedInARow: there(Number),
      failingSince: orNull(Date),
      warnedPercent: there(Number),
      reason: orNull(String, { enum: disablingReasons }),
      changedAt: there(Date),
    }),
  ),
  lease: there(leasePart),
  createdAt: there(Date),
  version: there(Number),
  sequence: there(Number),
});
schema.index({ accountId: 1, kind: 1, environment: 1, addressKey: 1 }, { unique: true });
schema.index({ environment: 1, accountId: 1, _id: 1 });
schema.index({ environment: 1, 'health.state': 1, _id: 1 });
schema.index({ environment: 1, accountId: 1, 'health.state': 1, _id: 1 });
schema.index({ environment: 1, 'health.state': 1, origin: 1, _id: 1 });
schema.index({ environment: 1, accountId: 1, 'health.state': 1, origin: 1, _id: 1 });
/** Those that are just being served: few, however many endpoints there are. */
schema.index(
  { environment: 1, accountId: 1 },
  { name: 'claiming', partialFilterExpression: { 'lease.claims': { $exists: true } } },
);
/** From before there were several addresses of one kind. */
const retiredIndexes = ['accountId_1_kind_1_environment_1'];

/** All when null. */
export interface EndpointFilter {
  health: readonly EndpointState[] | null;
  origin: string | null;
  endpointIds: readonly string[] | null;
}

export interface CallbackEndpointRepository {
  find(caller: Caller, endpointIds: readonly string[]): Promise<CallbackEndpoint[]>;
  findFor(caller: Caller, accountId: string, kind: CallbackKind): Promise<CallbackEndpoint | null>;
  /** Ordered by endpointId. */
  list(caller: Caller, filter: EndpointFilter, slice: Slice<string>): Promise<Page<CallbackEndpoint>>;
  /** What went there last; endpoints without callbacks are left out. */
  lastAt: ReadLastAtEndpoints;
  /** For the outbox worker: the endpoints with an address of these accounts. */
  targets(accountIds: readonly string[]): Promise<EndpointTarget[]>;
  /** For the outbox worker: the endpoint of each address, in their order; those that are new are made. */
  endpointsOf(addresses: readonly GivenAddress[], now: Date): Promise<GivenEndpoint[]>;
  /** For the callback worker: no tenant filter, it serves every account. */
  load(endpointId: string): Promise<CallbackEndpoint | null>;
  insert(endpoint: CallbackEndpoint): InsertWrite;
  /** Replaces the state that was read with `versionRead`; the lease stays as it is. */
  replace(endpoint: CallbackEndpoint, versionRead: number): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createCallbackEndpointRepository(connection: Connection): CallbackEndpointRepository {
  const endpoints = collectionOf<StoredEndpoint>(connection, collection);
  const given = createGivenEndpoints(connection);

  /** To those of a release before, which had none. */
  async function giveOrigins(): Promise<void> {
    const former = { environment: { $in: [...environments] }, 'health.state': { $in: [...endpointStates] } };
    for await (const { _id, address } of endpoints.find({ ...former, origin: { $exists: false } }))
      await endpoints.updateOne({ _id, address }, { $set: { origin: originIn({ address }) } });
  }

  return {
    async find(caller, endpointIds) {
      const found = await reading(findAll(endpoints, { ...tenantFilter(caller), _id: { $in: [...endpointIds] } }));
      return found.map(fromStored);
    },
    async findFor(caller, accountId, kind) {
      const filter = { $and: [tenantFilter(caller), { accountId, kind, addressKey: null }] };
      const found = await reading(endpoints.findOne(filter));
      return found && fromStored(found);
    },
    async list(caller, filter, slice) {
      const own = { ...tenantFilter(caller), ...conditionOf(filter) };
      return listPage(endpoints, { filter: own, ...alongKey('_id', slice) }, fromStored);
    },
    lastAt: createLastAtEndpoints(connection),
    async targets(accountIds) {
      const found = await findAll(
        endpoints,
        { accountId: { $in: [...accountIds] }, addressKey: null, address: { $ne: null } },
        { projection: { environment: 1, accountId: 1, kind: 1 } },
      );
      return found.map(({ _id, environment, accountId, kind }) => ({ endpointId: _id, environment, accountId, kind }));
    },
    endpointsOf: (addresses, now) => given.endpointsOf(addresses, now),
    async load(endpointId) {
      const found = await endpoints.findOne({ _id: endpointId });
      return found && fromStored(found);
    },
    insert: ({ endpointId, ...rest }) => ({
      collection,
      document: { _id: endpointId, ...rest, origin: originIn(rest), lease: freeLease },
    }),
    replace: ({ endpointId, ...rest }, versionRead) => ({
      collection,
      filter: {
        _id: endpointId,
        environment: rest.environment,
        version: versionRead,
      } as unknown as UpdateWrite['filter'],
      update: { $set: { ...rest, origin: originIn(rest), version: versionRead + 1 } },
    }),
    async ensureIndexes() {
      await prepareCollection(connection, schema);
      await dropIndexes(connection, collection, retiredIndexes);
      await given.mergeFormer();
      await giveOrigins();
    },
  };
}

function originIn({ address }: Pick<CallbackEndpoint, 'address'>): string | null {
  return address === null ? null : originOf(address);
}

function conditionOf({ health, origin, endpointIds }: EndpointFilter): Filter<StoredEndpoint> {
  return withoutUndefined({
    // Behind their health the index has the origins, and of one origin the ids in order.
    'health.state': health || origin ? { $in: [...(health ?? endpointStates)] } : undefined,
    origin: origin || undefined,
    $and: endpointIds ? [{ _id: { $in: [...endpointIds] } }] : undefined,
  });
}
