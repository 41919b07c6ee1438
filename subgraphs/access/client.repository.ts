// Clients in MongoDB: one document per client with its secrets' hashes and its registered keys.
import { type Connection, type Model, Schema, trusted } from 'mongoose';
import { type Caller, clientScopes, type Environment, environments, tenantFilter } from '../shared/caller';
import type { InsertWrite, UpdateWrite } from '../shared/outbox';
import type { Page } from '../shared/page';
import { reading } from '../shared/reading';
import { type Client, clientFamilies, grantable } from './client';

const collection = 'clients';

type Stored = Omit<Client, 'clientId'> & { _id: string };

const required = { required: true } as const;
const schema = new Schema<Stored>(
  {
    _id: { type: String, ...required },
    environment: { type: String, enum: environments, ...required },
    accountId: { type: String, default: null },
    family: { type: String, enum: clientFamilies, ...required },
    label: { type: String, ...required },
    status: { type: String, enum: ['ACTIVE', 'DISABLED'], ...required },
    scopes: [{ type: String, enum: clientScopes }],
    identifiers: [new Schema({ acquirerId: String, providerId: String, pspId: String }, { _id: false })],
    merchantId: { type: String, default: null },
    secrets: [new Schema({ hash: String, createdAt: Date, expiresAt: Date }, { _id: false })],
    encryptionKeys: [
      new Schema(
        { kid: String, n: String, e: String, bits: Number, status: String, createdAt: Date, retiredAt: Date },
        { _id: false },
      ),
    ],
    tokenGeneration: { type: Number, ...required },
    version: { type: Number, ...required },
    createdAt: { type: Date, ...required },
    updatedAt: { type: Date, ...required },
  },
  { collection, versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ environment: 1, accountId: 1, _id: 1 });
schema.index({ environment: 1, merchantId: 1 });

export interface ClientRepository {
  /** For authentication only: no caller is known yet. */
  findForAuthentication(environment: Environment, clientIds: readonly string[]): Promise<Client[]>;
  find(caller: Caller, clientIds: readonly string[]): Promise<Client[]>;
  /** Ordered by clientId. */
  list(caller: Caller, size: number, afterClientId: string | null): Promise<Page<Client>>;
  /** The active clients that act for a merchant. */
  listActiveOf(environment: Environment, merchantId: string): Promise<Client[]>;
  insert(client: Client): InsertWrite;
  /** Replaces the state of the client that was read with `versionRead`. */
  replace(client: Client, versionRead: number): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createClientRepository(connection: Connection): ClientRepository {
  const clients: Model<Stored> = connection.model<Stored>('Client', schema);
  const byIds = async (filter: object, ids: readonly string[]) =>
    (await reading(clients.find({ ...filter, _id: trusted({ $in: [...ids] }) }).lean<Stored[]>())).map(fromStored);

  return {
    findForAuthentication: (environment, clientIds) => byIds({ environment }, clientIds),
    find: (caller, clientIds) => byIds(tenantFilter(caller), clientIds),
    async list(caller, size, afterClientId) {
      const after = afterClientId === null ? {} : { _id: trusted({ $gt: afterClientId }) };
      const found = await reading(
        clients
          .find({ ...tenantFilter(caller), ...after })
          .sort({ _id: 1 })
          .limit(size + 1)
          .lean<Stored[]>(),
      );
      return { items: found.slice(0, size).map(fromStored), hasNextPage: found.length > size };
    },
    async listActiveOf(environment, merchantId) {
      const filter = { environment, merchantId, status: 'ACTIVE' as const };
      return (await reading(clients.find(filter).lean<Stored[]>())).map(fromStored);
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
    ensureIndexes: () => clients.createIndexes(),
  };
}

/** Clients from before there was a family payments have no merchant; a right of staff that an account was once granted does nothing. */
function fromStored({ _id, ...rest }: Stored): Client {
  const scopes = rest.scopes.filter((scope) => grantable(rest).includes(scope));
  return { ...rest, clientId: _id, merchantId: rest.merchantId ?? null, scopes };
}

/** The last door before the store: what the owner of a client can never hold is not written, whoever decided it. */
function assertGrantable(client: Client): Client {
  const wrong = client.scopes.find((scope) => !grantable(client).includes(scope));
  if (wrong) throw new Error(`${wrong} is not for ${client.family} clients of ${client.accountId ?? 'staff'}`);
  return client;
}
