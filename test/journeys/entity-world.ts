// Every domain on one database of its own, with two tenants, and each subgraph asked directly.
import { type ExecutionResult, graphql } from 'graphql';
import mongoose from 'mongoose';
import { createDomains } from '../../app/domains';
import { type Caller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { manualClock } from '../../subgraphs/shared/clock';
import { readConfig } from '../../subgraphs/shared/config';
import { createVault } from '../../subgraphs/shared/crypto/vault';
import { createIdempotent } from '../../subgraphs/shared/idempotency/idempotency';
import { newId } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { preparePlatformSettings } from '../../subgraphs/shared/store/platform-settings';
import { isFeedStill, prepareLeases } from '../../workers';
import { openStores } from '../support/stores';
import { schemaOf } from '../support/subgraph';
import { keyringFor } from '../support/vault';

export type Tenant = 'alpha' | 'beta';

export const now = new Date('2026-11-21T12:00:00Z');
export const secret = Buffer.alloc(32, 7).toString('base64');
const reads = new Set(['find', 'aggregate', 'count', 'distinct']);

export const staff: Caller = {
  ...systemCaller('sandbox', 'staff'),
  kind: 'client',
  scopes: ['graph:read', 'graph:admin'],
};

export type EntityWorld = Awaited<ReturnType<typeof openEntityWorld>>;

export async function openEntityWorld() {
  const stores = await openStores();
  const options = { monitorCommands: true, bufferCommands: false };
  const connection = await mongoose.createConnection(stores.mongoUri, options).asPromise();
  const asked: string[] = [];
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (reads.has(commandName)) asked.push(`${commandName} ${command[commandName]}`);
  });
  const clock = manualClock(now);
  const vault = createVault(connection, keyringFor({ current: secret, previous: '' }));
  const domains = createDomains({
    connection,
    inTransaction: createCommitter(connection).inTransaction,
    idempotentOf: (field) => createIdempotent({ connection, clock, vault, field }),
    clock,
    vault,
    config: {
      ...readConfig({ CURSOR_KEY: secret, CRYPTO_THREADS: '1' }),
      OIDC_ROLES: { 'tenant-alpha': 'tenant:alpha', 'tenant-beta': 'tenant:beta' },
    },
    sriHash: 'sha384-test',
    wakeCredentialChecks: () => undefined,
    isFeedStill: () => isFeedStill(connection, 'journal'),
  });
  const idempotent = createIdempotent({ connection, clock, vault });
  await Promise.all([
    vault.prepareCollections(),
    idempotent.ensureIndexes(),
    domains.ensureIndexes(),
    preparePlatformSettings(connection),
    prepareLeases(connection),
  ]);
  await seed(domains, 'alpha', 1);
  await seed(domains, 'beta', 2);

  /** Asks one subgraph. */
  async function ask<Data>(subgraph: string, caller: Caller, source: string, variableValues: Record<string, unknown>) {
    const definition = domains.subgraphs.find(({ name }) => name === subgraph);
    if (!definition) throw new Error(`there is no subgraph ${subgraph}`);
    const schema = await schemaOf({ subgraph: definition });
    const contextValue = requestContext(caller, newId());
    return (await graphql({ schema, source, variableValues, contextValue })) as ExecutionResult<Data>;
  }

  return {
    stores,
    clock,
    domains,
    vault,
    ask,
    /** The reads of the database since this was emptied. */
    asked,
    async close() {
      await domains.tokenization.close();
      await connection.close();
      await stores.close();
    },
  };
}

async function seed(domains: ReturnType<typeof createDomains>, accountId: Tenant, merchantNumber: number) {
  const identifiers = { acquirerId: `a-${accountId}`, providerId: `p-${accountId}`, pspId: `s-${accountId}` };
  const merchantId = `merchant-${accountId}`;
  await domains.merchants.seedTenant({ accountId, name: accountId, merchantId, merchantNumber, identifiers });
  await domains.access.seedClient({
    clientId: `client-${accountId}`,
    clientSecret: `secret-${accountId}`,
    family: 'tokenization',
    accountId,
    scopes: ['mts:token'],
    identifiers: [identifiers],
  });
}
