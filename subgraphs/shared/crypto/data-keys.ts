// The data keys of one family: each owner's, in versions, wrapped by the family's key-encryption key. New values take the newest; older versions open what they sealed.
import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { DomainError } from '../errors';
import { inBatches } from '../store/batcher';
import { collectionOf } from '../store/collection-of';
import { prepareCollection } from '../store/prepare-collection';
import { findAll } from '../store/reading';
import { orNull, storedPart, storedSchema, storedText, there } from '../store/stored-schema';
import type { Ciphertext, KeyPair } from './key-encryption';
import type { KeyFamily } from './sealed-fields';

/** `1`: what a key of before 0.4 sealed is bound to its owner alone; such a key seals nothing any more. `2`: bound to owner and field. */
type KeyFormat = 1 | 2;

export interface DataKey {
  version: number;
  format: KeyFormat;
  bytes: Buffer;
}

export interface WrappedKey {
  _id: string;
  owner: string;
  version: number;
  format: KeyFormat;
  createdAt: Date;
  /** Id of the key-encryption key that wrapped it. */
  wrappedBy: string;
  /** null: the owner's keys were destroyed, and nothing is sealed for it any more. */
  wrapped: Ciphertext | null;
}

export interface DataKeys {
  /** The key that new values of that owner are sealed with. */
  newest(owner: string): Promise<DataKey>;
  /** Rejects with a plain Error when there never was such a key. Both refuse with `invalidState` when the owner's keys were destroyed. */
  find(owner: string, version: number): Promise<DataKey>;
  rotate(owner: string): Promise<void>;
  rewrap(): Promise<number>;
  destroy(owner: string): Promise<number>;
  owners(): Promise<string[]>;
  /** The collection with its validator; before the first key. */
  prepare(): Promise<void>;
}

/** How long a process goes on with what it read: so long after a rotation or a destruction the former state lasts. */
const readKeptMs = 1_000;
/** Above every version of a key. */
const destroyedVersion = 2 ** 31;
const dayMs = 24 * 3_600_000;
/** A key older than this is followed by a new one when something is sealed. */
const sealingDaysMax = 365;

export function dataKeyCollection(family: KeyFamily): string {
  return `data_keys_${family}`;
}

function schemaOf(family: KeyFamily) {
  const schema = storedSchema<WrappedKey>(dataKeyCollection(family), {
    _id: storedText,
    owner: storedText,
    version: there(Number),
    format: there(Number),
    createdAt: there(Date),
    wrappedBy: storedText,
    wrapped: orNull(storedPart<Ciphertext>({ iv: storedText, ciphertext: storedText, tag: storedText })),
  });
  schema.index({ owner: 1, version: 1 });
  return schema;
}

/** All of an owner, found by the range of their ids, whatever else is in the collection. */
function keysOf(owner: string) {
  // The character behind the colon ends the range; an owner's name may go on behind a colon itself.
  return { _id: { $gt: `${owner}:`, $lt: `${owner};` }, owner };
}

/** What a wrapped key is authenticated with: moved to another owner, version or family it does not unwrap. */
export function boundTo(
  family: KeyFamily,
  { owner, version, format }: Pick<WrappedKey, 'owner' | 'version' | 'format'>,
) {
  return JSON.stringify(['data key', family, owner, version, format]);
}

