// The audit trail in MongoDB, newest first; records are written by the changes themselves and never change.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, environments, tenantFilter } from '../../shared/callers/caller';
import { alongTime, type Slice, type TimePlace } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { withoutAbsent } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { anyOf, between } from '../../shared/store/conditions';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import {
  absentOr,
  absentOrNull,
  maybeText,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import { type AuditRecord, auditCollection } from './audit';
import type { AuditFilter } from './audit-filter';

type StoredAudit = Omit<AuditRecord, 'auditId'> & {
  _id: string;
  /** The tenant that the actor belongs to; null: staff, or the platform itself. Absent in records of a release before. */
  actorAccountId?: string | null;
};

const schema = storedSchema<StoredAudit>(auditCollection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: maybeText,
  at: there(Date),
  actor: storedText,
  actorAccountId: absentOrNull(String),
  // What records of a former release lack may be absent.
  claimedActor: absentOr(String),
  requestId: storedText,
  address: absentOrNull(String),
  count: absentOr(Number),
  action: storedText,
  subjectType: storedText,
  subjectId: storedText,
  changes: there([storedPart<StoredAudit['changes'][number]>({ field: storedText, from: maybeText, to: maybeText })]),
});
schema.index({ environment: 1, at: -1, _id: -1 });
// In the order in which they are chained.
schema.index({ environment: 1, _id: 1 });
schema.index({ environment: 1, accountId: 1, at: -1, _id: -1 });
schema.index({ environment: 1, subjectId: 1, at: -1, _id: -1 });
schema.index({ environment: 1, actor: 1, at: -1, _id: -1 });
schema.index({ environment: 1, action: 1, at: -1, _id: -1 });

export interface AuditRepository {
  /** Newest first. */
  list(caller: Caller, filter: AuditFilter, slice: Slice<TimePlace>): Promise<Page<AuditRecord>>;
  /** Those of the ids that the caller may see. */
  find(caller: Caller, auditIds: readonly string[]): Promise<AuditRecord[]>;
  ensureIndexes(): Promise<void>;
}

export function createAuditRepository(connection: Connection): AuditRepository {
  const records: Model<StoredAudit> = connection.model<StoredAudit>('AuditRecord', schema);
  const listed = collectionOf<StoredAudit>(connection, auditCollection);
  return {
    async list(caller, { from, to, actors, actions, ...same }, slice) {
      const several = anyOf({ actor: actors, action: actions });
      const own = { ...tenantFilter(caller), ...withoutAbsent(same) };
      const filter = { $and: [own, between('at', from, to), ...several] };
      return listPage(listed, { filter, ...alongTime('at', slice) }, (found) => shownTo(caller, found));
    },
    async find(caller, auditIds) {
      const found = records
        .find({ ...tenantFilter(caller), _id: trusted({ $in: [...auditIds] }) })
        .lean<StoredAudit[]>();
      return (await reading(found.exec())).map((record) => shownTo(caller, record));
    },
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}

/** From where staff, or anybody else who is not the tenant's own, called is none of its business. Records of before 0.4 have neither address nor count. */
function shownTo({ accountId }: Caller, { _id, address = null, count = 1, ...stored }: StoredAudit): AuditRecord {
  const { actorAccountId, ...rest } = stored;
  const isOwn = accountId === null || accountId === actorAccountId;
  return { auditId: _id, address: isOwn ? address : null, count, ...rest };
}
