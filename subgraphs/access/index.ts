// Access: who may call. OAuth clients, access tokens, keys that callers register, audit (tokenization interface, Authentication).
import type { Connection } from 'mongoose';
import type { RecordChange, RecordExport, RecordLook } from '../shared/callers/audit';
import type { Caller, Environment, LiveScopes } from '../shared/callers/caller';
import type { CarryOut, ProposalKind, Propose } from '../shared/callers/proposal';
import { effectiveRule } from '../shared/callers/rate-limit';
import type { Clock } from '../shared/clock';
import type { Config } from '../shared/config';
import type { Vault } from '../shared/crypto/vault';
import { classesOf } from '../shared/graph/classes-of';
import { MoneyType } from '../shared/graph/money.type';
import type { SubgraphDefinition } from '../shared/graph/subgraph';
import type { Idempotent } from '../shared/idempotency/idempotency';
import type { Find } from '../shared/search';
import type { InTransaction } from '../shared/store/unit-of-work';
import { auditedExportOf, createAudit } from './audit/audit';
import { auditReference } from './audit/audit.reference';
import { type AuditRepository, createAuditRepository } from './audit/audit.repository';
import { createAuditChainRepository } from './audit/audit-chain.repository';
import type { AuditChainDeps } from './audit/audit-chain.service';
import { AuditedMerchantResolver } from './audit/audited-merchant.resolver';
import { createLookRecorder, type LookDeps } from './audit/look.service';
import { createRefusalRecorder, type RefusalRecorder } from './audit/refusal.service';
import { createAccessTokenRepository } from './clients/access-token.repository';
import { type AccessTokenService, createAccessTokenService } from './clients/access-token.service';
import { CallerResolver } from './clients/caller.resolver';
import * as callerTypes from './clients/caller.type';
import type { Client } from './clients/client';
import { clientReference } from './clients/client.reference';
import { type ClientRepository, createClientRepository } from './clients/client.repository';
import { ClientResolver } from './clients/client.resolver';
import {
  type ClientService,
  createClientService,
  type IsAccount,
  type ReadMerchantOwner,
} from './clients/client.service';
import * as types from './clients/client.type';
import type { Grant } from './clients/client-grant.service';
import { limitsOf } from './clients/limits';
import { createRecipientKeyService, type RecipientKeyService } from './clients/recipient-key.service';
import * as jobTypes from './jobs/job.type';
import * as jobSubjectTypes from './jobs/job-subject.type';
import { createJobs, type ExecuteOperation } from './jobs/jobs';
import { createApiKeyRepository } from './keys/api-key.repository';
import {
  ApiKeyResolver,
  type ApiKeyResolverDeps,
  MerchantApiKeysResolver,
  merchantAsItCame,
} from './keys/api-key.resolver';
import { type ApiKeyService, type ApiKeyServiceDeps, createApiKeyService, createKeyUses } from './keys/api-key.service';
import * as apiKeyTypes from './keys/api-key.type';
import { authenticateConsumer, authenticateSecretKey, authenticateTerminal } from './keys/key-caller';
import { createKeyUseRepository } from './keys/key-use.repository';
import type { ReadTerminalOwner } from './keys/new-key.service';
import { endCredentialsOf } from './merchant-end.service';
import { createPeople } from './people/people';
import * as personTypes from './people/person.type';
import { isSessionId } from './people/session';
import type { SessionService } from './people/session.service';
import * as proposalTypes from './proposals/proposal.type';
import { createProposals } from './proposals/proposals';
import { createSeedClient, type SeedClient } from './seed.service';

export { auditPublicKey, auditSigningKey, readAuditPublicKeys } from './audit/audit-chain';
export { createAuditChaining } from './audit/audit-chain.service';
export { verifyAudit } from './audit/audit-verification.service';

/** What the chain over the audit is made of, for whoever writes it and for whoever verifies it without a platform. */
export function auditChainOf(connection: Connection, environment: Environment, clock: Clock): AuditChainDeps {
  return { environment, clock, chain: createAuditChainRepository(connection) };
}

export interface AccessDeps {
  connection: Connection;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  clock: Clock;
  vault: Vault;
  config: Pick<Config, 'environment' | 'RATE_LIMIT_FACTOR' | 'OIDC_ROLES' | 'SESSION_IDLE_MINUTES' | 'SESSION_HOURS'>;
  /** Tells every process that a credential has changed: a wake-up, lost without harm. */
  wakeCredentialChecks(): void;
  /** The merchants domain's answers about whose a merchant or a terminal is, and which accounts there are. */
  readMerchant: ReadMerchantOwner;
  readTerminal: ReadTerminalOwner;
  isAccount: IsAccount;
  /** What the other domains' proposals come to, once a second person has confirmed them. */
  carryOut: { booking: CarryOut; payoutAccount: CarryOut; approval: CarryOut };
}

