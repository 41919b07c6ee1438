// The chain over the audit in MongoDB: marks of records that wait for their entry, entries, and the signed heads of days.
import type { Connection } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { collectionOf } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { storedSchema, storedText, there } from '../../shared/store/stored-schema';
import { inOneTransaction } from '../../shared/store/transaction';
import { auditCollection, auditMarksCollection } from './audit';
import type { ChainEntry, DayHead } from './audit-chain';

/** Stands from a record's own transaction until its entry's. */
export interface AuditMark {
  _id: string;
  environment: Environment;
  at: Date;
}

const markSchema = storedSchema<AuditMark>(auditMarksCollection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  at: there(Date),
});
markSchema.index({ environment: 1, at: 1, _id: 1 });

const chainSchema = storedSchema<ChainEntry & { _id: string }>('audit_chain', {
  _id: storedText,
  environment: there(String, { enum: environments }),
  sequence: there(Number),
  auditId: storedText,
  recordHash: storedText,
  previous: storedText,
  chainedAt: there(Date),
  hash: storedText,
});
chainSchema.index({ environment: 1, sequence: 1 }, { unique: true });
chainSchema.index({ auditId: 1 }, { unique: true });

const headSchema = storedSchema<DayHead & { _id: string }>('audit_heads', {
  _id: storedText,
  environment: there(String, { enum: environments }),
  day: storedText,
  sequence: there(Number),
  hash: storedText,
  signature: storedText,
});
headSchema.index({ environment: 1, day: 1 }, { unique: true });

export type StoredAuditRecord = { _id: string; environment: Environment } & Record<string, unknown>;

export type AuditChainRepository = ReturnType<typeof createAuditChainRepository>;

export function createAuditChainRepository(connection: Connection) {
  const records = collectionOf<StoredAuditRecord>(connection, auditCollection);
  const marks = collectionOf<AuditMark>(connection, auditMarksCollection);
  const chain = collectionOf<ChainEntry & { _id: string }>(connection, 'audit_chain');
  const heads = collectionOf<DayHead & { _id: string }>(connection, 'audit_heads');
  const withoutId = { projection: { _id: 0 } } as const;

  return {
    /** The oldest marks. */
    waiting: (environment: Environment, limit: number): Promise<AuditMark[]> =>
      reading(findAll(marks, { environment }, { sort: { at: 1, _id: 1 }, limit })),
    /** Of these the one that has waited longest. */
    stillWaiting: async (auditIds: readonly string[]): Promise<string | null> =>
      (await reading(marks.findOne({ _id: { $in: [...auditIds] } }, { sort: { at: 1 } })))?._id ?? null,
    /** As they are stored, whatever stands in them. */
    async records(auditIds: readonly string[]): Promise<Map<string, StoredAuditRecord>> {
      const found = await reading(findAll(records, { _id: { $in: [...auditIds] } }));
      return new Map(found.map((record) => [record._id, record]));
    },
    lastEntry: (environment: Environment): Promise<ChainEntry | null> =>
      reading(chain.findOne({ environment }, { ...withoutId, sort: { sequence: -1 } })),
    firstEntry: (environment: Environment): Promise<ChainEntry | null> =>
      reading(chain.findOne({ environment }, { ...withoutId, sort: { sequence: 1 } })),
    /** In order, from behind `after`. */
    entries: (environment: Environment, after: number, limit: number): Promise<ChainEntry[]> =>
      reading(
        findAll(chain, { environment, sequence: { $gt: after } }, { ...withoutId, sort: { sequence: 1 }, limit }),
      ),
    entry: (environment: Environment, sequence: number): Promise<ChainEntry | null> =>
      reading(chain.findOne({ environment, sequence }, withoutId)),
    /** Which of these records have an entry among those that are walked in order. */
    async chained(environment: Environment, auditIds: readonly string[]): Promise<Set<string>> {
      const filter = { auditId: { $in: [...auditIds] }, environment, sequence: { $gte: 1 } };
      const found = await reading(findAll(chain, filter, { projection: { auditId: 1 } }));
      return new Set(found.map(({ auditId }) => auditId));
    },
    /** A record whose id is no text: none of ours. */
    strangeRecord: async (environment: Environment): Promise<string | null> => {
      const filter = { environment, _id: { $not: { $type: 'string' } } };
      const found = await reading(records.findOne(filter as never));
      return found && String(found['_id']);
    },
    /** Ids of records by id, from behind `after`. */
    async recordIds(environment: Environment, after: string, limit: number): Promise<string[]> {
      const found = await reading(
        findAll(records, { environment, _id: { $gt: after } }, { projection: { _id: 1 }, sort: { _id: 1 }, limit }),
      );
      return found.map(({ _id }) => _id);
    },
    lastHead: (environment: Environment): Promise<DayHead | null> =>
      reading(heads.findOne({ environment }, { ...withoutId, sort: { day: -1 } })),
    heads: (environment: Environment): Promise<DayHead[]> =>
      reading(findAll(heads, { environment }, { ...withoutId, sort: { day: 1 } })),
    /** Ends marks of records that have their entry. */
    async unmark(auditIds: readonly string[]): Promise<void> {
      if (auditIds.length > 0) await marks.deleteMany({ _id: { $in: [...auditIds] } });
    },
    /** Heads and entries with the end of their marks, all or nothing. False: another leader was faster. */
    async append(entries: readonly ChainEntry[], newHeads: readonly DayHead[]): Promise<boolean> {
      const append = inOneTransaction(
        connection,
        async (session) => {
          const options = { session, ordered: true };
          if (newHeads.length > 0)
            await heads.insertMany(
              newHeads.map((head) => ({ _id: `${head.environment}:${head.day}`, ...head })),
              options,
            );
          if (entries.length === 0) return;
          const numbered = entries.map((entry) => ({ _id: `${entry.environment}:${entry.sequence}`, ...entry }));
          await chain.insertMany(numbered, options);
          await marks.deleteMany({ _id: { $in: entries.map(({ auditId }) => auditId) } }, { session });
        },
        () => true,
      );
      return append.then(
        () => true,
        (error: { code?: unknown }) => {
          if (error.code === 11000) return false;
          throw error;
        },
      );
    },
    /** Marks for every record of a release that had no chain; does nothing where a chain has begun. Returns how many. */
    async adopt(environment: Environment): Promise<number> {
      const [entry, head] = [await chain.findOne({ environment }), await heads.findOne({ environment })];
      if (entry || head) return 0;
      const before = await marks.countDocuments({ environment });
      const mark = [{ $match: { environment } }, { $project: { environment: 1, at: 1 } }];
      const into = { $merge: { into: auditMarksCollection, whenMatched: 'keepExisting', whenNotMatched: 'insert' } };
      await records.aggregate([...mark, into]).toArray();
      return (await marks.countDocuments({ environment })) - before;
    },
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, markSchema);
      await prepareCollection(connection, chainSchema);
      await prepareCollection(connection, headSchema);
    },
  };
}
