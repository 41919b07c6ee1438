// Create token (tokenization interface, POST /virtual-accounts/token): from an encrypted card to a virtual account and a sealed token.

import type { Caller, TokenizationIdentifiers } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { Clock } from '../../shared/clock';
import { parseCompactJwe, type RecipientKey, sealTo } from '../../shared/crypto/jwe';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import { newOrderedId } from '../../shared/ids';
import { decideAgain } from '../../shared/store/decide-again';
import { slotOf } from '../../shared/store/slot';
import type { InTransaction, UpdateWrite } from '../../shared/store/unit-of-work';
import { checkEncryptedDataLength, checkIdentifiers, checkMerchantId } from '../field-rules';
import type { DecryptionKeyService } from '../keys/decryption-key.service';
import { type AccountData, checkAccountData, parseAccountData } from '../token-service/account-data';
import { schemeOf } from '../token-service/bin-table';
import type { GuardedTokenService } from '../token-service/circuit-breaker';
import { checkOwnership, decideAgreement, type ReadAgreement, type TokenAgreement } from './agreement';
import { provisionToken } from './provisioning.service';
import type { ProvisioningIntentRepository } from './provisioning-intent.repository';
import { decideRenewal, eventData, mask, type VirtualAccount } from './virtual-account';
import { virtualAccountEvent } from './virtual-account.events';
import type { HeldAccount, VirtualAccountRepository } from './virtual-account.repository';

export interface CreateVirtualAccount {
  identifiers: TokenizationIdentifiers;
  merchantId: string;
  /** Compact JWE of the account data, sealed to one of our published keys. */
  encryptedData: string;
}

export interface CreatedVirtualAccount {
  virtualAccount: VirtualAccount;
  /** Compact JWE of `{ token, tokenExpiry }`, sealed to the caller's registered key. */
  encryptedData: string;
}

/** The caller's newest active encryption key; null: it has none. */
export type ReadRecipientKey = (caller: Caller) => Promise<RecipientKey | null>;

export interface VirtualAccountDeps {
  accounts: VirtualAccountRepository;
  intents: ProvisioningIntentRepository;
  decryptionKeys: DecryptionKeyService;
  tokenService: GuardedTokenService;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  vault: Vault;
  clock: Clock;
  readAgreement: ReadAgreement;
  recipientKey: ReadRecipientKey;
}

/** A card that passed every check, and where it is to be tokenized. */
interface CardTokenization {
  card: AccountData;
  cardHash: string;
  agreement: TokenAgreement;
  recipient: RecipientKey;
  request: CreateVirtualAccount;
}

/**
 * Tokenizes a card. The same card again gives the same live account and a fresh envelope; where it was renewed, the account has its new expiry.
 * Refuses in the fixed order: payloadTooLarge, invalidInput, forbidden, invalidInput, agreementInactive, cryptographyFailed, invalidInput,
 * invalidData, binNotTokenizable, tokenServiceRefused, tokenServiceFailed, unavailable.
 */
export function createVirtualAccount(
  deps: VirtualAccountDeps,
  context: RequestContext,
  request: CreateVirtualAccount,
): Promise<CreatedVirtualAccount> {
  return deps.idempotent<CreatedVirtualAccount>(context, 'createVirtualAccount', async (complete) => {
    const tokenization = await check(deps, context.caller, request);
    return decideAgain(async () => {
      const { agreement, cardHash } = tokenization;
      const { acquirerId } = request.identifiers;
      const { environment } = context.caller;
      const known = await deps.accounts.findLiveByCard({
        environment,
        acquirerId,
        merchantId: request.merchantId,
        cardHash,
      });
      if (known && known.account.accountId === agreement.accountId)
        return again(deps, context, { tokenization, known, complete });
      return create(deps, context, { tokenization, complete });
    });
  });
}

/** Every check up to the token service, in the fixed order. */
async function check(
  deps: VirtualAccountDeps,
  caller: Caller,
  request: CreateVirtualAccount,
): Promise<CardTokenization> {
  const { identifiers, merchantId, encryptedData } = request;
  checkEncryptedDataLength(encryptedData);
  checkIdentifiers(identifiers);
  checkOwnership(caller, identifiers);
  checkMerchantId(merchantId);
  const jwe = parseCompactJwe(encryptedData, 'accountInfo.encryptedData');
  const agreement = decideAgreement(
    await deps.readAgreement(caller.environment, identifiers, merchantId),
    caller.accountId,
  );
  const recipient = await requireRecipient(deps.recipientKey, caller);
  const card = parseAccountData(await deps.decryptionKeys.open(jwe));
  checkAccountData(card, deps.clock.now());
  const scheme = schemeOf(card.account);
  if (!scheme) throw new DomainError('binNotTokenizable');
  if (!agreement.schemes.includes(scheme))
    throw new DomainError('binNotTokenizable', 'The scheme is disabled for the agreement.');
  return { card, cardHash: await cardHashOf(deps.vault, card.account), agreement, recipient, request };
}