export interface Access {
  subgraph: SubgraphDefinition;
  /** What the domain finds by a text, of what the caller may see: each takes a right of its own. */
  find: Readonly<Record<'proposals' | 'people' | 'jobs', Find>>;
  /** The active client of this id and secret; throws `unauthenticated`. */
  authenticateClient(clientId: string, clientSecret: string): Promise<Client>;
  issueAccessToken: AccessTokenService['issue'];
  revokeAccessToken(client: Client, token: string): Promise<boolean>;
  /** The caller of a raw token; throws CredentialRefused (`unauthenticated`) for a missing and for an invalid one. */
  authenticateBearer(token: string | undefined): Promise<Caller>;
  /** The same from a whole Authorization value. */
  authenticateHeader(authorization: string | undefined): Promise<Caller>;
  /** The caller that holds this value of X-API-KEY; throws `unauthenticated` or `keyRevoked`. */
  authenticateApiKey(presented: string): Promise<Caller>;
  /** The caller that holds this consumer key and its secret; throws the same. */
  authenticateConsumer(consumerKey: string, consumerSecret: string): Promise<Caller>;
  /** The caller that holds this secret key of a partner or of a merchant; throws the same. */
  authenticateSecretKey(presented: string): Promise<Caller>;
  /** Of access tokens and of people's sessions alike. */
  liveScopes(ids: readonly string[]): Promise<LiveScopes>;
  changedSince: AccessTokenService['changedSince'];
  /** How people sign in, and whose a session is. */
  sessions: SessionService;
  recipientKey: RecipientKeyService['recipientKey'];
  seedClient: SeedClient;
  /** Keys of the payment and administration interfaces are kept and checked here. */
  apiKeys: ApiKeyService;
  audit: RecordChange;
  /** Keeps what needs a second person. */
  propose: Propose;
  auditChain: AuditChainDeps;
  recordLook: RecordLook;
  recordExport: RecordExport;
  refusals: RefusalRecorder;
  /** Goes on with acts in bulk, through the graph; for a few seconds at most. */
  carryOutJobs(execute: ExecuteOperation, stopping: AbortSignal): Promise<number>;
  /** Revokes the keys and disables the clients of a merchant that was deleted. */
  endCredentialsOf(environment: Environment, merchantId: string): Promise<void>;
  ensureIndexes(): Promise<void>;
}

export function createAccess(deps: AccessDeps): Access {
  const { connection, inTransaction, idempotent, clock, vault, wakeCredentialChecks } = deps;
  const { environment, RATE_LIMIT_FACTOR } = deps.config;
  const clients = createClientRepository(connection);
  const tokens = createAccessTokenRepository(connection);
  const auditRecords = createAuditRepository(connection);
  const audit = createAudit(clock);
  const auditChain = auditChainOf(connection, environment, clock);
  const tokenDeps = { environment, clock, inTransaction, tokens, clients, audit, wakeCredentialChecks };
  const accessTokens = createAccessTokenService(tokenDeps);
  const recipientKeys = createRecipientKeyService(environment, clients);
  const onRevoked = () => {
    accessTokens.forgetRemembered();
    recipientKeys.forgetRemembered();
    wakeCredentialChecks();
  };
  const { propose, ...proposals } = createProposals({ connection, idempotent, clock, inTransaction, audit });
  const clientDeps = { ...deps, environment, clients, audit, propose, onRevoked };
  const { keys, uses, apiKeys } = keysOf(connection, { environment, clock, vault, inTransaction, audit });
  const service = createClientService(clientDeps);
  const knownClients = createKnownClients(clients, environment);
  const people = createPeople({ ...deps, audit, clients });
  const jobs = createJobs({ ...deps, environment, audit, clients, people: people.people });
  const subgraph: SubgraphDefinition = {
    name: 'access',
    resolvers: [
      new ClientResolver({ idempotent, service, clients, auditRecords, limitsOf: limitsUnder(RATE_LIMIT_FACTOR) }),
      new AuditedMerchantResolver(),
      ...keyResolvers({ ...deps, keys, uses, apiKeys }),
      new CallerResolver(accessTokens),
      ...proposals.resolvers(handlersByKind(deps.carryOut, service)),
      ...people.resolvers,
      ...jobs.resolvers,
    ],
    types: shownTypes,
    unmasked: { Proposal: { subjectType: 'proposal', key: 'proposalId', fields: ['input'] } },
    references: referencesOf(clients, auditRecords, [proposals, people, jobs]),
  };

  return {
    subgraph,
    find: { proposals: proposals.find, people: people.find, jobs: jobs.find },
    authenticateClient: service.authenticate,
    issueAccessToken: accessTokens.issue,
    revokeAccessToken: accessTokens.revoke,
    authenticateBearer: accessTokens.authenticateBearer,
    authenticateHeader: accessTokens.authenticateHeader,
    liveScopes: (ids) => liveScopes(accessTokens, people.sessions, ids),
    changedSince: accessTokens.changedSince,
    sessions: people.sessions,
    recipientKey: recipientKeys.recipientKey,
    seedClient: createSeedClient(clientDeps),
    apiKeys,
    ...keyCallersOf(apiKeys),
    audit,
    propose,
    auditChain,
    ...recordersOf({ clock, inTransaction, audit }),
    refusals: createRefusalRecorder({ environment, clock, inTransaction, audit, knownClients }),
    carryOutJobs: jobs.carryOut,
    endCredentialsOf: (from, merchantId) => endCredentialsOf({ keys, apiKeys, clients, service }, from, merchantId),
    ensureIndexes: () =>
      prepareAll([clients, tokens, keys, uses, proposals, people, jobs, auditRecords, auditChain.chain]),
  };
}

