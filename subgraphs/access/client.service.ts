// What staff and callers do with OAuth clients: create, rotate the secret, narrow, disable, register keys (issue of credentials at onboarding,
// document 1; decision register 2.1, 2.4-D, 2.6). Each use case loads, decides and saves with its audit record in one unit.

import type { AuditedChange, RecordChange } from '../shared/audit';
import type { Environment } from '../shared/caller';
import type { Clock } from '../shared/clock';
import type { RequestContext } from '../shared/context';
import { decideAgain } from '../shared/decide-again';
import { DomainError } from '../shared/errors';
import { equalsConstantTime, newId, newSecret } from '../shared/ids';
import type { InTransaction, UpdateWrite } from '../shared/outbox';
import { may } from '../shared/rights';
import type { Vault } from '../shared/vault';
import {
  type Client,
  type ClientStatus,
  decideNewClient,
  decideScopes,
  decideSecretRotation,
  isSecretLive,
  type NewClient,
} from './client';
import type { ClientRepository } from './client.repository';
import { decideKeyRegistration, decideKeyRetirement, parseRecipientJwk, type RecipientJwk } from './encryption-key';

/** A client together with a secret that is shown this once. */
export interface ClientWithSecret {
  client: Client;
  clientSecret: string;
}

/** Stores the result for repetitions under the same Idempotency-Key; its writes join the unit of work. */
export type Complete<Result> = (result: Result) => UpdateWrite[];

