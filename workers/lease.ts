// One leader at a time for work that must not run twice: a lease in MongoDB with a fencing number, timed by the database's own clock.
import type { Collection } from 'mongodb';
import type { Connection } from 'mongoose';
import { newId } from '../subgraphs/shared/ids';

interface LeaseRecord {
  _id: string;
  owner: string;
  until: Date;
  fence: number;
}

export interface Lease {
  /** The fencing number while this process leads, else null. Takes or renews the lease; rejects when the database is away. */
  hold(): Promise<number | null>;
  /** Lets another process take over at once. */
  release(): Promise<void>;
}

/** The lease of that name, lasting `ttlMs` beyond each `hold`. */
export function createLease(connection: Connection, name: string, ttlMs: number): Lease {
  const leases = connection.getClient().db(connection.name).collection('leases') as unknown as Collection<LeaseRecord>;
  const owner = newId();
  let isKnown = false;

  return {
    async hold() {
      if (!isKnown) {
        await addRecord(leases, name);
        isKnown = true;
      }
      const isMine = { $eq: ['$owner', owner] };
      const mine = {
        owner,
        until: { $add: ['$$NOW', ttlMs] },
        fence: { $cond: [isMine, '$fence', { $add: ['$fence', 1] }] },
      };
      const held = await leases.findOneAndUpdate(
        { _id: name, $expr: { $or: [isMine, { $lte: ['$until', '$$NOW'] }] } },
        [{ $set: mine }],
        { returnDocument: 'after' },
      );
      return held?.fence ?? null;
    },
    async release() {
      await leases.updateOne({ _id: name, owner }, { $set: { owner: '', until: new Date(0) } });
    },
  };
}

async function addRecord(leases: Collection<LeaseRecord>, name: string): Promise<void> {
  await leases.insertOne({ _id: name, owner: '', until: new Date(0), fence: 0 }).catch((error: { code?: number }) => {
    if (error.code !== 11000) throw error;
  });
}

/** Whether anybody holds the lease of that name now. */
export async function isHeld(connection: Connection, name: string): Promise<boolean> {
  const leases = connection.getClient().db(connection.name).collection('leases') as unknown as Collection<LeaseRecord>;
  return (await leases.findOne({ _id: name, $expr: { $gt: ['$until', '$$NOW'] } })) !== null;
}
