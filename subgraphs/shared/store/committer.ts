// Group commit: units that arrive while a commit is in flight share the next transaction, one wait for majority and journal. A group that fails falls
// back to one transaction each, so nobody pays for a neighbour. What needs no transaction travels without one.
import {
  type AnyBulkWriteOperation,
  type ClientSession,
  type Collection,
  type Document,
  MongoBulkWriteError,
} from 'mongodb';
import type { Connection } from 'mongoose';
import { createBatcher, inBatches } from './batcher';
import { collectionOf } from './collection-of';
import { databaseUnavailable, isDatabaseUnavailable } from './mongo';
import { ofSlotOfIds } from './of-slot';
import { findAll } from './reading';
import {
  commitTransaction,
  createRetries,
  isCommitOutcomeUnknown,
  isTransient,
  transactionOptions,
} from './transaction';
import {
  DuplicateKey,
  type InTransaction,
  placeless,
  type UnitOfWork,
  type UpdateWrite,
  WriteConflict,
} from './unit-of-work';

const eventsCollection = 'events';

interface WaitingUnit {
  unit: UnitOfWork;
  resolve(): void;
  reject(error: unknown): void;
}

export interface Committer {
  inTransaction: InTransaction;
  /** Resolves when every unit taken so far has been answered. */
  drain(): Promise<void>;
}

export function createCommitter(connection: Connection): Committer {
  const outside = new Set<Promise<void>>();
  /** Work that no group waits for, but `drain` does. */
  const keep = (work: Promise<void>): Promise<void> => {
    const kept = work.finally(() => outside.delete(kept));
    outside.add(kept);
    return kept;
  };
  const groups = createBatcher<WaitingUnit>(async (group) => {
    for (const member of await commitGroup(connection, group)) void keep(commitAlone(connection, member));
  });
  const lone = createLoneUpdates(connection);

  return {
    inTransaction(unit) {
      const write = onlyUpdateOf(unit);
      if (write) return keep(lone(write));
      return new Promise<void>((resolve, reject) => groups.add({ unit, resolve, reject }));
    },
    async drain() {
      await groups.drain();
      await Promise.allSettled(outside);
    },
  };
}

/** The update of a unit that is nothing else; null for every other unit. */
function onlyUpdateOf({ inserts = [], updates = [], removals = [], events = [] }: UnitOfWork): UpdateWrite | null {
  const [only, second] = updates;
  return only && !second && inserts.length + removals.length + events.length === 0 ? only : null;
}

/** Settles the members of the group, but for those that are to be tried one by one, which it returns; never rejects. */
async function commitGroup(connection: Connection, group: WaitingUnit[]): Promise<WaitingUnit[]> {
  try {
    await commitOnce(
      connection,
      group.map((member) => member.unit),
    );
    for (const member of group) member.resolve();
    return [];
  } catch (error) {
    const isOver = isCommitOutcomeUnknown(error) || (group.length === 1 && !isTransient(error));
    if (!isOver) return group;
    for (const member of group) member.reject(isDatabaseUnavailable(error) ? databaseUnavailable() : error);
    return [];
  }
}

async function commitAlone(connection: Connection, member: WaitingUnit): Promise<void> {
  const shallRetry = createRetries();
  for (;;) {
    try {
      await commitOnce(connection, [member.unit]);
      return member.resolve();
    } catch (error) {
      if (await shallRetry(error)) continue;
      if (isTransient(error) && !isDatabaseUnavailable(error))
        return member.reject(new WriteConflict('the write met others too often'));
      return member.reject(isDatabaseUnavailable(error) ? databaseUnavailable() : error);
    }
  }
}

async function commitOnce(connection: Connection, units: UnitOfWork[]): Promise<void> {
  const session = await connection.getClient().startSession();
  try {
    session.startTransaction(transactionOptions);
    try {
      await writeAll(connection, session, units);
    } catch (error) {
      await session.abortTransaction().catch(() => undefined);
      throw error;
    }
    await commitTransaction(session);
  } finally {
    await session.endSession();
  }
}

async function writeAll(connection: Connection, session: ClientSession, units: UnitOfWork[]): Promise<void> {
  const changes = new Map<string, AnyBulkWriteOperation<Document>[]>();
  const inserts = new Map<string, Document[]>();
  for (const unit of units) {
    for (const { collection, filter, update } of unit.updates ?? [])
      push(changes, collection, { updateOne: { filter, update, ...hintFor(filter) } });
    for (const { collection, filter } of unit.removals ?? [])
      push(changes, collection, { deleteOne: { filter, ...hintFor(filter) } });
    for (const { collection, document, mark, event } of unit.inserts ?? []) {
      push(inserts, collection, document);
      if (mark) push(inserts, mark, { _id: document._id, environment: document['environment'], at: document['at'] });
      if (event) push(inserts, eventsCollection, placeless(event));
    }
    for (const event of unit.events ?? []) push(inserts, eventsCollection, placeless(event));
  }
  for (const [name, operations] of changes) {
    const made = await collectionOf(connection, name).bulkWrite(operations, { session, ordered: true });
    const matched = made.matchedCount + made.deletedCount;
    if (matched !== operations.length)
      throw new WriteConflict(`${name}: ${matched} of ${operations.length} conditional changes matched`);
  }
  for (const [name, documents] of inserts) await insertAll(collectionOf(connection, name), name, documents, session);
}

async function insertAll(
  collection: Collection,
  name: string,
  documents: Document[],
  session: ClientSession,
): Promise<void> {
  try {
    await collection.insertMany(documents, { session, ordered: true });
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string };
    if (code !== 11000) throw error;
    throw new DuplicateKey(name, indexFieldsOf(message ?? ''));
  }
}

const keyMark = 'dup key: {';

/** The fields of the violated index, read from `... index: a_1_b_1 dup key: { a: ..., b: ... }`. */
function indexFieldsOf(message: string): Record<string, unknown> {
  const fields = message.slice(message.indexOf(keyMark) + keyMark.length, message.lastIndexOf('}'));
  return Object.fromEntries([...fields.matchAll(/(?<![A-Za-z_.])[A-Za-z_.]+(?=: )/g)].map(([field]) => [field, 1]));
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

type SignedUpdate = UpdateWrite & Required<Pick<UpdateWrite, 'sign'>>;

const durable = { writeConcern: { w: 'majority', journal: true } } as const;

/**
 * Units that are one conditional update and nothing else: atomic by themselves, so no transaction is needed; signed ones share a round trip with
 * strangers. Resolves as a commit does: as durable, repeated by the driver without a second effect. Rejects with WriteConflict, or
 * DomainError('unavailable').
 */
function createLoneUpdates(connection: Connection): (write: UpdateWrite) => Promise<void> {
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
function hintFor({ _id }: UpdateWrite['filter']): { hint?: { _id: 1 } } {
  return typeof _id === 'string' ? { hint: { _id: 1 } } : {};
}
