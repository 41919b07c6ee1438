// The lease of one endpoint: one worker at a time serves it, under a fencing number, claims there what it is about to send, and a ring that comes
// meanwhile is never lost. Times of the lease are the database's own, so that no two hosts disagree.
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { reading } from '../../shared/store/reading';
import type { CallbackEndpoint } from './callback-endpoint';
import { type Claim, fromStored, type StoredEndpoint } from './callback-endpoint.repository';
import { collectionOf } from './collection';
import { createUpdateGroup } from './update-group';

export interface HeldEndpoint {
  endpoint: CallbackEndpoint;
  fence: number;
  rings: number;
  isInherited: boolean;
  /** What a former holder that vanished had claimed. */
  inheritedClaims: Claim[];
}

export interface EndpointLeases {
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
   * Releases, claims and all, unless somebody rang since `rings` was read; then it returns the new count and the lease is still held.
   * Null: released or lost.
   */
  release(endpointId: string, fence: number, rings: number): Promise<number | null>;
  /** What is claimed now at these endpoints. */
  claimsAt(endpointIds: readonly string[]): Promise<Claim[]>;
  /** What is claimed now at any endpoint of the caller's. */
  claimsOf(caller: Caller): Promise<Claim[]>;
}

const epoch = new Date(0);
const claimsOnly = { projection: { 'lease.claims': 1 } } as const;

export function createEndpointLeases(connection: Connection): EndpointLeases {
  const endpoints = collectionOf<StoredEndpoint>(connection, 'callback_endpoints');
  const update = createUpdateGroup(connection.getClient().db(connection.name), 'callback_endpoints');
  const claimsIn = (found: readonly StoredEndpoint[]) => found.flatMap(({ lease }) => lease?.claims ?? []);

  return {
    async acquire(endpointId, owner, ttlMs) {
      const taken = {
        owner,
        until: { $add: ['$$NOW', ttlMs] },
        fence: { $add: ['$lease.fence', 1] },
        rings: '$lease.rings',
        isInherited: { $ne: ['$lease.until', epoch] },
        claims: '$lease.claims',
      };
      const rung = { $mergeObjects: ['$lease', { rings: { $add: ['$lease.rings', 1] } }] };
      const found = await endpoints.findOneAndUpdate(
        { _id: endpointId },
        [{ $set: { lease: { $cond: [{ $lte: ['$lease.until', '$$NOW'] }, taken, rung] } } }],
        { returnDocument: 'after' },
      );
      if (found?.lease.owner !== owner) return null;
      const { fence, rings, isInherited, claims } = found.lease;
      return { endpoint: fromStored(found), fence, rings, isInherited, inheritedClaims: claims ?? [] };
    },
    async renew(endpointId, fence, ttlMs) {
      const { matchedCount } = await endpoints.updateOne({ _id: endpointId, 'lease.fence': fence }, [
        { $set: { 'lease.until': { $add: ['$$NOW', ttlMs] } } },
      ]);
      return matchedCount === 1;
    },
    async claim({ endpoint, fence }, claims) {
      const asAcquired = { _id: endpoint.endpointId, 'lease.fence': fence, version: endpoint.version };
      if (await update([{ q: asAcquired, u: { $set: { 'lease.claims': claims } }, multi: false }], 1)) return true;
      return (await endpoints.findOne(asAcquired, { projection: { _id: 1 } })) !== null;
    },
    async release(endpointId, fence, rings) {
      const { matchedCount } = await endpoints.updateOne(
        { _id: endpointId, 'lease.fence': fence, 'lease.rings': rings },
        { $set: { 'lease.until': epoch }, $unset: { 'lease.claims': '' } },
      );
      if (matchedCount === 1) return null;
      const current = await endpoints.findOne({ _id: endpointId, 'lease.fence': fence }, { projection: { lease: 1 } });
      return current?.lease.rings ?? null;
    },
    async claimsAt(endpointIds) {
      const filter = { _id: { $in: [...endpointIds] }, 'lease.claims': { $exists: true } };
      return claimsIn(await reading(endpoints.find(filter, claimsOnly).toArray()));
    },
    async claimsOf(caller) {
      const filter = { ...tenantFilter(caller), 'lease.claims': { $exists: true } };
      return claimsIn(await reading(endpoints.find(filter, claimsOnly).toArray()));
    },
  };
}
