// The audit trail in MongoDB, newest first; records are written by the changes themselves and never change.
import { type Connection, type Model, Schema } from 'mongoose';
import { type Caller, environments, tenantFilter } from '../../shared/callers/caller';
import { olderThan } from '../../shared/store/older';
import type { Page } from '../../shared/store/page';
import { reading } from '../../shared/store/reading';
import { type AuditRecord, auditCollection } from './audit';

type Stored = Omit<AuditRecord, 'auditId'> & { _id: string };

const required = { required: true } as const;
const schema = new Schema<Stored>(
  {
    _id: { type: String, ...required },
    environment: { type: String, enum: environments, ...required },
    accountId: { type: String, default: null },
    at: { type: Date, ...required },
    actor: { type: String, ...required },
    claimedActor: String,
    requestId: { type: String, ...required },
    address: { type: String, default: null },
    count: { type: Number, default: 1 },
    action: { type: String, ...required },
    subjectType: { type: String, ...required },
    subjectId: { type: String, ...required },
    changes: [new Schema({ field: String, from: String, to: String }, { _id: false })],
  },
  { collection: auditCollection, versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ environment: 1, at: -1, _id: -1 });
schema.index({ environment: 1, accountId: 1, at: -1, _id: -1 });
schema.index({ environment: 1, subjectId: 1, at: -1, _id: -1 });

interface AuditQuery {
  subjectId: string | null;
  size: number;
  /** Place of the last record seen: time in milliseconds, id. */
  after: { atMs: number; id: string } | null;
}

export interface AuditRepository {
  /** Newest first. */
  list(caller: Caller, query: AuditQuery): Promise<Page<AuditRecord>>;
  ensureIndexes(): Promise<void>;
}

export function createAuditRepository(connection: Connection): AuditRepository {
  const records: Model<Stored> = connection.model<Stored>('AuditRecord', schema);
  return {
    async list(caller, { subjectId, size, after }) {
      const isAfter = after ? olderThan('at', { at: new Date(after.atMs), id: after.id }) : {};
      const bySubject = subjectId === null ? {} : { subjectId };
      const found = await reading(
        records
          .find({ ...tenantFilter(caller), ...bySubject, ...isAfter })
          .sort({ at: -1, _id: -1 })
          .limit(size + 1)
          .lean<Stored[]>(),
      );
      // Records of before 0.4 have neither address nor count.
      const items = found.slice(0, size).map(({ _id, address, count, ...rest }) => ({
        ...{ auditId: _id, address: address ?? null, count: count ?? 1 },
        ...rest,
      }));
      return { items, hasNextPage: found.length > size };
    },
    ensureIndexes: () => records.createIndexes(),
  };
}
