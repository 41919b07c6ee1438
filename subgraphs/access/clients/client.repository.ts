// Clients in MongoDB: one document per client with its secrets' hashes and its registered keys.
import { type Connection, type Model, trusted } from 'mongoose';
import {
  type Caller,
  type CredentialChange,
  clientScopes,
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
import {
  absentOrNull,
  maybeText,
  orNull,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { type Client, type ClientSecret, clientFamilies, clientStatuses, grantable } from './client';
import { type EncryptionKey, encryptionKeyStatuses } from './encryption-key';

const collection = 'clients';

type StoredClient = Omit<Client, 'clientId'> & { _id: string };

const schema = storedSchema<StoredClient>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: maybeText,
  family: there(String, { enum: clientFamilies }),
  label: storedText,
  status: there(String, { enum: clientStatuses }),
  scopes: there([{ type: String, enum: clientScopes }]),
  identifiers: there([
    storedPart<TokenizationIdentifiers>({ acquirerId: storedText, providerId: storedText, pspId: storedText }),
  ]),
  // Clients of a former release lack it.
  merchantId: absentOrNull(String),
  secrets: there([storedPart<ClientSecret>({ hash: storedText, createdAt: there(Date), expiresAt: orNull(Date) })]),
  encryptionKeys: there([
    storedPart<EncryptionKey>({
      kid: storedText,
      n: storedText,
      e: storedText,
      bits: there(Number),
      status: there(String, { enum: encryptionKeyStatuses }),
      createdAt: there(Date),
      retiredAt: orNull(Date),
    }),
  ]),
  tokenGeneration: there(Number),
  version: there(Number),
  createdAt: there(Date),
  updatedAt: there(Date),
});
schema.index({ environment: 1, accountId: 1, _id: 1 });
schema.index({ environment: 1, merchantId: 1 });
schema.index({ environment: 1, updatedAt: 1 });

export interface ClientRepository {
  /** For authentication only: no caller is known yet. */
  findForAuthentication(environment: Environment, clientIds: readonly string[]): Promise<Client[]>;
  find(caller: Caller, clientIds: readonly string[]): Promise<Client[]>;
  /** Ordered by clientId. */
  list(caller: Caller, slice: Slice<string>): Promise<Page<Client>>;
  /** The active clients that act for a merchant. */
  listActiveOf(environment: Environment, merchantId: string): Promise<Client[]>;
  /** Changed, or made, at `since` or later, the first ones first. */
  changedSince(environment: Environment, since: Date, limit: number): Promise<CredentialChange[]>;
  insert(client: Client): InsertWrite;
  /** Replaces the state of the client that was read with `versionRead`. */
  replace(client: Client, versionRead: number): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createClientRepository(connection: Connection): ClientRepository {
  const clients: Model<StoredClient> = connection.model<StoredClient>('Client', schema);
  const listed = collectionOf<StoredClient>(connection, collection);
  const byIds = async (filter: object, ids: readonly string[]) =>
    (await reading(clients.find({ ...filter, _id: trusted({ $in: [...ids] }) }).lean<StoredClient[]>())).map(
      fromStored,
    );

  return {
    findForAuthentication: (environment, clientIds) => byIds({ environment }, clientIds),
    find: (caller, clientIds) => byIds(tenantFilter(caller), clientIds),
    list: (caller, slice) => listPage(listed, { filter: tenantFilter(caller), ...alongKey('_id', slice) }, fromStored),
    async listActiveOf(environment, merchantId) {
      const filter = { environment, merchantId, status: 'ACTIVE' as const };
      return (await reading(clients.find(filter).lean<StoredClient[]>())).map(fromStored);
    },
    async changedSince(environment, since, limit) {
      const found = await reading(
        clients
          .find({ environment, updatedAt: trusted({ $gte: since }) }, { updatedAt: 1 })
          .sort({ updatedAt: 1 })
          .limit(limit)
          .lean<{ _id: string; updatedAt: Date }[]>(),
      );
      return found.map(({ _id, updatedAt }) => ({ kind: 'client' as const, id: _id, at: updatedAt }));
    },
    insert: (client) => {
      const { clientId, ...rest } = assertGrantable(client);
      return { collection, document: { _id: clientId, ...rest } };
    },
    replace: (client, versionRead) => {
      const { clientId, ...rest } = assertGrantable(client);
      return {
        collection,
        filter: {
          _id: clientId,
          environment: rest.environment,
          version: versionRead,
        } as unknown as UpdateWrite['filter'],
        update: { $set: rest },
      };
    },
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}

/** Clients from before there was a family payments have no merchant; a right of staff that an account was once granted does nothing. */
function fromStored({ _id, ...rest }: StoredClient): Client {
  const scopes = rest.scopes.filter((scope) => grantable(rest).includes(scope));
  return { ...rest, clientId: _id, merchantId: rest.merchantId ?? null, scopes };
}

/** The last door before the store: what the owner of a client can never hold is not written, whoever decided it. */
function assertGrantable(client: Client): Client {
  const wrong = client.scopes.find((scope) => !grantable(client).includes(scope));
  if (wrong) throw new Error(`${wrong} is not for ${client.family} clients of ${client.accountId ?? 'staff'}`);
  return client;
}
