// What staff and callers do with OAuth clients: create, rotate the secret, narrow, disable, register keys; each with its audit record in one unit.

import type { RecordChange } from '../../shared/callers/audit';
import type { Environment } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { Conclude, Propose } from '../../shared/callers/proposal';
import { reasonChange } from '../../shared/callers/reason';
import { may } from '../../shared/callers/rights';
import type { Clock } from '../../shared/clock';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import { equalsConstantTime, newId, newSecret } from '../../shared/ids';
import type { InTransaction } from '../../shared/store/unit-of-work';
import {
  assertOnePersonMay,
  assertOwnSecret,
  type Client,
  type ClientStatus,
  decideNewClient,
  decideSecretRotation,
  isSecretLive,
  type NewClient,
} from './client';
import type { ClientRepository } from './client.repository';
import {
  type Change,
  type ClientChange,
  type Complete,
  change,
  scopesChange,
  subjectOf,
} from './client-change.service';
import { decideGrant, grantScopes, proposeScopes } from './client-grant.service';
import { decideKeyRegistration, decideKeyRetirement, parseRecipientJwk, type RecipientJwk } from './encryption-key';

/** A client together with a secret that is shown this once. */
export interface ClientWithSecret {
  client: Client;
  clientSecret: string;
}

/** Which client an act is about, and why; null: nobody said it. */
interface ClientAct {
  clientId: string;
  reason: string | null;
}

export interface ClientService {
  /** The client with this id and secret. Throws `unauthenticated` alike for an unknown, disabled or wrong one. */
  authenticate(clientId: string, clientSecret: string): Promise<Client>;
  create(context: RequestContext, input: NewClient, complete: Complete<ClientWithSecret>): Promise<ClientWithSecret>;
  rotateSecret(
    context: RequestContext,
    act: ClientAct,
    complete: Complete<ClientWithSecret>,
  ): Promise<ClientWithSecret>;
  setStatus(
    context: RequestContext,
    change: ClientAct & { status: ClientStatus },
    complete: Complete<Client>,
  ): Promise<Client>;
  /** Refuses with `forbidden` what gives staff a right to act: that needs a second person. */
  setScopes(
    context: RequestContext,
    change: ClientAct & { scopes: string[] },
    complete: Complete<Client>,
  ): Promise<Client>;
  /** For scopes that one person alone may not set. Refuses as `setScopes`, and with `invalidState` what changes nothing. */
  proposeScopes(
    context: RequestContext,
    change: { clientId: string; scopes: string[] },
    complete: Complete<{ proposalId: string }>,
  ): Promise<{ proposalId: string }>;
  /** What a proposal of scopes comes to. */
  grantScopes(
    context: RequestContext,
    change: { clientId: string; scopes: string[] },
    conclude: Conclude,
  ): Promise<void>;
  /** Every access token of the client stops working, in every process within 1 s. */
  revokeAccessTokens(context: RequestContext, act: ClientAct, complete: Complete<Client>): Promise<Client>;
  registerEncryptionKey(
    context: RequestContext,
    change: { clientId: string; jwk: RecipientJwk },
    complete: Complete<Client>,
  ): Promise<Client>;
  retireEncryptionKey(
    context: RequestContext,
    change: ClientAct & { kid: string },
    complete: Complete<Client>,
  ): Promise<Client>;
}

export interface ClientServiceDeps {
  environment: Environment;
  clock: Clock;
  vault: Pick<Vault, 'keyedHash'>;
  inTransaction: InTransaction;
  clients: ClientRepository;
  audit: RecordChange;
  propose: Propose;
  readMerchant: ReadMerchantOwner;
  isAccount: IsAccount;
  /** Called after a change that must be felt at once in this process too. */
  onRevoked(): void;
}

/** The merchants domain's answer about whose a merchant is; null: there is none. */
export type ReadMerchantOwner = (environment: Environment, merchantId: string) => Promise<{ accountId: string } | null>;

