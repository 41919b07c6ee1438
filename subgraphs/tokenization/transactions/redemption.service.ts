// Redeems a card token with its one-time cryptogram for the payment that it was made for (tokenization interface, tokens and cryptograms; payment service, PaymentWithToken).
import type { Clock } from '../../shared/clock';
import type { Vault } from '../../shared/crypto/vault';
import { numericCurrency } from '../../shared/money';
import type { RedeemCryptogram, RedeemedToken, TokenDirectory } from '../token-service/token-directory';
import type { VirtualAccountRepository } from '../tokens/virtual-account.repository';
import { type CardTransaction, credentialsMsMax } from './card-transaction';
import type { CardTransactionRepository } from './card-transaction.repository';

export interface RedemptionDeps {
  accounts: VirtualAccountRepository;
  transactions: CardTransactionRepository;
  directory: TokenDirectory;
  vault: Vault;
  clock: Clock;
}

/**
 * Null when the token is unknown, foreign or not ACTIVE, or when the cryptogram was made for another token, merchant, amount or currency, is over
 * or spent: the caller is not told which. A refusal spends nothing.
 */
export async function redeemCryptogram(deps: RedemptionDeps, request: RedeemCryptogram): Promise<RedeemedToken | null> {
  const { environment, accountId, merchantId, token, cryptogram, usedFor, againWithinMs } = request;
  const owner = { environment, accountId, merchantId };
  if (!/^\d{16}$/.test(token) || !/^[A-Za-z0-9+/]{27}=$/.test(cryptogram)) return null;
  const tokenReference = await deps.directory.findToken(token);
  if (!tokenReference) return null;
  const account = await deps.accounts.findActiveByToken({ ...owner, tokenReference });
  if (!account) return null;
  const cryptogramHash = await cryptogramHashOf(deps.vault, cryptogram);
  const transaction = await deps.transactions.findByCryptogram({ ...owner, cryptogramHash });
  if (transaction?.virtualAccountId !== account.virtualAccountId || !isMadeFor(transaction, request)) return null;
  const nowMs = deps.clock.now().getTime();
  if (againWithinMs !== null && nowMs - transaction.createdAt.getTime() >= againWithinMs) return null;
  const madeAfter = new Date(nowMs - credentialsMsMax);
  if (!(await deps.transactions.spend(transaction, usedFor, madeAfter))) return null;
  const { accountMasked, tokenExpiry, virtualAccountId } = account;
  return {
    number: (await deps.directory.fundingNumber(tokenReference)) ?? token,
    expiry: `${tokenExpiry.slice(0, 2)}/${tokenExpiry.slice(-2)}`,
    accountMasked,
    virtualAccountId,
  };
}

/** What is kept of a cryptogram, to know it again. */
export const cryptogramHashOf = (vault: Vault, cryptogram: string) =>
  vault.keyedHash('card-transaction-cryptogram', cryptogram);

function isMadeFor(transaction: CardTransaction, { merchantId, amountMinor, currency }: RedeemCryptogram): boolean {
  return (
    transaction.merchantId === merchantId &&
    BigInt(transaction.amount) === amountMinor &&
    transaction.currencyCode === numericCurrency(currency)
  );
}
