// What a stretch of work cost the database, as the database itself counts it: commands, transactions, bytes at rest.
import type { Db, Document, MongoClient } from 'mongodb';

/** Commands that nobody sends for a payment: heartbeats, sign-on, and the questions of the meter itself. */
const background = new Set(
  'hello isMaster ping buildInfo serverStatus collStats listCollections fsync connectionStatus endSessions saslStart saslContinue getParameter'.split(
    ' ',
  ),
);

export interface Count {
  commands: number;
  transactions: number;
  /** By name. */
  each: Record<string, number>;
}

export async function countOf(database: MongoClient): Promise<Count> {
  const status = await database.db('admin').command({ serverStatus: 1 });
  const counted = Object.entries(status['metrics'].commands as Record<string, Document>).flatMap(([name, count]) =>
    background.has(name) || typeof count !== 'object' ? [] : [[name, Number(count['total'])] as const],
  );
  return {
    commands: counted.reduce((sum, [, total]) => sum + total, 0),
    transactions: Number(status['transactions'].totalCommitted),
    each: Object.fromEntries(counted),
  };
}

export function countedSince(before: Count, after: Count): Count {
  const grown = Object.entries(after.each).map(([name, total]) => [name, total - (before.each[name] ?? 0)] as const);
  return {
    commands: after.commands - before.commands,
    transactions: after.transactions - before.transactions,
    each: Object.fromEntries(grown.filter(([, total]) => total > 0)),
  };
}

/** Bytes on the disk, of documents and of indexes, by collection; of each index by its name. */
export type Bytes = Record<string, { documents: number; indexes: number; each: Record<string, number> }>;

/** After everything was written to the disk. */
export async function bytesOf(database: Db): Promise<Bytes> {
  await database.admin().command({ fsync: 1 });
  const names = await database.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  const stats = names.map(async ({ name }) => {
    const found = await database.command({ collStats: name });
    const documents = Number(found['storageSize']) - Number(found['freeStorageSize'] ?? 0);
    const files = Object.entries(found['indexDetails'] as Record<string, Document>);
    const each = Object.fromEntries(files.map(([index, file]) => [index, usedOf(file['block-manager'])]));
    const indexes = Object.values(each).reduce((sum, bytes) => sum + bytes, 0);
    return [name, { documents, indexes, each }] as const;
  });
  return Object.fromEntries(await Promise.all(stats));
}

/** Of a file, without what the next writes go to: an index of what waits keeps such room, however little waits. */
function usedOf(file: Document): number {
  return Number(file['file size in bytes']) - Number(file['file bytes available for reuse']);
}

/** How much each collection has grown. */
export function grownSince(before: Bytes, after: Bytes): Bytes {
  const grown = Object.entries(after).map(([name, { documents, indexes, each }]) => {
    const former = before[name] ?? { documents: 0, indexes: 0, each: {} };
    const ofIndexes = Object.entries(each).map(([index, bytes]) => [index, bytes - (former.each[index] ?? 0)]);
    const grownBy = { documents: documents - former.documents, indexes: indexes - former.indexes };
    return [name, { ...grownBy, each: Object.fromEntries(ofIndexes) as Record<string, number> }] as const;
  });
  return Object.fromEntries(grown);
}
