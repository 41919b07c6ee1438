// Endpoints of addresses that come with each event: found or made by what stays the same from order to order, and never more than a bounded number per origin.
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';
import { sha256 } from '../../shared/ids';
import { collectionOf } from '../../shared/store/collection-of';
import { findAll } from '../../shared/store/reading';
import { inOneTransaction } from '../../shared/store/transaction';
import { type CallbackKind, callbackDefinitions } from '../kinds/callback-kinds';
import {
  type AddressFacts,
  addressTemplate,
  endpointsPerOriginMax,
  originKey,
  originOf,
  restOfOrigin,
} from './address-template';
import type { Callback } from './callback';
import { healthy } from './callback-endpoint';
import { freeLease, type StoredEndpoint } from './stored-endpoint';

/** Which endpoint a callback of that account and kind goes to. */
export interface EndpointTarget {
  endpointId: string;
  environment: Environment;
  accountId: string;
  kind: CallbackKind;
}

/** An address that came with an event. */
export interface GivenAddress extends Omit<EndpointTarget, 'endpointId'> {
  address: string;
  /** The merchant whose address it is; null: it is the account's. */
  merchantId: string | null;
  facts: AddressFacts;
}

/** Whose addresses an event of that merchant brings: an application's merchant is made by it, so there is a new one with each. */
export function bringerOf(kind: CallbackKind, merchantId: string | null): string | null {
  return callbackDefinitions[kind].subject === 'application' ? null : merchantId;
}

/** Where the callbacks to an address that came with an event belong. */
export interface GivenEndpoint {
  endpointId: string;
  /** The endpoint's own; with placeholders it is no address that could be called. */
  address: string;
}

/** Endpoints that are known to be there, per process. */
const knownMax = 20_000;
/** A hash of the address alone, as keys were before they began with the origin. */
const formerKey = /^[\w-]{43}$/;
const epoch = new Date(0);
/** Callbacks that one transaction puts elsewhere. */
const movedMax = 500;
const noFacts: AddressFacts = { passing: [], lasting: [] };

type GivenIdentity = Pick<GivenAddress, 'environment' | 'accountId' | 'kind' | 'merchantId'> & GivenEndpoint;

type MovedCallback = Callback & { _id: string };

export function createGivenEndpoints(connection: Connection) {
  const endpoints = collectionOf<StoredEndpoint>(connection, 'callback_endpoints');
  const deliveries = collectionOf<MovedCallback>(connection, 'deliveries');
  const known = new Set<string>();

  function know(endpointIds: Iterable<string>): void {
    if (known.size > knownMax) known.clear();
    for (const endpointId of endpointIds) known.add(endpointId);
  }

  /** How many more addresses of that origin are told apart; the count is that of the index alone, and stops at the bound. */
  async function roomFor({ environment, accountId, kind, merchantId, address }: GivenIdentity): Promise<number> {
    const prefix = originKey(address, merchantId);
    const ofOrigin = { accountId, kind, environment, addressKey: { $gte: prefix, $lt: `${prefix}~` } };
    return endpointsPerOriginMax - (await endpoints.countDocuments(ofOrigin, { limit: endpointsPerOriginMax }));
  }

  async function make(wanted: Iterable<GivenIdentity>, now: Date): Promise<void> {
    const fresh = new Map([...wanted].map((identity) => [identity.endpointId, identity]));
    const writes = [...fresh.values()].map((identity) => ({
      updateOne: {
        filter: { _id: identity.endpointId },
        update: { $setOnInsert: givenEndpoint(identity, now) },
        upsert: true,
      },
    }));
    if (writes.length > 0) await endpoints.bulkWrite(writes, { ordered: false, writeConcern: { w: 'majority' } });
  }

  async function endpointsOf(addresses: readonly GivenAddress[], now: Date): Promise<GivenEndpoint[]> {
    const wanted = addresses.map(identityOfGiven);
    const unknown = new Map(wanted.map((identity) => [identity.endpointId, identity]));
    for (const endpointId of unknown.keys()) if (known.has(endpointId)) unknown.delete(endpointId);
    if (unknown.size === 0) return wanted;
    const found = await findAll(endpoints, { _id: { $in: [...unknown.keys()] } }, { projection: { _id: 1 } });
    know(found.map(({ _id }) => _id));
    for (const { _id } of found) unknown.delete(_id);
    // A few commands however many are new: a leader of the log has a deadline for its batch.
    const origins = new Map([...unknown.values()].map((identity) => [boundOf(identity), identity]));
    const rooms = new Map(
      await Promise.all([...origins].map(async ([key, one]) => [key, await roomFor(one)] as const)),
    );
    const moved = new Map<string, GivenIdentity>();
    for (const [endpointId, identity] of unknown) {
      const room = rooms.get(boundOf(identity)) ?? 0;
      rooms.set(boundOf(identity), room - 1);
      // Those of a merchant that brought too many of one origin share one.
      moved.set(endpointId, room > 0 ? identity : identityOf(identity, restOfOrigin(identity.address), true));
    }
    await make(moved.values(), now);
    know([...moved].flatMap(([endpointId, target]) => (target.endpointId === endpointId ? [endpointId] : [])));
    return wanted.map((identity) => moved.get(identity.endpointId) ?? identity);
  }

  /** The callbacks of an endpoint of before, none of them open, and then the endpoint itself; when something came meanwhile it stays. */
  async function merge({ _id, ...stored }: StoredEndpoint): Promise<void> {
    const { environment, accountId, kind, address } = stored;
    const isOpen = await deliveries.findOne({ endpointId: _id, open: true }, { projection: { _id: 1 } });
    if (address === null || isOpen) return;
    const ofFormer = { environment, endpointId: _id };
    const one = await deliveries.findOne(ofFormer, { projection: { merchantId: 1 } });
    if (one) {
      const given = {
        environment,
        accountId,
        kind,
        address,
        merchantId: bringerOf(kind, one.merchantId),
        facts: noFacts,
      };
      const [endpoint] = await endpointsOf([given], stored.createdAt);
      if (!endpoint) return;
      await moveClosed(connection, ofFormer, { endpointId: endpoint.endpointId, address });
    }
    const isLeft = await deliveries.findOne(ofFormer, { projection: { _id: 1 } });
    if (!isLeft) await endpoints.deleteOne({ _id, 'lease.until': epoch, version: stored.version });
  }

  return {
    endpointsOf,
    /**
     * Of former versions: one endpoint for each order that was written into an address. They are merged into the one that stands for all of them. What a
     * person may want to see or change, because it is not healthy, stays, and so does what something is on its way to.
     */
    async mergeFormer(): Promise<void> {
      const former = { addressKey: { $regex: formerKey }, 'health.state': 'HEALTHY' as const, 'lease.until': epoch };
      for await (const stored of endpoints.find(former)) {
        const { address } = stored;
        if (address !== null && addressTemplate(address, noFacts) !== address) await merge(stored);
      }
    },
  };
}