/** The merchants domain's answer whether there is such a tenant. */
export type IsAccount = (environment: Environment, accountId: string) => Promise<boolean>;

/** The keyed hash under which secrets of clients are kept. */
export const clientSecretPurpose = 'client-secret';

export function createClientService(deps: ClientServiceDeps): ClientService {
  const { clock, vault, onRevoked } = deps;
  const hashOf = (secret: string) => vault.keyedHash(clientSecretPurpose, secret);

  return {
    authenticate: (clientId, clientSecret) => authenticate(deps, clientId, clientSecret),
    create: (context, input, complete) => create(deps, { context, input, complete }),
    async rotateSecret(context, { clientId, reason }, complete) {
      const clientSecret = newSecret(`cs_${deps.environment}`);
      const hash = await hashOf(clientSecret);
      const rotate = (client: Client): Change => {
        assertOwnSecret(client, context.caller.credentialId);
        const secrets = decideSecretRotation(client, hash, clock.now());
        return { next: { secrets }, action: 'client.secretRotated', changes: reasonChange(reason) };
      };
      const withSecret = (client: Client) => ({ client, clientSecret });
      return withSecret(
        await change(deps, { context, clientId, decide: rotate, complete: (client) => complete(withSecret(client)) }),
      );
    },
    async setStatus(context, { clientId, status, reason }, complete) {
      const client = await change(deps, {
        context,
        clientId,
        complete,
        decide: (found) => decideStatus(found, status, reason),
      });
      onRevoked();
      return client;
    },
    async setScopes(context, { clientId, scopes, reason }, complete) {
      const decide = (found: Client) => {
        assertOnePersonMay(found, scopes);
        const grant = decideGrant(found, scopes);
        return grant && { ...grant, changes: [...grant.changes, ...reasonChange(reason)] };
      };
      const client = await change(deps, { context, clientId, complete, decide });
      onRevoked();
      return client;
    },
    proposeScopes: (context, grant, complete) => proposeScopes(deps, context, grant, complete),
    async grantScopes(context, grant, conclude) {
      await grantScopes(deps, context, grant, conclude);
      onRevoked();
    },
    async revokeAccessTokens(context, { clientId, reason }, complete) {
      const decide = (found: Client) => decideRevocation(found, reason);
      const client = await change(deps, { context, clientId, complete, decide });
      onRevoked();
      return client;
    },
    registerEncryptionKey(context, { clientId, jwk }, complete) {
      const key = parseRecipientJwk(jwk);
      const decide = (client: Client): Change => {
        const encryptionKeys = decideKeyRegistration(client.encryptionKeys, key, clock.now());
        if (!encryptionKeys) return null;
        const changes = [{ field: 'encryptionKey', from: null, to: key.kid }];
        return { next: { encryptionKeys }, action: 'client.encryptionKeyRegistered', changes };
      };
      return changeOwn(deps, { context, clientId, complete, decide });
    },
    retireEncryptionKey(context, { clientId, kid, reason }, complete) {
      const decide = (client: Client): Change => {
        const encryptionKeys = decideKeyRetirement(client.encryptionKeys, kid, clock.now());
        if (!encryptionKeys) return null;
        const changes = [{ field: 'encryptionKey', from: kid, to: null }, ...reasonChange(reason)];
        return { next: { encryptionKeys }, action: 'client.encryptionKeyRetired', changes };
      };
      return changeOwn(deps, { context, clientId, complete, decide });
    },
  };
}