export interface ClientService {
  /** The client with this id and secret. Throws `unauthenticated` alike for an unknown, disabled or wrong one. */
  authenticate(clientId: string, clientSecret: string): Promise<Client>;
  create(context: RequestContext, input: NewClient, complete: Complete<ClientWithSecret>): Promise<ClientWithSecret>;
  rotateSecret(
    context: RequestContext,
    clientId: string,
    complete: Complete<ClientWithSecret>,
  ): Promise<ClientWithSecret>;
  setStatus(
    context: RequestContext,
    change: { clientId: string; status: ClientStatus },
    complete: Complete<Client>,
  ): Promise<Client>;
  setScopes(
    context: RequestContext,
    change: { clientId: string; scopes: string[] },
    complete: Complete<Client>,
  ): Promise<Client>;
  /** Every access token of the client stops working, in every process within 1 s. */
  revokeAccessTokens(context: RequestContext, clientId: string, complete: Complete<Client>): Promise<Client>;
  registerEncryptionKey(
    context: RequestContext,
    change: { clientId: string; jwk: RecipientJwk },
    complete: Complete<Client>,
  ): Promise<Client>;
  retireEncryptionKey(
    context: RequestContext,
    change: { clientId: string; kid: string },
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
  readMerchant: ReadMerchantOwner;
  /** Called after a change that must be felt at once in this process too. */
  onRevoked(): void;
}

/** The merchants domain's answer about whose a merchant is; null: there is none. */
export type ReadMerchantOwner = (environment: Environment, merchantId: string) => Promise<{ accountId: string } | null>;

/** What a decision changes of a client, and how the audit record tells it; null changes nothing. */
type Change = { next: Partial<Client>; action: string; changes: AuditedChange['changes'] } | null;

/** The keyed hash under which secrets of clients are kept. */
export const clientSecretPurpose = 'client-secret';

export function createClientService(deps: ClientServiceDeps): ClientService {
  const { clock, vault, onRevoked } = deps;
  const hashOf = (secret: string) => vault.keyedHash(clientSecretPurpose, secret);

  return {
    authenticate: (clientId, clientSecret) => authenticate(deps, clientId, clientSecret),
    create: (context, input, complete) => create(deps, { context, input, complete }),
    async rotateSecret(context, clientId, complete) {
      const clientSecret = newSecret(`cs_${deps.environment}`);
      const hash = await hashOf(clientSecret);
      const rotate = (client: Client): Change => ({
        next: { secrets: decideSecretRotation(client, hash, clock.now()) },
        action: 'client.secretRotated',
        changes: [],
      });
      const withSecret = (client: Client) => ({ client, clientSecret });
      return withSecret(
        await change(deps, { context, clientId, decide: rotate, complete: (client) => complete(withSecret(client)) }),
      );
    },
    async setStatus(context, { clientId, status }, complete) {
      const client = await change(deps, {
        context,
        clientId,
        complete,
        decide: (found) => decideStatus(found, status),
      });
      onRevoked();
      return client;
    },
    async setScopes(context, { clientId, scopes }, complete) {
      const client = await change(deps, { context, clientId, complete, decide: (found) => decideGrant(found, scopes) });
      onRevoked();
      return client;
    },
    async revokeAccessTokens(context, clientId, complete) {
      const client = await change(deps, { context, clientId, complete, decide: decideRevocation });
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
    retireEncryptionKey(context, { clientId, kid }, complete) {
      const decide = (client: Client): Change => {
        const encryptionKeys = decideKeyRetirement(client.encryptionKeys, kid, clock.now());
        if (!encryptionKeys) return null;
        const changes = [{ field: 'encryptionKey', from: kid, to: null }];
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

interface Creation {
  context: RequestContext;
  input: NewClient;
  complete: Complete<ClientWithSecret>;
}

async function create(deps: ClientServiceDeps, { context, input, complete }: Creation): Promise<ClientWithSecret> {
  const { environment, clock, vault, clients, audit, inTransaction } = deps;
  const { label, scopes } = decideNewClient(input);
  const merchantId = await ownMerchant(deps, input);
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
  const record = { ...subjectOf(client), action: 'client.created', changes: [scopesChange([], scopes)] };
  const result = { client, clientSecret };
  await inTransaction({ inserts: [clients.insert(client), audit(context, record)], updates: complete(result) });
  return result;
}

/** The merchant of a payments client, which must be the account's own; foreign looks like absent. */
async function ownMerchant(
  { environment, readMerchant }: ClientServiceDeps,
  { accountId, merchantId = null }: NewClient,
): Promise<string | null> {
  if (merchantId === null) return null;
  const merchant = await readMerchant(environment, merchantId);
  if (merchant?.accountId !== accountId) throw new DomainError('notFound', 'There is no such merchant.');
  return merchantId;
}

function decideStatus(client: Client, status: ClientStatus): Change {
  if (client.status === status) return null;
  const action = status === 'ACTIVE' ? 'client.enabled' : 'client.disabled';
  const changes = [{ field: 'status', from: client.status, to: status }];
  // Tokens from before stay dead when the client is enabled again.
  return { next: { status, tokenGeneration: client.tokenGeneration + 1 }, action, changes };
}

function decideGrant(client: Client, wanted: string[]): Change {
  const scopes = decideScopes(client, wanted);
  if (scopes.join() === client.scopes.join()) return null;
  return { next: { scopes }, action: 'client.scopesChanged', changes: [scopesChange(client.scopes, scopes)] };
}

function decideRevocation(client: Client): Change {
  return { next: { tokenGeneration: client.tokenGeneration + 1 }, action: 'client.accessTokensRevoked', changes: [] };
}

function scopesChange(from: readonly string[], to: readonly string[]) {
  return { field: 'scopes', from: from.join(' ') || null, to: to.join(' ') || null };
}

function subjectOf({ clientId, accountId }: Client) {
  return { subjectType: 'client', subjectId: clientId, accountId };
}

interface ClientChange {
  context: RequestContext;
  clientId: string;
  decide(client: Client): Change;
  complete: Complete<Client>;
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

function change(deps: ClientServiceDeps, { context, clientId, decide, complete }: ClientChange): Promise<Client> {
  return decideAgain(async () => {
    const [client] = await deps.clients.find(context.caller, [clientId]);
    if (!client) throw new DomainError('notFound');
    const decision = decide(client);
    if (!decision) return client;
    const next = { ...client, ...decision.next, version: client.version + 1, updatedAt: deps.clock.now() };
    const record = { ...subjectOf(client), action: decision.action, changes: decision.changes };
    await deps.inTransaction({
      updates: [deps.clients.replace(next, client.version), ...complete(next)],
      inserts: [deps.audit(context, record)],
    });
    return next;
  });
}