/** The key to seal results to; refuses with `cryptographyFailed` before the token service hears anything. */
export async function requireRecipient(recipientKey: ReadRecipientKey, caller: Caller): Promise<RecipientKey> {
  const recipient = await recipientKey(caller);
  if (!recipient)
    throw new DomainError('cryptographyFailed', 'The caller has registered no key to seal the result to.');
  return recipient;
}

/** What a card is looked up by. */
export function cardHashOf(vault: Vault, account: string): Promise<string> {
  return vault.keyedHash('card', account);
}

interface KnownAccount {
  tokenization: CardTokenization;
  known: HeldAccount;
  complete: (result: CreatedVirtualAccount) => UpdateWrite[];
}

/** The live account of the card, with the later expiry of one that was renewed. */
async function again(
  deps: VirtualAccountDeps,
  context: RequestContext,
  { tokenization, known, complete }: KnownAccount,
): Promise<CreatedVirtualAccount> {
  const { account, holding } = known;
  const renewal = decideRenewal(account, tokenization.card.accountExpiry, deps.clock.now());
  const virtualAccount = renewal?.next ?? account;
  const token = await deps.vault.open({ owner: account.accountId, field: 'virtualAccount.token' }, holding.token);
  const encryptedData = sealTo(tokenization.recipient, { token, tokenExpiry: account.tokenExpiry });
  const result = { virtualAccount, encryptedData };
  const updates = complete(result);
  if (renewal)
    await deps.inTransaction({
      updates: [deps.accounts.updateOf(account, virtualAccount), ...updates],
      events: [virtualAccountEvent(context, virtualAccount, renewal.event)],
    });
  else if (updates.length > 0) await deps.inTransaction({ updates });
  return result;
}

async function create(
  deps: VirtualAccountDeps,
  context: RequestContext,
  { tokenization, complete }: Omit<KnownAccount, 'known'>,
): Promise<CreatedVirtualAccount> {
  const { card, agreement, recipient, request } = tokenization;
  const { environment } = context.caller;
  const { accountId } = agreement;
  const order = {
    environment,
    accountId,
    acquirerId: request.identifiers.acquirerId,
    merchantId: request.merchantId,
    card,
  };
  const { provisioningId, provisioned } = await provisionToken(deps, order);
  const { token, tokenExpiry, tokenReference } = provisioned;
  const account = newAccount(tokenization, context, { ...provisioned, at: deps.clock.now() });
  const holding = {
    cardHash: tokenization.cardHash,
    tokenReference,
    provisioningId,
    token: await deps.vault.seal({ owner: accountId, field: 'virtualAccount.token' }, token),
  };
  const result = { virtualAccount: account, encryptedData: sealTo(recipient, { token, tokenExpiry }) };
  try {
    await deps.inTransaction({
      inserts: [deps.accounts.insertOf({ account, holding })],
      updates: complete(result),
      removals: [deps.intents.completedOf(provisioningId)],
      events: [virtualAccountEvent(context, account, { type: 'virtualAccount.created', data: eventData(account) })],
    });
  } catch (error) {
    // Another request was first with this card, or the janitor with this intent. When even this write fails, the janitor finds it.
    await deps.inTransaction({ updates: [deps.intents.abandonedOf(provisioningId)] }).catch(() => undefined);
    throw error;
  }
  return result;
}

function newAccount(
  { card, agreement, request }: CardTokenization,
  { caller }: RequestContext,
  { token, tokenExpiry, par, at }: { token: string; tokenExpiry: string; par: string | null; at: Date },
): VirtualAccount {
  const { acquirerId, providerId, pspId } = request.identifiers;
  return {
    virtualAccountId: newOrderedId(slotOf({ merchantId: request.merchantId, accountId: agreement.accountId })),
    environment: caller.environment,
    accountId: agreement.accountId,
    merchantId: request.merchantId,
    acquirerId,
    providerId,
    pspId,
    agreementId: agreement.agreementId,
    state: 'ACTIVE',
    par,
    accountMasked: mask(card.account),
    accountExpiry: card.accountExpiry,
    tokenMasked: mask(token),
    tokenExpiry,
    reasonCode: null,
    createdAt: at,
    updatedAt: at,
    version: 1,
    sequence: 1,
  };
}
