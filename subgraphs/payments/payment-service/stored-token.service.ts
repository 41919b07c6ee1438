// What a token is charged as: a consent stored by an earlier payment, or a card token of the tokenization interface with its cryptogram (payment service, PaymentWithToken and MerchantInitiatedPaymentWithToken; 2.6 of the decision register).
import type { Caller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import { idempotencyKeptMs } from '../../shared/idempotency/idempotency-record';
import { sha256 } from '../../shared/ids';
import { printFixedOffset } from '../../shared/time';
import type { Contract } from '../contracts/contract';
import type { Money } from '../money/money';
import type { Instrument } from '../payment/instrument';
import type { Payment } from '../payment/payment';
import type { RedeemToken } from '../ports';
import { accountFields, isAccount } from './payment-method-details';
import { factsOf, holdsAccount, type PaymentServiceFacts } from './payment-service';

/** What a payment with a token is charged with. */
interface ChargedToken {
  instrument: Instrument;
  /** The stored consent behind it; null for a card token of the tokenization interface. */
  contractId: string | null;
}

/** Refuses with `paymentMethodMissing`, or `merchantInitiatedRefused` where the merchant alone asked. */
export type ReadChargedToken = (context: RequestContext, charge: TokenCharge) => Promise<ChargedToken>;

/** A payment that is to be charged with a token. */
interface TokenCharge {
  payment: Payment;
  facts: PaymentServiceFacts;
  /** What is charged, minor units; null while the payment has no amount. */
  amountMinor: bigint | null;
}

export interface StoredTokenDeps {
  vault: Vault;
  money: Pick<Money, 'registerInstrument' | 'findPayment' | 'alternativeMethods'>;
  clock: { now(): Date };
  /** Null when there is no such consent among the caller's, or the secret is another. */
  findConsent(caller: Caller, stored: StoredToken): Promise<Contract | null>;
  redeemToken: RedeemToken;
}

export function createChargedTokens(deps: StoredTokenDeps): ReadChargedToken {
  return async (context, { payment, facts, amountMinor }) => {
    if (holdsAccount(facts)) return fromAccount(deps, payment, facts);
    const stored = await openToken(deps.vault, payment, facts);
    const found =
      stored &&
      ((await fromConsent(deps, context, payment, stored)) ??
        (await fromCardToken(deps, context, { payment, amountMinor, stored })));
    if (found) return found;
    // One text for everything that can be wrong: which part was right is nobody's business.
    const message = 'The token and its secret name nothing that can be charged.';
    const isByMerchant = facts.method?.type === 'MerchantInitiatedPaymentWithToken';
    throw new DomainError(isByMerchant ? 'merchantInitiatedRefused' : 'paymentMethodMissing', message);
  };
}

/** A bank account or a wallet that the merchant named: kept by the method's connector, debited by what it gave for it. */
async function fromAccount(
  { vault, money }: StoredTokenDeps,
  { accountId }: Payment,
  { method, sealedMethod }: PaymentServiceFacts,
): Promise<ChargedToken> {
  const type = method?.type;
  if (!isAccount(type) || !sealedMethod) throw new Error('a payment without an account to debit');
  const secrets = JSON.parse(await vault.open({ owner: accountId, field: 'payment.method' }, sealedMethod)) as Record<
    string,
    string
  >;
  const kind = type === 'MobileWallet' ? 'WALLET' : 'SEPA_DIRECT_DEBIT';
  const secret = secrets[accountFields[type]] ?? '';
  const { reference, circuit, info } = await money.alternativeMethods.register({ accountId, kind, secret });
  const instrument: Instrument = {
    reference,
    method: 'APM',
    circuit,
    info,
    card: null,
    additionalData: {},
    threeDs: 'none',
    endToEndId: null,
  };
  return { instrument, contractId: null };
}

/** As the merchant sends it. */
export interface StoredToken {
  token: string;
  tokenSecret: string;
}

async function openToken(vault: Vault, payment: Payment, facts: PaymentServiceFacts): Promise<StoredToken | null> {
  if (!facts.sealedMethod) return null;
  const secret = JSON.parse(
    await vault.open({ owner: payment.accountId, field: 'payment.method' }, facts.sealedMethod),
  ) as Partial<StoredToken>;
  const { token, tokenSecret } = secret;
  return token === undefined || tokenSecret === undefined ? null : { token, tokenSecret };
}

async function fromConsent(
  deps: StoredTokenDeps,
  { caller }: RequestContext,
  payment: Payment,
  stored: StoredToken,
): Promise<ChargedToken | null> {
  const consent = await deps.findConsent(caller, stored);
  if (consent?.merchantId !== payment.merchantId) return null;
  const origin = await deps.money.findPayment(caller, consent.originPaymentId);
  const until = (origin && factsOf(origin)?.method?.['expiryDate']) ?? consent.expiryDate;
  if (isPast(until as string | null, deps.clock.now())) return null;
  return { instrument: consent.instrument, contractId: consent.contractId };
}

async function fromCardToken(
  deps: StoredTokenDeps,
  context: RequestContext,
  { payment, amountMinor, stored }: Omit<TokenCharge, 'facts'> & { stored: StoredToken },
): Promise<ChargedToken | null> {
  const { environment, accountId, merchantId, currency } = payment;
  const redeemed = await deps.redeemToken({
    environment,
    accountId,
    merchantId,
    token: stored.token,
    cryptogram: stored.tokenSecret,
    amountMinor,
    currency,
    ...purposeOf(context, payment),
  });
  if (!redeemed) return null;
  const { number, expiry, accountMasked } = redeemed;
  const instrument = await deps.money.registerInstrument(context, {
    accountId,
    merchantId,
    card: { number, expiry },
    threeDs: 'none',
  });
  return { instrument: { ...instrument, info: accountMasked }, contractId: null };
}

/**
 * The repetition of an interrupted call spends the cryptogram on the same thing. After its day a key stands for another request, which opens another
 * payment: a request that knows the cryptogram begins after it was made, so its key is kept for as long as the purpose at least.
 */
function purposeOf(
  { caller, idempotency }: RequestContext,
  { paymentId }: Payment,
): Pick<Parameters<RedeemToken>[0], 'usedFor' | 'againWithinMs'> {
  if (!idempotency) return { usedFor: paymentId, againWithinMs: null };
  const { scope, key, fingerprint } = idempotency;
  const usedFor = sha256(JSON.stringify([caller.credentialId, scope, key, fingerprint]));
  return { usedFor, againWithinMs: idempotencyKeptMs };
}

/** A day is good to its end, at +01:00. */
function isPast(day: string | null, now: Date): boolean {
  return day !== null && day < printFixedOffset(now).slice(0, 10);
}
