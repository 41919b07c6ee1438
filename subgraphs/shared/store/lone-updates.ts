// Units that are one conditional update and nothing else: atomic by themselves, so no transaction is needed; signed ones share a round trip with strangers.
import { type Document, MongoBulkWriteError } from 'mongodb';
import type { Connection } from 'mongoose';
import { inBatches } from './batcher';
import { collectionOf } from './collection-of';
import { findAll } from './find-all';
import { databaseUnavailable, isDatabaseUnavailable } from './mongo';
import { ofSlotOfIds } from './of-slot';
import { type UpdateWrite, WriteConflict } from './unit-of-work';

type SignedUpdate = UpdateWrite & Required<Pick<UpdateWrite, 'sign'>>;

const durable = { writeConcern: { w: 'majority', journal: true } } as const;

/** Resolves as a commit does: as durable, repeated by the driver without a second effect. Rejects with WriteConflict, or DomainError('unavailable'). */
export function createLoneUpdates(connection: Connection): (write: UpdateWrite) => Promise<void> {
  const shared = new Map<string, (write: SignedUpdate) => Promise<boolean>>();

  function sharedOf(name: string) {
    const known = shared.get(name) ?? inBatches<SignedUpdate, boolean>((writes) => makeTogether(connection, writes));
    shared.set(name, known);
    return known;
  }

  return async (write) => {
    try {
      // Whoever was kept out learns by itself what did it.
      const isMade = isSigned(write) && (await sharedOf(write.collection)(write));
      if (!isMade) await makeAlone(connection, write);
    } catch (error) {
      throw isDatabaseUnavailable(error) ? databaseUnavailable() : error;
    }
  };
}

function isSigned(write: UpdateWrite): write is SignedUpdate {
  return write.sign !== undefined;
}

async function makeAlone(connection: Connection, { collection, filter, update }: UpdateWrite): Promise<void> {
  const options = { ...durable, ...hintFor(filter) };
  const { matchedCount } = await collectionOf(connection, collection).updateOne(filter, update, options);
  if (matchedCount !== 1) throw new WriteConflict(`${collection}: the conditional update matched nothing`);
}

/** Of one collection, none of which makes another wait or fail: which of them were made. Where their number leaves it open, their signs tell. */
async function makeTogether(connection: Connection, writes: readonly SignedUpdate[]): Promise<boolean[]> {
  const records = collectionOf<Document & { _id: string }>(connection, (writes[0] as SignedUpdate).collection);
  const operations = writes.map(({ filter, update }) => ({ updateOne: { filter, update, ...hintFor(filter) } }));
  try {
    const { matchedCount } = await records.bulkWrite(operations as never, { ordered: false, ...durable });
    if (matchedCount === writes.length) return writes.map(() => true);
  } catch (error) {
    // Some were refused for what they are; any other failure is of all of them.
    if (!(error instanceof MongoBulkWriteError) || [error.writeErrors].flat().length === 0) throw error;
  }
  const ids = writes.map(({ filter }) => String(filter['_id']));
  const found = await findAll(records, { _id: { $in: ids }, ...ofSlotOfIds(ids) });
  const byId = new Map(found.map((document) => [document._id, document]));
  return writes.map(({ filter, sign }) => byId.get(String(filter['_id']))?.[sign.member] === sign.value);
}

/** What names one document is found by its id: left to choose, MongoDB weighs every index that could lead to the other fields, anew for each statement. */
export function hintFor({ _id }: UpdateWrite['filter']): { hint?: { _id: 1 } } {
  return typeof _id === 'string' ? { hint: { _id: 1 } } : {};
}
