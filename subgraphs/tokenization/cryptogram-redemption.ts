// A card token paid with: the network's side of token and cryptogram, as payments may ask for it (documents 1 and 2, PaymentWithToken).
import type { Environment } from '../shared/caller';

/** What the network knows about tokens and cryptograms. Each call may reject with `unavailable`. */
export interface CryptogramRedemption {
  /** The provider's reference of a live token; null when there is none. */
  findToken(token: string): Promise<string | null>;
  /**
   * Spends a cryptogram: true once, and again only for the same `usedFor`; false when it does not belong to the token or was spent.
   */
  spend(redemption: { tokenReference: string; cryptogram: string; usedFor: string }): Promise<boolean>;
  /** The card number that the acquirer is to be asked about, where it is not the token itself (test cards of the sandbox). */
  fundingNumber(tokenReference: string): Promise<string | null>;
}

/** A token with its cryptogram, as a merchant pays with it. */
export interface RedeemCryptogram {
  environment: Environment;
  /** The tenant that pays; a token of another one looks like none. */
  accountId: string;
  token: string;
  cryptogram: string;
  /** What it is spent on: the same one may ask again, for example after an interruption. */
  usedFor: string;
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