export function createDataKeys(connection: Connection, family: KeyFamily, { current, previous }: KeyPair): DataKeys {
  const collection = collectionOf<WrappedKey>(connection, dataKeyCollection(family));
  const opened = new Map<string, DataKey>();
  const newestOf = new Map<string, { record: Promise<WrappedKey>; readAtMs: number }>();

  async function unwrap(record: WrappedKey): Promise<DataKey> {
    const known = opened.get(record._id);
    if (known) return known;
    const key = [current, previous].find((each) => each?.id === record.wrappedBy);
    if (!key || !record.wrapped)
      throw new Error(
        `data key ${record._id} of ${family} was wrapped by a key-encryption key that is not configured (${record.wrappedBy})`,
      );
    const { version, format } = record;
    const dataKey = { version, format, bytes: await key.unwrap(record.wrapped, boundTo(family, record)) };
    opened.set(record._id, dataKey);
    return dataKey;
  }

  /** Whoever comes while it is read waits for the same answer. */
  function readNewest(owner: string): Promise<WrappedKey> {
    const known = newestOf.get(owner);
    if (known && Date.now() - known.readAtMs < readKeptMs) return known.record;
    const record = loadNewest(owner);
    newestOf.set(owner, { record, readAtMs: Date.now() });
    record.catch(() => newestOf.delete(owner));
    return record;
  }

  /** Owners that are asked for at once share one query: whoever signs for thousands of accounts needs thousands of keys. */
  const findNewest = inBatches<string, WrappedKey | null>(
    async (owners) => {
      const found = await findAll(collection, { owner: { $in: [...owners] } }, { sort: { owner: 1, version: 1 } });
      const newest = new Map(found.map((record) => [record.owner, record]));
      return owners.map((owner) => newest.get(owner) ?? null);
    },
    { sizeMax: 256, inFlightMax: 4, gatherMsMax: 0 },
  );

  async function loadNewest(owner: string): Promise<WrappedKey> {
    const record = await findNewest(owner);
    if (record && record.version === destroyedVersion) {
      for (const id of opened.keys()) if (id.startsWith(`${owner}:`)) opened.delete(id);
      throw new DomainError('invalidState', 'The data of this account was destroyed.');
    }
    return record ?? (await addKey(owner, 1));
  }

  /** Inserts the data key of that version; when another process was first, its key counts. */
  async function addKey(owner: string, version: number): Promise<WrappedKey> {
    const shape = { _id: `${owner}:${version}`, owner, version, format: 2 as const, createdAt: new Date() };
    const wrapped = await current.wrap(randomBytes(32), boundTo(family, shape));
    const record: WrappedKey = { ...shape, wrappedBy: current.id, wrapped };
    const isFirst = await collection.insertOne(record).then(
      () => true,
      (error: { code?: number }) => {
        if (error.code !== 11000) throw error;
        return false;
      },
    );
    const kept = isFirst ? record : await collection.findOne({ _id: record._id });
    if (!kept) throw new Error(`data key ${record._id} of ${family} vanished`);
    return kept;
  }

  async function rotate(owner: string): Promise<void> {
    newestOf.delete(owner);
    const { version } = await readNewest(owner);
    await addKey(owner, version + 1);
    newestOf.delete(owner);
  }

  function isWorn({ format, createdAt, owner }: WrappedKey): boolean {
    // What was hashed under a key is found by that key alone.
    if (owner.startsWith('hash:')) return false;
    return format === 1 || Date.now() - createdAt.getTime() > sealingDaysMax * dayMs;
  }

  return {
    async newest(owner) {
      const record = await readNewest(owner);
      if (!isWorn(record)) return unwrap(record);
      await rotate(owner);
      return unwrap(await readNewest(owner));
    },
    async find(owner, version) {
      const newest = await readNewest(owner);
      const known = opened.get(`${owner}:${version}`);
      if (known) return known;
      const record = newest.version === version ? newest : await collection.findOne({ _id: `${owner}:${version}` });
      if (!record) throw new Error(`data key ${owner}:${version} of ${family} does not exist`);
      return unwrap(record);
    },
    rotate,
    async rewrap() {
      let count = 0;
      for await (const record of collection.find({ wrapped: { $ne: null }, wrappedBy: { $ne: current.id } })) {
        const { bytes } = await unwrap(record);
        const wrapped = await current.wrap(bytes, boundTo(family, record));
        const { _id, wrappedBy } = record;
        await collection.updateOne({ _id, wrappedBy }, { $set: { wrapped, wrappedBy: current.id } });
        count += 1;
      }
      return count;
    },
    async destroy(owner) {
      const mark = { owner, version: destroyedVersion, format: 2 as const, createdAt: new Date() };
      // First the mark, so that nobody makes a new key in between; and keys once more, for who was about to.
      await collection.updateOne(
        { _id: `${owner}:destroyed` },
        { $setOnInsert: { ...mark, wrappedBy: '', wrapped: null } },
        { upsert: true },
      );
      newestOf.delete(owner);
      for (const id of opened.keys()) if (id.startsWith(`${owner}:`)) opened.delete(id);
      return (await collection.deleteMany({ ...keysOf(owner), version: { $lt: destroyedVersion } })).deletedCount;
    },
    owners: () => collection.distinct('owner', { wrapped: { $ne: null } }),
    prepare: () => prepareCollection(connection, schemaOf(family)),
  };
}
