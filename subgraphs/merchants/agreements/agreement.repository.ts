// Agreements at rest: one per triple of acquirer, provider and PSP.
import { type Connection, type Model, trusted } from 'mongoose';
import {
  type Caller,
  type Environment,
  environments,
  type TokenizationIdentifiers,
  tenantFilter,
} from '../../shared/callers/caller';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { collectionOf } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { type Agreement, agreementStatuses, schemes } from '../merchant';

type StoredAgreement = Omit<Agreement, 'agreementId'> & { _id: string };

const collection = 'agreements';
const schema = storedSchema<StoredAgreement>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  acquirerId: storedText,
  providerId: storedText,
  pspId: storedText,
  status: there(String, { enum: agreementStatuses }),
  schemes: there([{ type: String, enum: schemes }]),
  createdAt: there(Date),
  version: there(Number),
});
schema.index({ environment: 1, acquirerId: 1, providerId: 1, pspId: 1 }, { unique: true });
schema.index({ environment: 1, accountId: 1, _id: 1 });

export type AgreementRepository = ReturnType<typeof createAgreementRepository>;

export function createAgreementRepository(connection: Connection) {
  const records: Model<StoredAgreement> = connection.model<StoredAgreement>('Agreement', schema);
  const listed = collectionOf<StoredAgreement>(connection, collection);
  const find = (filter: Record<string, unknown>) => records.find(filter);

  return {
    async findMany(caller: Caller, ids: readonly string[]): Promise<Agreement[]> {
      const found = await reading(
        find({ ...tenantFilter(caller), _id: trusted({ $in: ids }) }).lean<StoredAgreement[]>(),
      );
      return found.map(agreementOf);
    },
    /** Without a caller: for the checks that other domains make. */
    async findByIdentifiers(environment: Environment, identifiers: TokenizationIdentifiers): Promise<Agreement | null> {
      const { acquirerId, providerId, pspId } = identifiers;
      const found = await reading(
        records.findOne({ environment, acquirerId, providerId, pspId }).lean<StoredAgreement>(),
      );
      return found && agreementOf(found);
    },
    async list(caller: Caller, slice: Slice<string>): Promise<Page<Agreement>> {
      return listPage(listed, { filter: tenantFilter(caller), ...alongKey('_id', slice) }, agreementOf);
    },
    insertOf({ agreementId, ...rest }: Agreement): InsertWrite {
      return { collection, document: { _id: agreementId, ...rest } };
    },
    /** Saves where the version read is still the present one. */
    updateOf(read: Agreement, change: Partial<Pick<Agreement, 'status' | 'schemes'>>): UpdateWrite {
      const { agreementId, environment, version } = read;
      return {
        collection,
        filter: { _id: agreementId as never, environment, version },
        update: { $set: { ...change, version: version + 1 } },
      };
    },
    /** For the sandbox's own tenants: makes what is missing and leaves what was changed since; returns its id. */
    async seed({ agreementId, environment, acquirerId, providerId, pspId, ...rest }: Agreement): Promise<string> {
      const seeded = await records
        .findOneAndUpdate(
          { environment, acquirerId, providerId, pspId },
          { $setOnInsert: { _id: agreementId, ...rest } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<StoredAgreement>();
      if (!seeded) throw new Error('the agreement was not seeded');
      return seeded._id;
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

function agreementOf({ _id, ...rest }: StoredAgreement): Agreement {
  return { agreementId: _id, ...rest };
}
