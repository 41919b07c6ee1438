// API keys in MongoDB, looked up by their visible id.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, type Environment, environments, tenantFilter } from '../../shared/callers/caller';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { withoutAbsent } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { maybeText, orNull, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import {
  type ApiKey,
  type ApiKeyKind,
  apiKeyKinds,
  apiKeyModes,
  apiKeyStatuses,
  formerKeyId,
  type NewApiKey,
} from './api-key';

const collection = 'api_keys';

type StoredApiKey = Omit<ApiKey, 'keyId'> & { _id: string };

const schema = storedSchema<StoredApiKey>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  kind: there(String, { enum: apiKeyKinds }),
  mode: there(String, { enum: apiKeyModes }),
  holderId: storedText,
  merchantId: maybeText,
  label: storedText,
  hash: storedText,
  status: there(String, { enum: apiKeyStatuses }),
  place: there(Number),
  createdAt: there(Date),
  revokedAt: orNull(Date),
});
schema.index(
  { environment: 1, accountId: 1, kind: 1, mode: 1, holderId: 1, place: 1 },
  { unique: true, partialFilterExpression: { status: 'ACTIVE' } },
);

schema.index({ environment: 1, accountId: 1, _id: 1 });
schema.index({ environment: 1, kind: 1, _id: 1 });
schema.index({ environment: 1, holderId: 1, _id: 1 });
schema.index({ environment: 1, merchantId: 1, _id: 1 });

interface ApiKeyQuery {
  /** null: of every terminal. */
  terminalId: string | null;
  /** null: of every merchant, and of accounts too. */
  merchantId: string | null;
  /** null: of every kind. */
  kind: ApiKeyKind | null;
}

export interface ApiKeyRepository {
  /** For authentication only: no caller is known yet. */
  findForAuthentication(environment: Environment, keyId: string): Promise<ApiKey | null>;
  find(caller: Caller, keyId: string): Promise<ApiKey | null>;
  /** By keyId, revoked ones too. */
  list(caller: Caller, query: ApiKeyQuery, slice: Slice<string>): Promise<Page<ApiKey>>;
  /** The active keys of these merchants and of their terminals, by keyId. */
  listActive(caller: Caller, merchantIds: readonly string[]): Promise<ApiKey[]>;
  findActive(environment: Environment, holder: Omit<NewApiKey, 'label' | 'merchantId'>): Promise<ApiKey[]>;
  insert(key: ApiKey): InsertWrite;
  /** Matches only while the key is active. */
  revoke(key: ApiKey, at: Date): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createApiKeyRepository(connection: Connection): ApiKeyRepository {
  const keys: Model<StoredApiKey> = connection.model<StoredApiKey>('ApiKey', schema);
  const listed = collectionOf<StoredApiKey>(connection, collection);
  const findOne = async (filter: object) => {
    const found = await reading(keys.findOne(filter).lean<StoredApiKey | null>());
    return found && fromStored(found);
  };
  return {
    findForAuthentication: (environment, keyId) => findOne({ environment, _id: spellings(keyId) }),
    find: (caller, keyId) => findOne({ ...tenantFilter(caller), _id: spellings(keyId) }),
    async list(caller, { terminalId, merchantId, kind }, slice) {
      const filter = {
        ...tenantFilter(caller),
        ...withoutAbsent({
          holderId: terminalId,
          merchantId,
          kind: kind ?? (terminalId === null ? null : ('checkout' as const)),
        }),
      };
      return listPage(listed, { filter, ...alongKey('_id', slice) }, fromStored);
    },
    async listActive(caller, merchantIds) {
      const filter = { ...tenantFilter(caller), merchantId: trusted({ $in: merchantIds }), status: 'ACTIVE' as const };
      return (await reading(keys.find(filter).sort({ _id: 1 }).lean<StoredApiKey[]>())).map(fromStored);
    },
    async findActive(environment, { accountId, kind, mode, holderId }) {
      const filter = { environment, accountId, kind, mode, holderId, status: 'ACTIVE' as const };
      return (await reading(keys.find(filter).lean<StoredApiKey[]>())).map(fromStored);
    },
    insert: ({ keyId, ...rest }) => ({ collection, document: { _id: keyId, ...rest } }),
    revoke: ({ keyId, environment }, at) => ({
      collection,
      filter: { _id: keyId, environment, status: 'ACTIVE' } as unknown as UpdateWrite['filter'],
      update: { $set: { status: 'REVOKED', revokedAt: at } },
    }),
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}

/** What was handed out by a former release is found by its id of then and of now. */
function spellings(keyId: string) {
  return trusted({ $in: [...new Set([keyId, formerKeyId(keyId)])] });
}

function fromStored({ _id, ...rest }: StoredApiKey): ApiKey {
  return { keyId: _id, ...rest };
}
