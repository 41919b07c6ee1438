// What payments are found by that no other index serves, as one number each: the card's last digits with its expiry, and the payer's e-mail.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../../shared/callers/caller';
import { withoutUndefined } from '../../shared/present-members';
import type { SearchedCard } from '../../shared/search';
import type { Payment } from './payment';

interface SearchKeyOwner {
  environment: Environment;
  accountId: string;
}

/** Below a card come the keys of all accounts whose payments were made with one like it. */
const ownersOfCard = 2 ** 24;
const emailBytes = 6;

/** The keys of a payment: a card has one, an e-mail has one, and most of what else is paid with has none. `tried`: the card of an attempt that came to nothing. */
export function searchKeysOf(
  payment: Payment,
  tried: SearchedCard | null = null,
): { cardKey?: number; emailKey?: number } {
  const card = payment.instrument?.card ?? tried;
  const email = emailOf(payment);
  return withoutUndefined({
    cardKey: card ? cardKeyOf(card, payment) : undefined,
    emailKey: email ? emailKeyOf(email) : undefined,
  });
}

/** The key of an account's payments with such a card. */
export function cardKeyOf(card: SearchedCard, { environment, accountId }: SearchKeyOwner): number {
  return placeOf(card) * ownersOfCard + (crc32(`${environment} ${accountId}`) >>> 8);
}

/** The keys of everybody's. */
export function cardKeysOf(card: SearchedCard): { $gte: number; $lt: number } {
  const place = placeOf(card);
  return { $gte: place * ownersOfCard, $lt: (place + 1) * ownersOfCard };
}

/** A digest, so that the index does not hold the e-mail once more. */
export function emailKeyOf(email: string): number {
  return createHash('sha256').update(email.toLowerCase()).digest().readUIntBE(0, emailBytes);
}

/** Four digits and a month of a hundred years: below 2^24, so that a key is a whole number of 48 bits. */
function placeOf({ lastFour, expiry }: SearchedCard): number {
  const [month, year] = expiry.split('/').map(Number) as [number, number];
  return Number(lastFour) * 1_200 + year * 12 + month - 1;
}

interface WithEmail {
  customer?: { email?: string } | null;
  method?: { customerEmail?: string } | null;
}

/** As the shop gave it, of whichever family. */
function emailOf({ operationDefaults, details }: Payment): string | undefined {
  const { customer, method } = details as WithEmail;
  const given = operationDefaults.customerInfo?.['cardHolderEmail'] as string | undefined;
  return given ?? customer?.email ?? method?.customerEmail;
}
