// A card token paid with: what payments hand over, what they get, and what the network is asked about a token (tokenization and payment interfaces, PaymentWithToken).
import type { Environment } from '../../shared/callers/caller';

/** What the network knows about tokens. Each call may reject with `unavailable`. */
export interface TokenDirectory {
  /** The provider's reference of a live token; null when there is none. */
  findToken(token: string): Promise<string | null>;
  /** The card number that the acquirer is to be asked about, where it is not the token itself (test cards of the sandbox). */
  fundingNumber(tokenReference: string): Promise<string | null>;
}

/** A token with its cryptogram, as a merchant pays with it. */
export interface RedeemCryptogram {
  environment: Environment;
  /** The tenant that pays; a token of another one looks like none. */
  accountId: string;
  merchantId: string;
  token: string;
  cryptogram: string;
  /** What is charged; null where the payment has no amount yet, which no cryptogram is good for. */
  amountMinor: bigint | null;
  /** ISO 4217, alphabetic. */
  currency: string;
  /** What it is spent on: the same one may ask again, for example after an interruption. */
  usedFor: string;
  /** For how long the same one may, from when the cryptogram was made; null: whenever. */
  againWithinMs: number | null;
}

/** What can be charged in place of a card. */
export interface RedeemedToken {
  /** For the acquirer alone; never stored, never logged. */
  number: string;
  /** MM/YY. */
  expiry: string;
  /** The card behind the token: first six, stars, last four. */
  accountMasked: string;
  virtualAccountId: string;
}
