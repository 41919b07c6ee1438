// One leader at a time for work that must not run twice: a lease in MongoDB with a fencing number, timed by the database's own clock.
import type { Binary, ClientSession, Collection } from 'mongodb';
import type { Connection } from 'mongoose';
import { newId } from '../subgraphs/shared/ids';
import { processName } from '../subgraphs/shared/process-name';
import { collectionOf } from '../subgraphs/shared/store/collection-of';
import { isDatabaseUnavailable } from '../subgraphs/shared/store/mongo';
import { prepareCollection } from '../subgraphs/shared/store/prepare-collection';
import { absentOrNull, storedSchema, storedText, there } from '../subgraphs/shared/store/stored-schema';

interface LeaseRecord {
  _id: string;
  /** Machine and process for whoever wants to know who leads, and an id that no other lease has. */
  owner: string;
  until: Date;
  fence: number;
  /** The database session of the holder's transactions. */
  session?: Binary | null;
  /** Of no lease, but of who share some work: until when each is counted on. */
  members?: Record<string, Date>;
}

const collection = 'leases';
const schema = storedSchema<LeaseRecord>(collection, {
  _id: storedText,
  owner: storedText,
  until: there(Date),
  fence: there(Number),
  session: absentOrNull(Buffer),
  members: { type: Map, of: Date, default: undefined },
});

export function prepareLeases(connection: Connection): Promise<void> {
  return prepareCollection(connection, schema);
}

function leasesOf(connection: Connection): Collection<LeaseRecord> {
  return collectionOf<LeaseRecord>(connection, collection);
}

/** One holder's time, under a number and with a database session that nobody else has. */
export interface Reign {
  fence: number;
  session: ClientSession;
}

export interface Lease {
  /** The fencing number while this process leads, else null. Takes or renews the lease; rejects when the database is away. */
  hold(): Promise<number | null>;
  /**
   * Begins a reign, null while another holds the lease. Also one's own former reign is over then, and what the former holder left open in the
   * database is ended: a transaction without its process would keep everybody from what it wrote to, for a minute.
   */
  take(): Promise<Reign | null>;
  /** False when that reign is over. */
  renew(fence: number): Promise<boolean>;
  /** Lets another process take over at once. */
  release(): Promise<void>;
}

/** The lease of that name, lasting `ttlMs` beyond each `hold` or `renew`. */
export function createLease(connection: Connection, name: string, ttlMs: number): Lease {
  const client = connection.getClient();
  const leases = leasesOf(connection);
  const owner = `${processName} ${newId()}`;
  const isMine = { $eq: ['$owner', owner] };
  const until = { $add: ['$$NOW', ttlMs] };
  const free = { _id: name, $expr: { $or: [isMine, { $lte: ['$until', '$$NOW'] }] } };
  let isKnown = false;

  async function beKnown(): Promise<void> {
    if (!isKnown) await addRecord(leases, name);
    isKnown = true;
  }

  return {
    async hold() {
      await beKnown();
      const fence = { $cond: [isMine, '$fence', { $add: ['$fence', 1] }] };
      const held = await leases.findOneAndUpdate(free, [{ $set: { owner, until, fence } }], {
        returnDocument: 'after',
      });
      return held?.fence ?? null;
    },
    async take() {
      await beKnown();
      const former = await leases.findOne(free);
      if (!former) return null;
      if (former.session) await endSession(connection, former.session);
      // Never given back to the driver, whatever becomes of the reign: whoever got it next would be ended in its place.
      const session = client.startSession();
      const mine = { owner, until, fence: { $add: ['$fence', 1] }, session: session.id?.id };
      const taken = await leases.findOneAndUpdate(free, [{ $set: mine }], { returnDocument: 'after' });
      return taken && { fence: taken.fence, session };
    },
    async renew(fence) {
      const { matchedCount } = await leases.updateOne({ _id: name, owner, fence }, [{ $set: { until } }]);
      return matchedCount === 1;
    },
    async release() {
      await leases.updateOne({ _id: name, owner }, { $set: { owner: '', until: new Date(0) } });
    },
  };
}

/** Ends what is open in that session. A database user that may not do so has to wait until MongoDB does it. */
async function endSession(connection: Connection, id: Binary): Promise<void> {
  const admin = connection.getClient().db('admin');
  await admin.command({ killSessions: [{ id }] }).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) throw error;
  });
}

async function addRecord(leases: Collection<LeaseRecord>, name: string): Promise<void> {
  await leases.insertOne({ _id: name, owner: '', until: new Date(0), fence: 0 }).catch((error: { code?: number }) => {
    if (error.code !== 11000) throw error;
  });
}

const nobody = { owner: '', until: new Date(0), fence: 0 } as const;

/** Who is there to share some work, by the database's own clock: each says so again before its time is over. */
export function createMembership(connection: Connection, name: string, ttlMs: number) {
  const leases = leasesOf(connection);
  const own = newId();
  const others = {
    $filter: {
      input: { $objectToArray: { $ifNull: ['$members', {}] } },
      cond: { $and: [{ $gt: ['$$this.v', '$$NOW'] }, { $ne: ['$$this.k', own] }] },
    },
  };
  const put = async (mine: object[]): Promise<number> => {
    const members = { $arrayToObject: { $concatArrays: [others, mine] } };
    const stored = await leases.findOneAndUpdate({ _id: name }, [{ $set: { members, ...nobody } }], {
      upsert: true,
      returnDocument: 'after',
    });
    return Object.keys(stored?.members ?? {}).length;
  };
  return {
    /** Resolves with how many there are. */
    stay: () => put([{ k: own, v: { $add: ['$$NOW', ttlMs] } }]),
    leave: () => put([]),
  };
}

/** Whether anybody holds one of the leases `<prefix>:...` now. */
export async function isAnyHeld(connection: Connection, prefix: string): Promise<boolean> {
  const leases = leasesOf(connection);
  // The character behind ':' in the order of texts.
  const names = { $gte: `${prefix}:`, $lt: `${prefix};` };
  return (await leases.findOne({ _id: names, $expr: { $gt: ['$until', '$$NOW'] } })) !== null;
}

/** Whether anybody holds the lease of that name now. */
export async function isHeld(connection: Connection, name: string): Promise<boolean> {
  return (await leasesOf(connection).findOne({ _id: name, $expr: { $gt: ['$until', '$$NOW'] } })) !== null;
}
