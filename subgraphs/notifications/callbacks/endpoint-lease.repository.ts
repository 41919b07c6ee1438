// The lease of one endpoint: one worker at a time serves it, under a fencing number, claims there what it is about to send, and a wake-up that comes
// meanwhile is never lost. Times of the lease are the database's own, so that no two hosts disagree.

import type { Document } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { withoutUndefined } from '../../shared/present-members';
import { inBatches } from '../../shared/store/batcher';
import { collectionOf, driverDatabase } from '../../shared/store/collection-of';
import { findAll, reading } from '../../shared/store/reading';
import type { CallbackEndpoint } from './callback-endpoint';
import { type Claim, fromStored, type StoredEndpoint } from './stored-endpoint';
import { createUpdateGroup, type UpdateGroup } from './update-group';

export interface HeldEndpoint {
  endpoint: CallbackEndpoint;
  /** Of those who were taken in one write the same, and never used again. */
  owner: string;
  fence: number;
  isInherited: boolean;
  /** What a former holder that vanished had claimed. */
  inheritedClaims: Claim[];
}

/** An endpoint as it was seen before its lease is taken. */
export interface SeenEndpoint {
  endpoint: CallbackEndpoint;
  fence: number;
  /** Nobody holds it, and who held it last has let it go in order. */
  isFree: boolean;
}

/** A free endpoint that shall be served, with what is claimed there at once. */
export interface Wanted {
  seen: SeenEndpoint;
  claims: Claim[];
}

export interface EndpointLeases {
  /** How these endpoints are now, in one query. */
  see(endpointIds: readonly string[]): Promise<SeenEndpoint[]>;
  /**
   * Takes the leases of many free endpoints, and claims there, in one write. Left out are those that are no longer as they were seen: whoever
   * served one since has moved its fencing number, so that what was read of its callbacks after it was seen still holds where it is taken.
   */
  takeFree(wanted: readonly Wanted[], owner: string, ttlMs: number): Promise<HeldEndpoint[]>;
  /** Those of these endpoints that nobody serves now. */
  unserved(endpointIds: readonly string[]): Promise<string[]>;
  /** Takes the lease and returns the endpoint as it is now; null when another holds it (who is told to look again) or it does not exist. */
  acquire(endpointId: string, owner: string, ttlMs: number): Promise<HeldEndpoint | null>;
  /** False when the lease is lost. */
  renew(endpointId: string, fence: number, ttlMs: number): Promise<boolean>;
  /**
   * Writes down, in place of what was there, which attempts are under way or about to begin: one small write for a whole batch.
   * False when the lease is lost, or the endpoint is no longer as it was acquired: then none may begin.
   */
  claim(held: Pick<HeldEndpoint, 'endpoint' | 'fence'>, claims: readonly Claim[]): Promise<boolean>;
  /**
   * Releases, claims and all, unless more wake-ups than `rings` came since it was taken; then it returns the count and the lease is still held.
   * Null: released or lost.
   */
  release(held: Pick<HeldEndpoint, 'endpoint' | 'owner' | 'fence'>, rings: number): Promise<number | null>;
  /** What is claimed now at these endpoints. */
  claimsAt(endpointIds: readonly string[]): Promise<Claim[]>;
  /** What is claimed now at any endpoint of the caller's. */
  claimsOf(caller: Caller): Promise<Claim[]>;
}

const epoch = new Date(0);
const idOnly = { projection: { _id: 1 } } as const;
const ringsOnly = { projection: { 'lease.rings': 1 } } as const;
const claimsOnly = { projection: { 'lease.claims': 1 } } as const;

