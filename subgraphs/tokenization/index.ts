// Tokenization: virtual accounts, transaction credentials, token lifecycle, our decryption keys (tokenization interface).
import type { Connection } from 'mongoose';
import type { RequestContext } from '../shared/callers/context';
import type { Clock } from '../shared/clock';
import type { Config } from '../shared/config';
import { createJwePool, threadsPerProcess } from '../shared/crypto/jwe-pool';
import type { Vault } from '../shared/crypto/vault';
import { DomainError } from '../shared/errors';
import { classesOf } from '../shared/graph/classes-of';
import { MoneyResolver } from '../shared/graph/money.resolver';
import { MoneyType } from '../shared/graph/money.type';
import { PageInfoType } from '../shared/graph/page.type';
import type { SubgraphDefinition } from '../shared/graph/subgraph';
import type { Idempotent } from '../shared/idempotency/idempotency';
import type { Metrics } from '../shared/log/metrics';
import type { Find } from '../shared/search';
import { allSlots, isFirst, type SlotRange } from '../shared/store/slot';
import type { InTransaction } from '../shared/store/unit-of-work';
import type { DecryptionKey } from './keys/decryption-key';
import { createDecryptionKeyRepository } from './keys/decryption-key.repository';
import { DecryptionKeyResolver } from './keys/decryption-key.resolver';
import { createDecryptionKeyService, type RecordKeyChange } from './keys/decryption-key.service';
import { DecryptionKeyType } from './keys/decryption-key.type';
import { createSandboxDirectory } from './sandbox/directory.service';
import { TestCardResolver } from './sandbox/test-card.resolver';
import { TestCardType } from './sandbox/test-card.type';
import { createSandboxTokenRepository } from './sandbox/token.repository';
import { createSandboxTokenService } from './sandbox/token.service';
import { guardLimits, guardTokenService } from './token-service/circuit-breaker';
import type { RedeemCryptogram, RedeemedToken, TokenDirectory } from './token-service/token-directory';
import type { TokenService } from './token-service/token-service';
import { unconfiguredDirectory, unconfiguredTokenService } from './token-service/unconfigured-token-service';
import type { ReadAgreement } from './tokens/agreement';
import { type SettledOutcomes, settleUnknownOutcomes } from './tokens/provisioning.service';
import { createProvisioningIntentRepository } from './tokens/provisioning-intent.repository';
import { recent } from './tokens/recent';
import { applyIssuerEvent } from './tokens/token-state.service';
import { virtualAccountMerchantReference, virtualAccountReference } from './tokens/virtual-account.reference';
import { createVirtualAccountRepository } from './tokens/virtual-account.repository';
import { MerchantVirtualAccountsResolver, VirtualAccountResolver } from './tokens/virtual-account.resolver';
import type { ReadRecipientKey } from './tokens/virtual-account.service';
import * as accountTypes from './tokens/virtual-account.type';
import { createVirtualAccountSearch } from './tokens/virtual-account-search.repository';
import { CardOperationResolver } from './transactions/card-operation.resolver';
import { credentialsMsMax } from './transactions/card-transaction';
import { createCardTransactionRepository } from './transactions/card-transaction.repository';
import { CardTransactionResolver } from './transactions/card-transaction.resolver';
import * as transactionTypes from './transactions/card-transaction.type';
import { redeemCryptogram } from './transactions/redemption.service';

export type { VirtualAccountEventData } from './tokens/virtual-account';

export interface TokenizationDeps {
  connection: Connection;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  clock: Clock;
  vault: Vault;
  config: Pick<Config, 'environment' | 'isSandbox' | 'CRYPTO_THREADS' | 'PROCESSES' | 'TOKEN_SERVICE_LATENCY_MS'>;
  /** The merchants domain's answer about an identifier triple and a merchant. */
  readAgreement: ReadAgreement;
  /** The access domain's answer about the caller's newest active encryption key. */
  recipientKey: ReadRecipientKey;
  /** The access domain's audit record of a staff action, as a write. */
  audit: RecordKeyChange;
  metrics?: Pick<Metrics, 'tokenService' | 'unknownOutcomes'>;
  /** A provider's connector; the sandbox has its own. */
  tokenService?: TokenService;
  /** What the network says about tokens and cryptograms that are paid with; the sandbox has its own. */
  directory?: TokenDirectory;
}

