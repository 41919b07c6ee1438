// From an event of the log to what it adds to the figures: which counters, of which key (docs/graph.md, Figures). One table says for every type of event whether it counts.
import { declineReasonOf, isRefusal } from '../../shared/vocabulary/decline-reason';
import { openWord } from '../../shared/vocabulary/word-of';
import type { LoggedEvent } from '../journal/booking';

/** What figures are kept by; null: the event says nothing of it. */
export interface FigureKey {
  accountId: string;
  merchantId: string;
  terminalId: string | null;
  /** CARD or APM. */
  method: string | null;
  circuit: string | null;
  /** ISO 4217; null: it is not about money. */
  currency: string | null;
  /** ISO 3166, three letters; only cards have one, and only where the acquirer says it. */
  country: string | null;
}

/** A counter by its name, with the money that goes with it where it is about money. */
export interface Counted {
  name: string;
  minor?: bigint;
}

export interface Figure {
  key: FigureKey;
  at: Date;
  counted: Counted[];
}

type FiguredEvent = LoggedEvent & { merchantId: string };
type ReadFigure = (event: FiguredEvent) => Figure | null;

/** Of an event that is not counted: the figures are no less whole without it. */
const notCounted: ReadFigure = () => null;

/** Every type of event that the platform writes; what is not here is not known to the figures, and a test says so. */
export const figureTypes: Readonly<Record<string, ReadFigure>> = {
  'operation.recorded': operationFigure,
  'operation.resultChanged': operationFigure,
  // The authorization has been counted; that it died is no operation.
  'payment.expired': notCounted,
  'ledger.chargebackBooked': chargebackFigure,
  'ledger.depositBooked': notCounted,
  'ledger.adjustmentBooked': notCounted,
  'ledger.payoutAccountSet': notCounted,
  'ledger.termsAgreed': notCounted,
  'payout.closed': notCounted,
  'job.started': notCounted,
  'job.progressed': notCounted,
  'job.paused': notCounted,
  'job.resumed': notCounted,
  'job.cancelled': notCounted,
  'job.finished': notCounted,
  'audit.recorded': notCounted,
  'onboarding.initiated': onboardingFigure,
  'onboarding.awaiting_signature': notCounted,
  'onboarding.signature_failed': notCounted,
  'onboarding.processing': onboardingFigure,
  'onboarding.approved': onboardingFigure,
  'onboarding.abandoned': onboardingFigure,
  'virtualAccount.created': notCounted,
  'virtualAccount.suspended': notCounted,
  'virtualAccount.resumed': notCounted,
  'virtualAccount.cardUpdated': notCounted,
  'virtualAccount.deleted': notCounted,
  // Whoever delivers adds attempts up.
  'callback.attempted': notCounted,
  'callbackEndpoint.created': notCounted,
  'callbackEndpoint.addressChanged': notCounted,
  'callbackEndpoint.authorizationChanged': notCounted,
  'callbackEndpoint.secretRotated': notCounted,
  'callbackEndpoint.enabled': notCounted,
  'callbackEndpoint.recovered': notCounted,
  'callbackEndpoint.degraded': notCounted,
  'callbackEndpoint.disabled': notCounted,
  'callbackEndpoint.callbackExhausted': notCounted,
};

/** Whether the body of such an event has to be read at all. */
export function isCounted(type: string): boolean {
  return (figureTypes[type] ?? notCounted) !== notCounted;
}

/** What the event adds; null when it adds nothing. */
export function figureOf(event: LoggedEvent): Figure | null {
  const { merchantId, type } = event;
  return merchantId === null ? null : (figureTypes[type] ?? notCounted)({ ...event, merchantId });
}

/** Operations that ask for a payer's money: of these, and no others, approval is a question. */
const charges: ReadonlySet<string> = new Set([
  'AUTHORIZATION',
  'CARD_VERIFICATION',
  'INCREMENTAL',
  'NOSHOW',
  'DELAY_CHARGE',
]);
const approvals: ReadonlySet<string> = new Set(['AUTHORIZED', 'EXECUTED']);