/** Always the same work: one hash and two comparisons, whether the client exists or not. */
async function authenticate(
  { environment, clock, vault, clients }: ClientServiceDeps,
  clientId: string,
  clientSecret: string,
): Promise<Client> {
  const [[client], hash] = await Promise.all([
    clients.findForAuthentication(environment, [clientId]),
    vault.keyedHash(clientSecretPurpose, clientSecret),
  ]);
  const now = clock.now();
  const isUsable = client?.status === 'ACTIVE';
  const live = client?.secrets.filter((secret) => isSecretLive(secret, now)) ?? [];
  const absent = '-'.repeat(hash.length);
  const matches = [0, 1].map((index) => equalsConstantTime(live[index]?.hash ?? absent, hash));
  if (client && isUsable && matches.some(Boolean)) return client;
  throw new DomainError('unauthenticated', 'the client id and secret do not belong to an active client');
}

interface ClientCreation {
  context: RequestContext;
  input: NewClient;
  complete: Complete<ClientWithSecret>;
}

async function create(
  deps: ClientServiceDeps,
  { context, input, complete }: ClientCreation,
): Promise<ClientWithSecret> {
  const { environment, clock, vault, clients, audit, inTransaction } = deps;
  const { label, scopes } = decideNewClient(input);
  assertOnePersonMay({ ...input, scopes: [] }, scopes);
  const merchantId = await ownMerchant(deps, input);
  await assertAccount(deps, input.accountId);
  const clientSecret = newSecret(`cs_${environment}`);
  const now = clock.now();
  const client: Client = {
    clientId: `client_${newId()}`,
    environment,
    accountId: input.accountId,
    family: input.family,
    label,
    status: 'ACTIVE',
    scopes,
    identifiers: input.identifiers.map(({ acquirerId, providerId, pspId }) => ({ acquirerId, providerId, pspId })),
    merchantId,
    secrets: [{ hash: await vault.keyedHash(clientSecretPurpose, clientSecret), createdAt: now, expiresAt: null }],
    encryptionKeys: [],
    tokenGeneration: 1,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  const record = audit(context, {
    ...subjectOf(client),
    action: 'client.created',
    changes: [scopesChange([], scopes)],
  });
  const result = { client, clientSecret };
  await inTransaction({ inserts: [clients.insert(client), record], updates: complete(result) });
  return result;
}

/** Null is staff's own. */
async function assertAccount({ environment, isAccount }: ClientServiceDeps, accountId: string | null): Promise<void> {
  if (accountId !== null && !(await isAccount(environment, accountId)))
    throw new DomainError('notFound', 'There is no such account.', { field: 'accountId' });
}

/** The merchant of a payments client, which must be the account's own; foreign looks like absent. */
async function ownMerchant(
  { environment, readMerchant }: ClientServiceDeps,
  { accountId, merchantId = null }: NewClient,
): Promise<string | null> {
  if (merchantId === null) return null;
  const merchant = await readMerchant(environment, merchantId);
  if (merchant?.accountId !== accountId)
    throw new DomainError('notFound', 'There is no such merchant.', { field: 'merchantId' });
  return merchantId;
}

function decideStatus(client: Client, status: ClientStatus, reason: string | null): Change {
  if (client.status === status) return null;
  const action = status === 'ACTIVE' ? 'client.enabled' : 'client.disabled';
  const changes = [{ field: 'status', from: client.status, to: status }, ...reasonChange(reason)];
  // Tokens from before stay dead when the client is enabled again.
  return { next: { status, tokenGeneration: client.tokenGeneration + 1 }, action, changes };
}

function decideRevocation({ tokenGeneration }: Client, reason: string | null): Change {
  const changes = reasonChange(reason);
  return { next: { tokenGeneration: tokenGeneration + 1 }, action: 'client.accessTokensRevoked', changes };
}

/** A client that is not staff's tool manages its own keys and nobody else's; another one looks absent. */
async function changeOwn(deps: ClientServiceDeps, request: ClientChange): Promise<Client> {
  const { caller } = request.context;
  const isOwn = request.clientId === caller.credentialId;
  if (!isOwn && !may(caller, 'clients:write')) throw new DomainError('notFound');
  const client = await change(deps, request);
  deps.onRevoked();
  return client;
}
