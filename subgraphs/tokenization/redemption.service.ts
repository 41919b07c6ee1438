// Redeems a card token with its one-time cryptogram for a payment of the same tenant (document 1, tokens and cryptograms; document 2 A, PaymentWithToken).
import type { CryptogramRedemption, RedeemCryptogram, RedeemedToken } from './cryptogram-redemption';
import type { VirtualAccountRepository } from './virtual-account.repository';

export interface RedemptionDeps {
  accounts: VirtualAccountRepository;
  redemption: CryptogramRedemption;
}

/** Null when the token is unknown, foreign or not ACTIVE, or when the cryptogram is not its own or spent: the caller is not told which. */
export async function redeemCryptogram(
  { accounts, redemption }: RedemptionDeps,
  { environment, accountId, token, cryptogram, usedFor }: RedeemCryptogram,
): Promise<RedeemedToken | null> {
  if (!/^\d{16}$/.test(token) || !/^[A-Za-z0-9+/]{27}=$/.test(cryptogram)) return null;
  const tokenReference = await redemption.findToken(token);
  if (!tokenReference) return null;
  const account = await accounts.findByToken({ environment, accountId, tokenReference });
  if (account?.state !== 'ACTIVE') return null;
  if (!(await redemption.spend({ tokenReference, cryptogram, usedFor }))) return null;
  const { accountMasked, tokenExpiry, virtualAccountId } = account;
  return {
    number: (await redemption.fundingNumber(tokenReference)) ?? token,
    expiry: `${tokenExpiry.slice(0, 2)}/${tokenExpiry.slice(-2)}`,
    ...{ accountMasked, virtualAccountId },
  };
}
