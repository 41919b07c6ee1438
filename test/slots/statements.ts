// What the driver sends to MongoDB, as statements on collections: a command may be several, and a look into another collection is one of its own.
import type { CommandStartedEvent, Document } from 'mongodb';

export interface Statement {
  verb: 'find' | 'aggregate' | 'lookup' | 'update' | 'delete' | 'findAndModify' | 'count' | 'distinct' | 'insert';
  collection: string;
  /** Of an insert empty. */
  filter: Document;
  /** What an update does, or an insert adds. */
  written: Document[];
  /** The whole command, or the stage of a look into another collection. */
  command: Document;
  /** Of statements of one transaction the same; null outside. */
  transaction: string | null;
}

type Parts = Pick<Statement, 'verb' | 'filter'> & Partial<Pick<Statement, 'collection' | 'written' | 'command'>>;
type Read = (command: Document) => Parts[];

const readers: Readonly<Record<string, Read>> = {
  find: ({ filter }) => [{ verb: 'find', filter: filter ?? {} }],
  count: ({ query }) => [{ verb: 'count', filter: query ?? {} }],
  distinct: ({ query }) => [{ verb: 'distinct', filter: query ?? {} }],
  delete: ({ deletes }) => list(deletes).map(({ q }) => ({ verb: 'delete', filter: q })),
  update: ({ updates }) => list(updates).map(({ q, u }) => ({ verb: 'update', filter: q, written: list(u) })),
  findAndModify: ({ query, update }) => [{ verb: 'findAndModify', filter: query ?? {}, written: list(update) }],
  insert: ({ documents }) => [{ verb: 'insert', filter: {}, written: list(documents) }],
  aggregate: ({ pipeline }) => [{ verb: 'aggregate', filter: firstMatch(pipeline) }, ...lookedIn(pipeline)],
};

export function statementsOf({ commandName, command }: Pick<CommandStartedEvent, 'commandName' | 'command'>) {
  const transaction = command['autocommit'] === false ? `${command['lsid'].id}:${command['txnNumber']}` : null;
  const parts = readers[commandName]?.(command) ?? [];
  const own = { collection: String(command[commandName]), command, written: [], transaction };
  return parts.map((part): Statement => ({ ...own, ...part }));
}

/** Those that such a look makes of its own among them. */
function lookedIn(pipeline: unknown): Parts[] {
  return list(pipeline).flatMap(({ $lookup }) => ($lookup ? [looked($lookup), ...lookedIn($lookup.pipeline)] : []));
}

function looked($lookup: Document): Parts {
  const { from, pipeline } = $lookup;
  return { verb: 'lookup', collection: from, filter: firstMatch(pipeline), command: $lookup };
}

function firstMatch(pipeline: unknown): Document {
  return list(pipeline)[0]?.['$match'] ?? {};
}

function list(value: unknown): Document[] {
  return value === undefined ? [] : ([value].flat() as Document[]);
}