/** Of one endpoint to another, so many in a transaction. In shards nobody may change where a callback lies: it is taken away and put there. */
async function moveClosed(
  connection: Connection,
  former: Pick<EndpointTarget, 'environment' | 'endpointId'>,
  moved: GivenEndpoint,
): Promise<void> {
  const deliveries = collectionOf<MovedCallback>(connection, 'deliveries');
  for (let count = movedMax; count === movedMax; )
    count = await inOneTransaction(
      connection,
      async (session) => {
        const found = await findAll(deliveries, { ...former, open: false }, { session, limit: movedMax });
        if (found.length === 0) return 0;
        const _id = { $in: found.map((callback) => callback._id) };
        await deliveries.deleteMany({ ...former, _id }, { session });
        await deliveries.insertMany(
          found.map((callback) => ({ ...callback, ...moved })),
          { session, ordered: true },
        );
        return found.length;
      },
      (found) => found > 0,
    );
}

/** Where parts of the address were left out, each merchant's is its own: what is left need not tell shops of one account apart. */
function identityOfGiven(given: GivenAddress): GivenIdentity {
  const address = addressTemplate(given.address, given.facts);
  return identityOf(given, address, address !== given.address);
}

/** The same id for the same address, so that nobody makes it twice. */
function identityOf(
  {
    environment,
    accountId,
    kind,
    merchantId,
  }: Pick<GivenIdentity, 'environment' | 'accountId' | 'kind' | 'merchantId'>,
  address: string,
  isOfMerchant: boolean,
): GivenIdentity {
  const parts = [environment, accountId, kind, address, ...(isOfMerchant && merchantId !== null ? [merchantId] : [])];
  return { environment, accountId, kind, merchantId, address, endpointId: sha256(JSON.stringify(parts)) };
}

/** What the bound counts together: an origin that a merchant brought to callbacks of one account and kind. */
function boundOf({ environment, accountId, kind, merchantId, address }: GivenIdentity): string {
  return `${environment} ${kind} ${accountId} ${originKey(address, merchantId)}`;
}

/** It has no secrets of its own: those of the account's endpoint of that kind sign. */
function givenEndpoint({ environment, accountId, kind, merchantId, address, endpointId }: GivenIdentity, now: Date) {
  return {
    environment,
    accountId,
    kind,
    address,
    origin: originOf(address),
    addressKey: `${originKey(address, merchantId)}-${endpointId}`,
    authorization: null,
    secrets: [],
    health: healthy(now),
    lease: freeLease,
    createdAt: now,
    version: 1,
    sequence: 0,
  };
}