export interface Tokenization {
  subgraph: SubgraphDefinition;
  /** What the domain finds by a text, of what the caller may see. */
  find: Find;
  /** Settles calls to the token service whose outcome stayed unknown, of those slots; run every few seconds. */
  settleUnknownOutcomes(slots?: SlotRange): Promise<SettledOutcomes>;
  /** Drops envelopes that no repetition can ask for any more, of those slots; run every minute. */
  forgetEnvelopes(slots?: SlotRange): Promise<number>;
  rollDecryptionKey(context: RequestContext): Promise<DecryptionKey[]>;
  retireDecryptionKey(context: RequestContext, kid: string): Promise<DecryptionKey[]>;
  /** A token and its cryptogram for a payment of the same tenant; null when they are not good for one. */
  redeemCryptogram(request: RedeemCryptogram): Promise<RedeemedToken | null>;
  ensureIndexes(): Promise<void>;
  /** Ends the key threads. */
  close(): Promise<void>;
}

/** Wires the domain; nothing is read and no thread is started before the first request, so a connection that is not open will do for the contract. */
export function createTokenization(deps: TokenizationDeps): Tokenization {
  const { connection, clock, vault, config } = deps;
  const { environment, isSandbox } = config;
  const accounts = createVirtualAccountRepository(connection);
  const transactions = createCardTransactionRepository(connection);
  const intents = createProvisioningIntentRepository(connection);
  const keys = createDecryptionKeyRepository(connection, environment);
  const pool = createJwePool(threadsPerProcess(config));
  const decryptionKeys = createDecryptionKeyService({ ...deps, environment, keys, pool });
  const sandboxTokens = createSandboxTokenRepository(connection, environment);
  const latencyMs = config.TOKEN_SERVICE_LATENCY_MS;
  const simulator = createSandboxTokenService({ environment, tokens: sandboxTokens, vault, clock, latencyMs });
  const tokenService = guardTokenService(
    deps.tokenService ?? (isSandbox ? simulator : unconfiguredTokenService()),
    guardLimits,
    ({ call, outcome, seconds }) => deps.metrics?.tokenService.observe({ call, outcome }, seconds),
  );
  const directory =
    deps.directory ??
    (isSandbox ? createSandboxDirectory({ tokens: sandboxTokens, vault, clock }) : unconfiguredDirectory());
  const readAgreement = recentAgreements(deps.readAgreement);
  const services = { ...deps, accounts, transactions, intents, decryptionKeys, tokenService, readAgreement };

  const subgraph: SubgraphDefinition = {
    name: 'tokenization',
    resolvers: [
      new CardOperationResolver(services),
      new VirtualAccountResolver(services, (context, virtualAccountId, trigger) => {
        if (!isSandbox) throw new DomainError('notFound', 'There are no issuer events to order in production.');
        return applyIssuerEvent({ ...services, simulator }, context, { virtualAccountId, trigger });
      }),
      new MerchantVirtualAccountsResolver(services),
      new DecryptionKeyResolver(decryptionKeys),
      new TestCardResolver(isSandbox),
      new CardTransactionResolver(),
      new MoneyResolver(),
    ],
    types: [...classesOf(accountTypes, transactionTypes), PageInfoType, DecryptionKeyType, TestCardType, MoneyType],
    references: { VirtualAccount: virtualAccountReference(accounts), Merchant: virtualAccountMerchantReference },
  };

  return {
    subgraph,
    find: createVirtualAccountSearch(deps.connection),
    async settleUnknownOutcomes(slots = allSlots) {
      const outcomes = await settleUnknownOutcomes(services, slots);
      if (isFirst(slots)) deps.metrics?.unknownOutcomes.set(await intents.countOpen());
      return outcomes;
    },
    forgetEnvelopes: (slots = allSlots) =>
      transactions.forgetEnvelopes(environment, new Date(clock.now().getTime() - credentialsMsMax), slots),
    rollDecryptionKey: decryptionKeys.roll,
    retireDecryptionKey: decryptionKeys.retire,
    redeemCryptogram: (request) => redeemCryptogram({ accounts, transactions, directory, vault, clock }, request),
    ensureIndexes: async () => {
      await Promise.all(
        [accounts, transactions, intents, keys, sandboxTokens].map((repository) => repository.ensureIndexes()),
      );
    },
    close: () => pool.close(),
  };
}

/** A refusal is asked again each time; a permission may be a moment old. */
function recentAgreements(readAgreement: ReadAgreement): ReadAgreement {
  const read = recent(
    (key) => readAgreement(...(JSON.parse(key) as Parameters<ReadAgreement>)),
    (facts) => facts?.status === 'ACTIVE' && facts.merchant?.status === 'ACTIVE',
  );
  return (...parameters) => read(JSON.stringify(parameters));
}
