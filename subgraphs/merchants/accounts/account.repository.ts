// Accounts (tenants) at rest.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, type Environment, environments } from '../../shared/callers/caller';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { withoutAbsent } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite } from '../../shared/store/unit-of-work';
import type { Account } from '../merchant';

const collection = 'accounts';
type StoredAccount = Omit<Account, 'accountId'> & { _id: string };

const schema = storedSchema<StoredAccount>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  name: storedText,
});
export type AccountRepository = ReturnType<typeof createAccountRepository>;

export function createAccountRepository(connection: Connection) {
  const records: Model<StoredAccount> = connection.model<StoredAccount>('Account', schema);
  const listed = collectionOf<StoredAccount>(connection, collection);
  return {
    /** Staff see every account of the environment, others their own. */
    async findMany({ environment, accountId }: Caller, ids: readonly string[]): Promise<Account[]> {
      const visible = accountId === null ? ids : ids.filter((id) => id === accountId);
      const found = await reading(
        records.find({ environment, _id: trusted({ $in: visible }) }).lean<StoredAccount[]>(),
      );
      return found.map(accountOf);
    },
    /** By id; staff see every account of the environment, others their own. */
    async list({ environment, accountId }: Caller, slice: Slice<string>): Promise<Page<Account>> {
      const filter = { environment, ...withoutAbsent({ _id: accountId }) };
      return listPage(listed, { filter, ...alongKey('_id', slice) }, accountOf);
    },
    insertOf({ accountId, ...rest }: Account): InsertWrite {
      return { collection, document: { _id: accountId, ...rest } };
    },
    exists: async (environment: Environment, accountId: string): Promise<boolean> =>
      (await reading(records.exists({ environment, _id: accountId }))) !== null,
    /** For the sandbox's own tenants; safe to repeat. */
    async seed({
      accountId,
      environment,
      name,
    }: {
      accountId: string;
      environment: Environment;
      name: string;
    }): Promise<void> {
      await records.updateOne({ _id: accountId }, { $set: { environment, name } }, { upsert: true });
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

function accountOf({ _id, ...rest }: StoredAccount): Account {
  return { accountId: _id, ...rest };
}
