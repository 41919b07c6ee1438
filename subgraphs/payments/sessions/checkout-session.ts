// The checkout session: one visit of a payer, by fields in the shop's own page or on our page (hosted checkout; 2.2-B and 2.2-C of the decision register).
import type { Environment } from '../../shared/callers/caller';
import type { Sealed } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import type { ChallengeOutcome } from '../connectors/three-ds';
import type { Recurrence } from '../contracts/contract';
import type { PaymentFamily, Warning } from '../operations/operation';
import type { Instrument } from '../payment/instrument';
import type { CaptureType } from '../payment/payment';

export const flowStates = [
  'PAYMENT_INITIALIZATION',
  'PAYMENT_METHOD_SELECTION',
  'CARD_DATA_COLLECTION',
  'GDI_VERIFICATION',
  'READY_FOR_PAYMENT',
  'REDIRECTED_TO_EXTERNAL_DOMAIN',
  'PAYMENT_COMPLETE',
] as const;
export type FlowState = (typeof flowStates)[number];

export const flowTriggers = [
  'open',
  'chooseCards',
  'chooseMethod',
  'chargeStored',
  'requireCheck',
  'completeCard',
  'passCheck',
  'failCheck',
  'editCard',
  'challenge',
  'finalize',
  'return',
  'cancel',
  'expire',
] as const;
export type FlowTrigger = (typeof flowTriggers)[number];

const ends = { cancel: 'PAYMENT_COMPLETE', expire: 'PAYMENT_COMPLETE' } as const;
const choices = {
  chooseCards: 'CARD_DATA_COLLECTION',
  chooseMethod: 'REDIRECTED_TO_EXTERNAL_DOMAIN',
} as const;

/** Table 2.2-C: what each trigger does in each state; a missing arrow is `flowStateInvalid`. */
export const flow: Readonly<Record<FlowState, Partial<Record<FlowTrigger, FlowState>>>> = {
  PAYMENT_INITIALIZATION: {
    open: 'PAYMENT_METHOD_SELECTION',
    ...choices,
    chargeStored: 'READY_FOR_PAYMENT',
    ...ends,
  },
  PAYMENT_METHOD_SELECTION: { ...choices, ...ends },
  CARD_DATA_COLLECTION: { requireCheck: 'GDI_VERIFICATION', completeCard: 'READY_FOR_PAYMENT', ...ends },
  GDI_VERIFICATION: {
    passCheck: 'READY_FOR_PAYMENT',
    failCheck: 'PAYMENT_COMPLETE',
    editCard: 'CARD_DATA_COLLECTION',
    ...ends,
  },
  READY_FOR_PAYMENT: {
    challenge: 'REDIRECTED_TO_EXTERNAL_DOMAIN',
    finalize: 'PAYMENT_COMPLETE',
    editCard: 'CARD_DATA_COLLECTION',
    ...ends,
  },
  REDIRECTED_TO_EXTERNAL_DOMAIN: { return: 'PAYMENT_COMPLETE', ...ends },
  PAYMENT_COMPLETE: {},
};

/** The state that the trigger leads to. Refuses with `flowStateInvalid`. */
export function decideFlow(state: FlowState, trigger: FlowTrigger): FlowState {
  const next = flow[state][trigger];
  if (!next) throw new DomainError('flowStateInvalid', `not possible in the flow state ${state}`);
  return next;
}

/** BUILD: fields in the shop's page. HOSTED: our own page. */
export const sessionKinds = ['BUILD', 'HOSTED'] as const;
export type SessionKind = (typeof sessionKinds)[number];

/** What the visit is for: keep the instrument, check the card, reserve money, or reserve and collect it. */
export const sessionAims = ['COLLECT', 'VERIFY', 'AUTHORIZE', 'SALE'] as const;
export type SessionAim = (typeof sessionAims)[number];

export const cardFieldIds = [
  'CARD_NUMBER',
  'EXPIRATION_DATE',
  'SECURITY_CODE',
  'CARDHOLDER_NAME',
  'CARDHOLDER_EMAIL',
] as const;
export type CardFieldId = (typeof cardFieldIds)[number];
/** The device check's field. */
const deviceCheckFieldId = 'GDI';

/** Times the device check may fail before the session ends with THREEDS_FAILED. */
export const deviceCheckFailuresMax = 3;
/** A session that nobody touches ends after that, on the one clock. */
export const sessionIdleMsMax = 30 * 60_000;

export const redirectionKinds = ['challenge', 'method'] as const;

/** Where the payer was sent: to an issuer's challenge or to an alternative method. */
export interface Redirection {
  kind: (typeof redirectionKinds)[number];
  /** challengeId or visitId. */
  id: string;
  url: string;
  /** When the payer was sent to a challenge; absent for a method, and in sessions of 0.4.0 and before. */
  sentAt?: Date;
  /** What the issuer said, and when that was known here; absent until then, and for ever where the payer was given up first. */
  outcome?: ChallengeOutcome;
  answeredAt?: Date;
}

export interface CardData {
  bin: string;
  circuit: string;
  /** MM/YY. */
  expiry: string;
  lastFour: string;
}

export const flowVersions = ['1', '3'] as const;

