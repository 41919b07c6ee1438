// The card between keyboard and acquirer: its parts opened together, for the moments in which they are needed (hosted checkout, cardData).

import { circuitOf } from '../connectors/card-brand';
import type { CardEntry } from '../sessions/card-entry';
import type { CardData, CardFieldId, CheckoutSession } from '../sessions/checkout-session';
import type { CheckoutDeps } from '../sessions/checkout-session.service';

export interface EnteredCard {
  number: string;
  /** MM/YY. */
  expiry: string;
  cvv: string;
  holder: string;
  circuit: string;
}

/** Without these nothing can be paid; the e-mail address is optional. */
export const requiredFields = ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME'] as const;

type EnteredCardDeps = Pick<CheckoutDeps, 'cards' | 'vault' | 'clock'>;

/** Null when a required part is missing, or has outlived its minutes. */
export async function openCard(
  { vault }: Pick<EnteredCardDeps, 'vault'>,
  { accountId }: CheckoutSession,
  { parts }: Pick<CardEntry, 'parts'>,
): Promise<EnteredCard | null> {
  const open = async (field: CardFieldId): Promise<string | null> => {
    const sealed = parts[field];
    return sealed ? vault.open({ owner: accountId, field: `cardEntry.${field}` }, sealed) : null;
  };
  const [number, expiry, cvv, holder] = await Promise.all(requiredFields.map(open));
  if (!number || !expiry || !cvv || !holder) return null;
  return { number, expiry, cvv, holder, circuit: circuitOf(number) };
}

/** What may be shown of a card. */
export function cardDataOf({ number, expiry, circuit }: EnteredCard): CardData {
  return { bin: number.slice(0, 6), circuit, expiry, lastFour: number.slice(-4) };
}
