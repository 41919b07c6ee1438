// The built-in sandbox token service: a token service provider with issuer and network behind it, for one machine (tokenization interface).
import { randomBytes } from 'node:crypto';
import type { Environment } from '../../shared/callers/caller';
import type { Clock } from '../../shared/clock';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import { newId } from '../../shared/ids';
import { testCardOf } from '../../shared/test-cards';
import { addMonths, endOfMonth, printMonthYear } from '../../shared/time';
import { schemeOf } from '../token-service/bin-table';
import type {
  CardUpdate,
  ProvisionedToken,
  SimulatedTokenService,
  TokenProvisioning,
} from '../token-service/token-service';
import { cryptogramOf } from './cryptogram';
import type { SandboxToken, SandboxTokenRepository } from './token.repository';
import { newTokenNumber, printPar, replacementCard, shapeOf } from './token-number';

/** A token lives that long from its provisioning, whatever the card's own expiry. */
const tokenLifetimeMonths = 36;
/** What EXTEND_EXPIRY adds to the card and to the token. */
const extensionMonths = 36;

const tokenPlace = { owner: 'sandbox-token-service', field: 'sandboxToken.token' } as const;
const insertAttemptsMax = 5;

export interface SandboxTokenServiceDeps {
  environment: Environment;
  tokens: SandboxTokenRepository;
  vault: Vault;
  clock: Clock;
  latencyMs: number;
}

export function createSandboxTokenService(deps: SandboxTokenServiceDeps): SimulatedTokenService {
  const { tokens, vault, clock, latencyMs } = deps;

  return {
    async provision(provisioning) {
      await latency(latencyMs);
      decideProvisioning(provisioning.card.account);
      return answerOf(vault, await insertOrJoin(deps, provisioning));
    },
    async cryptogram({ requestId, tokenReference }) {
      await latency(latencyMs);
      decideCryptogram(await tokens.find(tokenReference), clock.now());
      return cryptogramOf(vault, requestId, tokenReference);
    },
    async findProvisioning(requestId) {
      await latency(latencyMs);
      const token = await tokens.findByRequest(requestId);
      return token ? answerOf(vault, token) : null;
    },
    async release(requestId) {
      await latency(latencyMs);
      await tokens.leave(requestId);
    },
    suspend: (tokenReference) => tokens.change(tokenReference, { status: 'SUSPENDED' }),
    resume: (tokenReference) => tokens.change(tokenReference, { status: 'ACTIVE' }),
    discard: (tokenReference) => tokens.change(tokenReference, { status: 'DISCARDED' }),
    replaceCard: (tokenReference) => replaceCard(deps, tokenReference),
    async extendExpiry(tokenReference, accountExpiry) {
      const token = await known(tokens, tokenReference);
      const tokenExpiry = addMonths(token.tokenExpiry, extensionMonths);
      await tokens.change(tokenReference, { tokenExpiry });
      return { accountExpiry: addMonths(accountExpiry, extensionMonths), tokenExpiry };
    },
    async assignPar(tokenReference) {
      const par = printPar(randomBytes(32));
      await tokens.change(tokenReference, { par });
      return { par };
    },
    ensureIndexes: () => tokens.ensureIndexes(),
  };
}

/** Cards with an odd last digit have their account reference from the start; the others get it by ASSIGN_PAR. */
function hasParAtOnce(account: string): boolean {
  return Number(account.slice(-1)) % 2 === 1;
}

function decideProvisioning(account: string): void {
  const outcome = testCardOf(account)?.tokenization ?? 'TOKENIZED';
  if (outcome === 'FAILED') throw new DomainError('tokenServiceFailed');
  if (outcome !== 'TOKENIZED')
    throw new DomainError('tokenServiceRefused', 'The token service does not tokenize this card.');
}

function decideCryptogram(token: SandboxToken | null, now: Date): void {
  if (token?.status !== 'ACTIVE')
    throw new DomainError('tokenServiceRefused', 'The token is not active at the token service.');
  if (endOfMonth(token.tokenExpiry) <= now) throw new DomainError('tokenServiceRefused', 'The token has expired.');
}

/** A fresh token, or the live one of the same merchant and card: the unique index decides who was first. */
async function insertOrJoin(deps: SandboxTokenServiceDeps, provisioning: TokenProvisioning): Promise<SandboxToken> {
  const { tokens, vault } = deps;
  const { account } = provisioning.card;
  const cardHash = await vault.keyedHash('sandbox-token-service-card', account);
  for (let attempt = 1; attempt <= insertAttemptsMax; attempt += 1) {
    const token = await freshToken(deps, provisioning, cardHash);
    if (await tokens.insert(token)) return token;
    const joined = await tokens.join({ ...provisioning, cardHash }, provisioning.requestId);
    if (joined) return joined;
  }
  throw new DomainError('tokenServiceFailed');
}

async function freshToken(
  deps: SandboxTokenServiceDeps,
  provisioning: TokenProvisioning,
  cardHash: string,
): Promise<SandboxToken> {
  const { environment, vault, clock } = deps;
  const { requestId, acquirerId, merchantId, card } = provisioning;
  const scheme = schemeOf(card.account);
  if (!scheme)
    throw new DomainError('tokenServiceRefused', 'The card is not of a scheme that the token service knows.');
  const number = newTokenNumber(scheme);
  return {
    tokenReference: newId(),
    environment,
    acquirerId,
    merchantId,
    cardHash,
    tokenHash: await vault.keyedHash('sandbox-token-service-token', number),
    token: await vault.seal(tokenPlace, number),
    status: 'ACTIVE',
    tokenExpiry: addMonths(printMonthYear(clock.now()), tokenLifetimeMonths),
    par: hasParAtOnce(card.account) ? await parOf(vault, card.account) : null,
    cardShape: shapeOf(card.account),
    usedBy: [requestId],
    createdAt: clock.now(),
  };
}

async function replaceCard(
  { tokens, vault, clock }: SandboxTokenServiceDeps,
  tokenReference: string,
): Promise<CardUpdate> {
  const { cardShape } = await known(tokens, tokenReference);
  const account = replacementCard(cardShape);
  const cardHash = await vault.keyedHash('sandbox-token-service-card', account);
  await tokens.change(tokenReference, { cardHash, cardShape: shapeOf(account) });
  return { account, accountExpiry: addMonths(printMonthYear(clock.now()), extensionMonths + 12) };
}

async function known(tokens: SandboxTokenRepository, tokenReference: string): Promise<SandboxToken> {
  const token = await tokens.find(tokenReference);
  if (!token) throw new DomainError('tokenServiceRefused', 'The token service does not know the token.');
  return token;
}

async function answerOf(
  vault: Vault,
  { tokenReference, token, tokenExpiry, par }: SandboxToken,
): Promise<ProvisionedToken> {
  return { tokenReference, token: await vault.open(tokenPlace, token), tokenExpiry, par };
}

/** One card has one account reference, whoever tokenizes it. */
async function parOf(vault: Vault, account: string): Promise<string> {
  return printPar(Buffer.from(await vault.keyedHash('sandbox-token-service-par', account), 'base64url'));
}

async function latency(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