export interface CheckoutSession {
  /** A UUID; on our pages it is the payer's only credential. */
  sessionId: string;
  environment: Environment;
  accountId: string;
  merchantId: string;
  merchantName: string;
  terminalId: string | null;
  family: PaymentFamily;
  kind: SessionKind;
  paymentId: string;
  /** "1": the device check runs in the last field. "3": after the shop's own button. */
  flowVersion: (typeof flowVersions)[number];
  state: FlowState;
  /** The origin that frames may be framed by and talk to; null where there are no frames. */
  merchantOrigin: string | null;
  /** 32 lower-case hexadecimal digits once opened; null in family A. */
  securityToken: Sealed | null;
  /** Null: not known yet; the session cannot be paid. */
  amountMinor: bigint | null;
  currency: string;
  orderId: string | null;
  aim: SessionAim;
  captureType: CaptureType;
  exemption: 'NONE' | 'REQUESTED' | 'CHALLENGE_REQUESTED' | 'CHALLENGE_FORCED';
  recurrence: Recurrence | null;
  /** Family A: the payer's card shall be kept as a consent with token and secret. */
  keepsConsent: boolean;
  /** As sent: ISO 639-2 (family B) or one of sixteen words (family A); null when nobody said. */
  language: string | null;
  /** ISO 639-2 of the merchant's country: for a payer whose browser asks for no language that the pages speak. */
  countryLanguage?: string | null;
  description: string | null;
  customField: string | null;
  /** As sent: summary per language, terms, installments, plan; validated and echoed. */
  order: Record<string, unknown>;
  /** Family A's paymentMethodActionInfoList, pageType and templateName. */
  pageConfiguration: Record<string, unknown> | null;
  cancelUrl: string | null;
  resultUrl: string | null;
  notificationUrl: string | null;
  /** Methods that may be chosen, CARDS among them. */
  methods: { method: string; circuits: string[] }[];
  /** CARDS, an alternative method, or null while nothing is chosen. */
  method: string | null;
  /** Fields with a valid value. */
  entered: CardFieldId[];
  cardData: CardData | null;
  deviceCheck: { isPassed: boolean; failures: number };
  /** What will be charged: known once the card was handed to the acquirer, or from a contract. */
  instrument: Instrument | null;
  redirection: Redirection | null;
  /** The finalize call at work, so that its twins wait; real time, because it measures a process. */
  payingSince: Date | null;
  /** The operation that ended the session. */
  operationId: string | null;
  warnings: Warning[];
  pluginName: string | null;
  /** On the one clock: the idle time counts from here. */
  touchedAt: Date;
  createdAt: Date;
  version: number;
}

/** One field to render, as `fields` of a field set lists it. */
export interface FieldFrame {
  class: string;
  id: string;
  /** Address of the frame. */
  src: string;
  type: string;
}

/** What the shop or our page renders in the session's state. */
export function fieldsOf({ sessionId, state, methods, instrument }: CheckoutSession, payUrl: string): FieldFrame[] {
  const src = (id: string) => `${payUrl}/frames/${sessionId}/${id}`;
  switch (state) {
    case 'PAYMENT_METHOD_SELECTION':
      return methods.map(({ method }) => ({
        class: method === 'CARDS' ? 'CARD' : 'APM',
        id: method,
        src: src(method),
        type: 'ACTION',
      }));
    case 'CARD_DATA_COLLECTION':
    case 'READY_FOR_PAYMENT':
      if (instrument) return [];
      return cardFieldIds.map((id) => ({ class: 'CARD_FIELD', id, src: src(id), type: 'TEXT' }));
    case 'GDI_VERIFICATION':
      return [{ class: deviceCheckFieldId, id: deviceCheckFieldId, src: src(deviceCheckFieldId), type: 'GDI' }];
    default:
      return [];
  }
}

/** The address of the hosted page of a session. */
export function hostedPageOf(sessionId: string, payUrl: string): string {
  return `${payUrl}/pay/${sessionId}`;
}

/** Where a browser comes back to from a challenge or an alternative method. */
export function returnAddressOf(sessionId: string, payUrl: string): string {
  return `${payUrl}/return/${sessionId}`;
}

/** A later charge of a contract that the merchant makes without the payer. */
export function isMerchantInitiated({ recurrence }: CheckoutSession): boolean {
  return recurrence?.action === 'SUBSEQUENT_PAYMENT' && recurrence.contractType !== 'CIT';
}

const open = flowStates.filter((state) => state !== 'PAYMENT_COMPLETE');
/** A hosted page of family A waits for its payer as long as its payment does; every other session ends when nobody touches it. */
const forgettable: Readonly<Record<PaymentFamily, readonly FlowState[]>> = {
  checkout: open,
  paymentService: open.filter((state) => state !== 'PAYMENT_INITIALIZATION'),
};

type Forgettable = Pick<CheckoutSession, 'family' | 'state' | 'touchedAt'>;

export function isForgettable({ family, state }: Pick<Forgettable, 'family' | 'state'>): boolean {
  return forgettable[family].includes(state);
}

export function isForgotten(session: Forgettable, now: Date): boolean {
  return isForgettable(session) && idleCheckOf(session) <= now;
}

/** The last moment that there is: the payer's first step brings it forward. */
const whenItsPayerCame = new Date(8_640_000_000_000_000);

/** When it will have been left alone for too long, if nobody touches it from now on. */
export function idleCheckOf(session: Forgettable): Date {
  return isForgettable(session) ? new Date(session.touchedAt.getTime() + sessionIdleMsMax) : whenItsPayerCame;
}
