// What the domain asks of an acquirer: to keep a card, and to move money by a call that has an id of ours, so that nothing is ever done twice (payment service and B).
import type { OperationType } from '../../shared/vocabulary/operation';

/** `authorize` may capture at once; `cancelCapture` takes back a capture of the same day. */
export const acquirerOrderKinds = ['authorize', 'capture', 'refund', 'void', 'cancelCapture'] as const;
export type AcquirerOrderKind = (typeof acquirerOrderKinds)[number];

export interface AcquirerOrder {
  /** Ours; the acquirer's idempotency key. */
  callId: string;
  kind: AcquirerOrderKind;
  paymentId: string;
  merchantId: string;
  /** What `register` gave for the card. */
  reference: string;
  type: OperationType;
  /** Minor units. */
  amountMinor: bigint;
  currency: string;
  captureNow: boolean;
  /** How the payer was authenticated: `challenge`, `frictionless`, `exempted`, `none`. */
  threeDs: string;
  isMerchantInitiated: boolean;
}

export const acquirerResults = ['APPROVED', 'DECLINED', 'DENIED_BY_RISK', 'FAILED', 'CANCELLED', 'PENDING'] as const;
export type AcquirerResult = (typeof acquirerResults)[number];

export interface AcquirerAnswer {
  result: AcquirerResult;
  /** Circuit-defined unique transaction identifier. */
  endToEndId: string | null;
  /** Printed with the operation: authorizationCode, responseReason ... */
  additionalData: Record<string, unknown>;
  /** PENDING: when it makes sense to ask, on the one clock. */
  askAgainAfterMs?: number;
}

/** Reason of a refusal (`additionalData.responseReason`) that the payer's authentication would cure. */
export const authenticationNeeded = 'authentication_required';

export interface CardToRegister {
  accountId: string;
  merchantId: string;
  card: { number: string /** MM/YY */; expiry: string; cvv?: string | null; holder?: string | null };
  /** `challenge`, `frictionless`, `exempted`, `none`. */
  threeDs: string;
}

type RegisteredCard = {
  /** The acquirer's reference; never a card number. */
  reference: string;
  /** VISA, MC, AMEX, DINERS ... */
  circuit: string;
  /** Method-specific keys, for example cardCountry. */
  additionalData: Record<string, unknown>;
};

export interface Acquirer {
  /** Keeps a card so that it can be charged without its number. */
  register(input: CardToRegister): Promise<RegisteredCard>;
  /** Rejects when it does not answer: the outcome is unknown then. Repeating a call id gives the first answer. */
  send(order: AcquirerOrder): Promise<AcquirerAnswer>;
  /** What became of a call. Null: it never arrived, and from now on it is refused should it arrive. */
  ask(callId: string): Promise<AcquirerAnswer | null>;
}

/** What an outcome is when the acquirer never heard of the call, or stayed silent for good. */
export const noAnswerAnywhere: AcquirerAnswer = {
  result: 'FAILED',
  endToEndId: null,
  additionalData: { responseReason: 'no_answer' },
};
