// Group commit: units that arrive while a commit is in flight share the next transaction, one wait for majority and journal. A group that fails falls
// back to one transaction each, so nobody pays for a neighbour. What needs no transaction travels without one.
import type { AnyBulkWriteOperation, ClientSession, Collection, Document } from 'mongodb';
import type { Connection } from 'mongoose';
import { createBatcher } from './batcher';
import { collectionOf } from './collection-of';
import { createLoneUpdates, hintFor } from './lone-updates';
import { databaseUnavailable, isDatabaseUnavailable } from './mongo';
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
