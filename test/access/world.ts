// A world for the tests of access: real stores, a clock moved by hand, and as many separate instances (processes) as a test wants.
import { createHash, createPublicKey } from 'node:crypto';
import { graphql } from 'graphql';
import { type Access, type AccessDeps, createAccess } from '../../subgraphs/access';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { manualClock } from '../../subgraphs/shared/clock';
import { createVault } from '../../subgraphs/shared/crypto/vault';
import { createIdempotent } from '../../subgraphs/shared/idempotency/idempotency';
import { newId, newSecret } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { nextRsaKey } from '../support/rsa-keys';
import { openStores } from '../support/stores';
import { schemaOf } from '../support/subgraph';
import { keyringFor } from '../support/vault';

export type World = Awaited<ReturnType<typeof openWorld>>;

export const triple = { acquirerId: 'acquirer-1', providerId: 'provider-1', pspId: 'psp-1' };

/** An RSA public key as a caller registers it. */
export function newJwk(kid: string, modulusLength = 2048) {
  const { n = '', e = '' } = createPublicKey(nextRsaKey(modulusLength)).export({ format: 'jwk' });
  return { kty: 'RSA', use: 'enc', kid, n, e };
}

/** `carryOut`: what confirmed proposals of other domains come to; they end the proposal and do nothing else when absent. */
export async function openWorld(
  carryOut: Partial<AccessDeps['carryOut']> = {},
  OIDC_ROLES: AccessDeps['config']['OIDC_ROLES'] = {},
) {
  const stores = await openStores();
  const clock = manualClock(new Date());
  const current = createHash('sha256').update('a key of the tests').digest('base64');
  /** Whose merchants and terminals are, as the merchants domain would tell. */
  const merchants = new Map([['merchant-alpha', { accountId: 'alpha' }]]);
  const terminals = new Map([['terminal-alpha', { accountId: 'alpha', merchantId: 'merchant-alpha' }]]);
  const opened: { close(): Promise<void> }[] = [];

  /** One more process over the same stores: nothing in memory is shared. */
  async function instance(environment: 'sandbox' | 'production' = 'sandbox') {
    const mongo = await openMongo(stores.mongoUri, 'test');
    opened.push(mongo);
    const { connection } = mongo;
    const vault = createVault(connection, keyringFor({ current, previous: '' }));
    const idempotent = createIdempotent({ connection, clock, vault });
    const { inTransaction } = createCommitter(connection);
    const config = { environment, RATE_LIMIT_FACTOR: 1, OIDC_ROLES, SESSION_IDLE_MINUTES: 30, SESSION_HOURS: 12 };
    const access = createAccess({
      connection,
      inTransaction,
      idempotent,
      clock,
      vault,
      config,
      wakeCredentialChecks: () => undefined,
      readMerchant: async (_environment, merchantId) => merchants.get(merchantId) ?? null,
      readTerminal: async (_environment, terminalId) => terminals.get(terminalId) ?? null,
      isAccount: async (_environment, accountId) => accountId !== 'nobody',
      carryOut: {
        booking: async (_context, _input, conclude) => inTransaction(conclude('entry-1')),
        payoutAccount: async (_context, _input, conclude) => inTransaction(conclude(null)),
        approval: async (_context, _input, conclude) => inTransaction(conclude(null)),
        ...carryOut,
      },
    });
    return { access, idempotent, mongo };
  }

  const { access, idempotent } = await instance();
  await Promise.all([access.ensureIndexes(), idempotent.ensureIndexes()]);

  return {
    ...stores,
    clock,
    access,
    instance,
    merchants,
    terminals,
    /** A tokenization client of an account of its own. */
    seedTokenizationClient: async (
      into: Access = access,
      overrides: { accountId?: string; scopes?: string[] } = {},
    ) => {
      const credentials = { clientId: `client-${newId()}`, clientSecret: newSecret('test') };
      const accountId = overrides.accountId ?? `account-${newId()}`;
      const scopes = overrides.scopes ?? ['mts:token', 'mts:transaction', 'mts:lifecycle'];
      await into.seedClient({ ...credentials, family: 'tokenization', accountId, scopes, identifiers: [triple] });
      return { ...credentials, accountId };
    },
    closeAll: async () => {
      for (const { close } of opened.reverse()) await close();
      await stores.close();
    },
  };
}

export const admin: Caller = {
  kind: 'client',
  credentialId: 'graph-admin',
  environment: 'sandbox',
  accountId: null,
  scopes: ['graph:read', 'graph:admin'],
  identifiers: [],
};

export const viewer: Caller = { ...admin, credentialId: 'graph-viewer', scopes: ['graph:read'] };

export interface Ask {
  caller?: Caller;
  variables?: Record<string, unknown>;
  /** Sent with an Idempotency-Key. */
  idempotencyKey?: string;
  requestId?: string;
}

/** Runs a document on the subgraph; refusals come back as their codes. */
export async function ask(access: Access, source: string, { caller = admin, variables = {}, ...rest }: Ask = {}) {
  const { idempotencyKey: key, requestId = newId() } = rest;
  const idempotency = key ? { key, scope: 'graph', fingerprint: JSON.stringify(variables) } : undefined;
  const contextValue = requestContext(caller, requestId, idempotency);
  const { data, errors } = await graphql({
    schema: await schemaOf(access),
    source,
    variableValues: variables,
    contextValue,
  });
  const codes = (errors ?? []).map(
    (error) => (error.originalError as { code?: string } | undefined)?.code ?? error.message,
  );
  const fields = (errors ?? []).map(
    (error) => (error.originalError as { details?: { field?: string } } | undefined)?.details?.field ?? null,
  );
  // Any: each test knows the shape of what it asked for.
  // biome-ignore lint/suspicious/noExplicitAny: see the line above
  return { data: data as any, codes, fields, replayed: contextValue.reply.idempotentReplayed === true };
}