export function createEndpointLeases(connection: Connection): EndpointLeases {
  const endpoints = collectionOf<StoredEndpoint>(connection, 'callback_endpoints');
  // Apart, so that one that changed nothing makes only those of its own kind look closer.
  const newGroup = () => createUpdateGroup(driverDatabase(connection), 'callback_endpoints');
  const [takes, claims, renewals, releases] = [newGroup(), newGroup(), newGroup(), newGroup()];
  const claimsIn = (found: readonly StoredEndpoint[]) => found.flatMap(({ lease }) => lease?.claims ?? []);

  /** In one command with the writes of others; false when one of them changed nothing, which need not be this one. */
  const write = (group: UpdateGroup, q: Document, u: Document | Document[]) => group([{ q, u, multi: false }], 1);

  /** Those that were taken together and that no wake-up came for are let go by one update: it costs a quarter of one each. */
  const release = inBatches<Release, boolean>(
    async (asked) => {
      const alike = new Map<string, Release[]>();
      for (const one of asked) {
        const key = `${one.owner} ${one.rings}`;
        const known = alike.get(key);
        if (known) known.push(one);
        else alike.set(key, [one]);
      }
      const isExact = await releases(
        [...alike.values()].map((some) => releaseStatement(some)),
        asked.length,
      );
      return asked.map(() => isExact);
    },
    { sizeMax: 512, inFlightMax: 1, gatherMsMax: 0 },
  );

  return {
    async see(endpointIds) {
      const found = await findAll(endpoints, { _id: { $in: [...endpointIds] } });
      return found.map(seenOf);
    },
    async takeFree(wanted, owner, ttlMs) {
      const isExact = await takes(
        wanted.map(({ seen, claims }) => takeStatement(seen, { owner, ttlMs, claims })),
        wanted.length,
      );
      const held = wanted.map(({ seen }) => heldOf(seen, owner));
      if (isExact) return held;
      const own = { _id: { $in: held.map(({ endpoint }) => endpoint.endpointId) }, 'lease.owner': owner };
      const taken = await findAll(endpoints, own, idOnly);
      const ids = new Set(taken.map(({ _id }) => _id));
      return held.filter(({ endpoint }) => ids.has(endpoint.endpointId));
    },
    async unserved(endpointIds) {
      if (endpointIds.length === 0) return [];
      const free = { _id: { $in: [...endpointIds] }, $expr: { $lte: ['$lease.until', '$$NOW'] } };
      const found = await findAll(endpoints, free, { projection: { _id: 1 }, maxTimeMS: 5_000 });
      return found.map(({ _id }) => _id);
    },
    async acquire(endpointId, owner, ttlMs) {
      const taken = {
        owner,
        until: { $add: ['$$NOW', ttlMs] },
        fence: { $add: ['$lease.fence', 1] },
        rings: 0,
        isInherited: { $ne: ['$lease.until', epoch] },
        claims: '$lease.claims',
      };
      const woken = { $mergeObjects: ['$lease', { rings: { $add: ['$lease.rings', 1] } }] };
      const found = await endpoints.findOneAndUpdate(
        { _id: endpointId },
        [{ $set: { lease: { $cond: [{ $lte: ['$lease.until', '$$NOW'] }, taken, woken] } } }],
        { returnDocument: 'after' },
      );
      if (found?.lease.owner !== owner) return null;
      const { fence, isInherited, claims } = found.lease;
      return { endpoint: fromStored(found), owner, fence, isInherited, inheritedClaims: claims ?? [] };
    },
    async renew(endpointId, fence, ttlMs) {
      // What was let go meanwhile stays free.
      const held = { _id: endpointId, 'lease.fence': fence, 'lease.until': { $ne: epoch } };
      if (await write(renewals, held, [{ $set: { 'lease.until': { $add: ['$$NOW', ttlMs] } } }])) return true;
      return (await endpoints.findOne(held, idOnly)) !== null;
    },
    async claim({ endpoint, fence }, claimed) {
      const asAcquired = { _id: endpoint.endpointId, 'lease.fence': fence, version: endpoint.version };
      if (await write(claims, asAcquired, { $set: { 'lease.claims': claimed } })) return true;
      return (await endpoints.findOne(asAcquired, idOnly)) !== null;
    },
    async release({ endpoint, owner, fence }, rings) {
      if (await release({ endpointId: endpoint.endpointId, owner, rings })) return null;
      const held = { _id: endpoint.endpointId, 'lease.fence': fence, 'lease.until': { $ne: epoch } };
      const current = await endpoints.findOne(held, ringsOnly);
      return current?.lease.rings ?? null;
    },
    async claimsAt(endpointIds) {
      const filter = { _id: { $in: [...endpointIds] }, 'lease.claims': { $exists: true } };
      return claimsIn(await reading(findAll(endpoints, filter, claimsOnly)));
    },
    async claimsOf(caller) {
      const filter = { ...tenantFilter(caller), 'lease.claims': { $exists: true } };
      return claimsIn(await reading(findAll(endpoints, filter, claimsOnly)));
    },
  };
}

function seenOf(stored: StoredEndpoint): SeenEndpoint {
  const { fence, until, claims } = stored.lease;
  return { endpoint: fromStored(stored), fence, isFree: until.getTime() === 0 && claims === undefined };
}

/** Found by the id alone, and judged in the update: a filter of several fields costs MongoDB a plan for each statement, and that more than the write. */
function takeStatement(
  { endpoint, fence }: SeenEndpoint,
  { owner, ttlMs, claims }: { owner: string; ttlMs: number; claims: Claim[] },
) {
  const isAsSeen = [
    { $eq: ['$lease.fence', fence] },
    { $eq: ['$lease.until', epoch] },
    { $eq: ['$version', endpoint.version] },
  ];
  const taken = {
    owner: { $literal: owner },
    until: { $add: ['$$NOW', ttlMs] },
    fence: fence + 1,
    rings: 0,
    isInherited: false,
    ...withoutUndefined({ claims: claims.length > 0 ? { $literal: claims } : undefined }),
  };
  const u = [{ $set: { lease: { $cond: [{ $and: isAsSeen }, taken, '$lease'] } } }];
  return { q: { _id: endpoint.endpointId }, u, multi: false };
}

function heldOf({ endpoint, fence }: SeenEndpoint, owner: string): HeldEndpoint {
  return { endpoint, owner, fence: fence + 1, isInherited: false, inheritedClaims: [] };
}

interface Release {
  endpointId: string;
  owner: string;
  rings: number;
}

function releaseStatement(alike: readonly Release[]) {
  const [{ owner, rings } = { owner: '', rings: 0 }] = alike;
  return {
    q: { _id: { $in: alike.map(({ endpointId }) => endpointId) }, 'lease.owner': owner, 'lease.rings': rings },
    u: { $set: { 'lease.until': epoch }, $unset: { 'lease.claims': '' } },
    multi: true,
  };
}