const shownTypes = [
  ...classesOf(types, callerTypes, apiKeyTypes, proposalTypes, personTypes, jobTypes, jobSubjectTypes),
  MoneyType,
];

function keysOf(connection: Connection, deps: Omit<ApiKeyServiceDeps, 'keys' | 'noteUse'>) {
  const keys = createApiKeyRepository(connection);
  const uses = createKeyUseRepository(connection);
  return { keys, uses, apiKeys: createApiKeyService({ ...deps, keys, noteUse: createKeyUses(deps.clock, uses) }) };
}

function keyResolvers(deps: ApiKeyResolverDeps): object[] {
  return [new ApiKeyResolver(deps), new MerchantApiKeysResolver(deps)];
}

function limitsUnder(factor: number) {
  return (client: Client) => limitsOf(client, (rule) => effectiveRule(rule, factor));
}

function keyCallersOf(
  apiKeys: ApiKeyService,
): Pick<Access, 'authenticateApiKey' | 'authenticateConsumer' | 'authenticateSecretKey'> {
  return {
    authenticateApiKey: (presented) => authenticateTerminal(apiKeys, presented),
    authenticateConsumer: (keyId, secret) => authenticateConsumer(apiKeys, { keyId, secret }),
    authenticateSecretKey: (presented) => authenticateSecretKey(apiKeys, presented),
  };
}

function recordersOf(deps: LookDeps): Pick<Access, 'recordLook' | 'recordExport'> {
  const { inTransaction, audit } = deps;
  return {
    recordLook: createLookRecorder(deps),
    recordExport: (context, exported) => inTransaction({ inserts: [audit(context, auditedExportOf(exported))] }),
  };
}

async function prepareAll(kept: readonly { ensureIndexes(): Promise<void> }[]): Promise<void> {
  await Promise.all(kept.map((repository) => repository.ensureIndexes()));
}

function referencesOf(
  clients: ClientRepository,
  records: AuditRepository,
  others: readonly Pick<SubgraphDefinition, 'references'>[],
): SubgraphDefinition['references'] {
  const own = { Client: clientReference(clients), AuditRecord: auditReference(records), Merchant: merchantAsItCame };
  return Object.assign({}, own, ...others.map(({ references }) => references));
}

function createKnownClients(clients: Pick<ClientRepository, 'findForAuthentication'>, environment: Environment) {
  return async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const found = ids.length > 0 ? await clients.findForAuthentication(environment, [...new Set(ids)]) : [];
    return new Set(found.map(({ clientId }) => clientId));
  };
}

async function liveScopes(
  tokens: Pick<AccessTokenService, 'liveScopes'>,
  sessions: Pick<SessionService, 'live'>,
  ids: readonly string[],
): Promise<LiveScopes> {
  const [ofTokens, ofPeople] = await Promise.all([
    tokens.liveScopes(ids.filter((id) => !isSessionId(id))),
    sessions.live(ids.filter(isSessionId)),
  ]);
  return new Map([...ofTokens, ...ofPeople.map(({ session, caller }) => [session.sessionId, caller.scopes] as const)]);
}

function handlersByKind(
  { booking, payoutAccount, approval }: AccessDeps['carryOut'],
  { grantScopes }: Pick<ClientService, 'grantScopes'>,
): Record<ProposalKind, CarryOut> {
  return {
    LEDGER_BOOKING: booking,
    PAYOUT_ACCOUNT: payoutAccount,
    ONBOARDING_APPROVAL: approval,
    CLIENT_SCOPES: (context, input, conclude) => grantScopes(context, input as unknown as Grant, conclude),
  };
}