/** Counters of operations are named `op <type> <result>`, and what the rest is made of is read off them. */
export type Verdict = 'approved' | 'declined';
export function verdictOf(type: string, result: string): Verdict | null {
  if (!charges.has(type)) return null;
  if (approvals.has(result)) return 'approved';
  return isRefusal(result) ? 'declined' : null;
}

/** Whether money was taken, given back, or the taking of it undone. */
export type Movement = 'captured' | 'refunded' | 'undone';
export function movementOf(type: string, result: string): Movement | null {
  if (result === 'EXECUTED') return 'captured';
  if (result === 'REFUNDED') return 'refunded';
  return type === 'CANCEL' && result === 'VOIDED' ? 'undone' : null;
}

/** Checks of a card take part in 3-D Secure, and nothing is charged by them. */
const authenticated: ReadonlySet<string> = new Set(['AUTHORIZATION', 'CARD_VERIFICATION', 'CARD_CHECK']);

/** An operation counts once, when its result is known; until then, under the result PENDING, its being open is what is counted. */
function operationFigure({ data, occurredAt, ...event }: FiguredEvent): Figure {
  const { operationType: type, operationResult: result } = data as { operationType: string; operationResult: string };
  const more = (data['additionalData'] ?? {}) as Record<string, unknown>;
  const counted: Counted[] = [{ name: `op ${type} ${result}`, minor: BigInt(data['operationAmount'] as string) }];
  const declined = verdictOf(type, result) === 'declined' ? declineReasonOf(result, more) : null;
  if (declined) counted.push({ name: `no ${declined.code}` });
  const way = authenticationOf(type, result, more);
  if (way) counted.push({ name: `3ds ${way}` });
  return {
    key: {
      ...ownerOf(event),
      terminalId: textOf(data['terminalId']),
      method: openWord(data['paymentMethod']),
      circuit: openWord(data['paymentCircuit']),
      currency: textOf(data['operationCurrency']),
      country: openWord(more['cardCountry']),
    },
    at: occurredAt,
    counted,
  };
}

/** How the payer was authenticated; null where 3-D Secure had no part in it, or the outcome is not known yet. */
function authenticationOf(type: string, result: string, { threeDS }: Record<string, unknown>): string | null {
  if (!authenticated.has(type) || result === 'PENDING') return null;
  return result === 'THREEDS_FAILED' ? 'failed' : openWord(threeDS);
}

function chargebackFigure({ data, occurredAt, ...event }: FiguredEvent): Figure {
  const { amount, currency } = data as { amount: string; currency: string };
  return {
    key: { ...ownerOf(event), ...ofNothing, currency },
    at: occurredAt,
    counted: [{ name: 'chargeback', minor: BigInt(amount) }],
  };
}

/** Created, signed, and how it ended; going back to the form for another signature is no second creation. */
function onboardingFigure({ type, data, occurredAt, ...event }: FiguredEvent): Figure | null {
  const step = stepOf(type, textOf(data['previousStatus']));
  if (!step) return null;
  return { key: { ...ownerOf(event), ...ofNothing }, at: occurredAt, counted: [{ name: `onboarding ${step}` }] };
}

function stepOf(type: string, previousStatus: string | null): string | null {
  if (type === 'onboarding.initiated') return previousStatus === null ? 'created' : null;
  if (type === 'onboarding.processing') return 'signed';
  if (type === 'onboarding.approved') return 'approved';
  return previousStatus === 'PROCESSING' ? 'refused' : 'abandoned';
}

const ofNothing = { terminalId: null, method: null, circuit: null, currency: null, country: null } as const;

function ownerOf({ accountId, merchantId }: Pick<FiguredEvent, 'accountId' | 'merchantId'>) {
  return { accountId, merchantId };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
