// Whether a payment may be charged, or an outcome without an acquirer be recorded on it (payment service, ordering rules; B, finalize).
import { DomainError } from '../../shared/errors';
import type { OperationResult } from '../../shared/vocabulary/operation';
import { isReservation, kindFor, type OperationPlan, type PlannedCall } from '../payment/acquirer-call';
import type { Instrument } from '../payment/instrument';
import type { Payment } from '../payment/payment';
import { decideTransition, type PaymentTrigger } from '../payment/transitions';
import { isExpired } from './expire';
import type { Charge, NewPayment, Recording } from './money';

/** A payment in state Created. */
export function newPayment(input: NewPayment, paymentId: string, at: Date): Payment {
  return {
    sessionId: null,
    notification: null,
    captureDelayMs: 0,
    contractId: null,
    isIncremental: false,
    isInvoice: false,
    hasBasket: false,
    ...input,
    paymentId,
    state: 'Created' as const,
    authorizedMinor: 0n,
    capturedMinor: 0n,
    refundedMinor: 0n,
    feeMinor: 0n,
    instrument: null,
    entries: [],
    activeCallId: null,
    underway: null,
    authorizationExpiresAt: null,
    captureDueAt: null,
    createdAt: at,
    updatedAt: at,
    version: 1,
    sequence: 0,
  };
}

/** The call that charges. Refuses with invalidState, authorizationExpired, amountInvalid, amountAboveAuthorized. */
export function decideCharge(payment: Payment, input: Charge, now: Date): PlannedCall {
  if (payment.state === 'Expired') throw new DomainError('authorizationExpired');
  if (input.type === 'INCREMENTAL') checkIncremental(payment, now);
  else checkUncharged(payment, input.type === 'CARD_VERIFICATION' ? 'VERIFIED' : 'AUTHORIZED');
  const feeMinor = input.type === 'CARD_VERIFICATION' ? 0n : (input.feeMinor ?? 0n);
  const amountMinor = input.type === 'CARD_VERIFICATION' ? 0n : input.amountMinor + feeMinor;
  if (input.type !== 'CARD_VERIFICATION') checkAmount(payment, input);
  const { instrument } = input;
  const kind = kindFor(instrument, 'authorize');
  if (kind !== 'authorize' && input.type === 'CARD_VERIFICATION')
    throw new DomainError('invalidState', 'Only a card can be verified.');
  return {
    kind,
    plan: {
      ...planOf(payment, input),
      ...feeOf(feeMinor),
      additionalData: { ...input.additionalData, ...printedFee(feeMinor) },
      type: input.type,
      amountMinor,
      parentOperationId: parentOf(payment, input.type),
      method: instrument.method,
      circuit: instrument.circuit,
      instrument,
      contractId: input.contractId ?? payment.contractId,
    },
    captureNow: input.captureNow && input.type !== 'CARD_VERIFICATION' && isReservation({ kind }),
    isMerchantInitiated: input.isMerchantInitiated ?? false,
  };
}

/** What each outcome without an acquirer does to the payment. */
const recordingTriggers: Readonly<Record<Recording['result'], PaymentTrigger>> = {
  EXECUTED: 'CAPTURED_IN_FULL',
  DECLINED: 'DECLINED',
  DENIED_BY_RISK: 'DECLINED',
  THREEDS_VALIDATED: 'METHOD_COLLECTED',
  THREEDS_FAILED: 'FAILED',
  PENDING: 'OUTCOME_UNKNOWN',
  CANCELED: 'PAYER_CANCELLED',
  FAILED: 'FAILED',
};

/** The plan of an outcome without an acquirer. Refuses with invalidState. */
export function decideRecording(payment: Payment, input: Recording): PlannedCall {
  const { entries } = payment;
  checkUncharged(payment, recordingTriggers[input.result]);
  if (entries.length > 0) throw new DomainError('invalidState', 'The payment has an outcome that ended its visit.');
  const instrument = input.instrument ?? methodInstrument(input);
  const method = input.method ?? instrument?.method ?? 'CARD';
  const isWithoutMoney = input.type === 'CARD_VERIFICATION' || input.type === 'CARD_CHECK';
  const feeMinor = input.feeMinor ?? 0n;
  const amountMinor = input.amountMinor ?? (isWithoutMoney ? 0n : (payment.amountMinor ?? 0n) + feeMinor);
  return {
    kind: method === 'APM' ? 'methodVisit' : 'authorize',
    plan: {
      ...planOf(payment, input),
      ...feeOf(feeMinor),
      additionalData: isWithoutMoney
        ? { ...input.additionalData }
        : { ...input.additionalData, ...printedFee(feeMinor) },
      type: input.type,
      amountMinor,
      parentOperationId: null,
      method,
      circuit: input.circuit ?? instrument?.circuit ?? null,
      instrument,
      contractId: payment.contractId,
    },
    captureNow: false,
    isMerchantInitiated: false,
  };
}

function feeOf(feeMinor: bigint): { feeMinor?: bigint } {
  return feeMinor > 0n ? { feeMinor } : {};
}

/** The part of the amount that is the fee, as the operation says it: minor units. */
function printedFee(feeMinor: bigint): { fee?: string } {
  return feeMinor > 0n ? { fee: String(feeMinor) } : {};
}

/** The trigger of a first outcome of a payment. */
export function chargeTrigger(result: OperationResult, isVerification: boolean): PaymentTrigger | null {
  if (result === 'AUTHORIZED') return isVerification ? 'VERIFIED' : null;
  if (result === 'VOIDED' || result === 'REFUNDED') return null;
  return result === 'DENIED' ? 'DECLINED' : recordingTriggers[result];
}

/** A visit at an alternative method as an instrument: what money goes back to. */
function methodInstrument({ method, visitId, circuit, instrumentInfo, endToEndId }: Recording): Instrument | null {
  if (method !== 'APM' || !visitId) return null;
  return {
    reference: visitId,
    method,
    circuit: circuit ?? 'OTHER',
    info: instrumentInfo ?? '',
    card: null,
    additionalData: {},
    threeDs: 'none',
    endToEndId: endToEndId ?? null,
  };
}

type SaidOfCharge = Pick<
  Charge,
  'channel' | 'channelDetail' | 'description' | 'reason' | 'sessionId' | 'warnings' | 'additionalData'
>;

function planOf(
  payment: Payment,
  input: SaidOfCharge,
): Pick<
  OperationPlan,
  | 'cancelledOperationId'
  | 'sessionId'
  | 'channel'
  | 'channelDetail'
  | 'description'
  | 'reason'
  | 'warnings'
  | 'additionalData'
> {
  return {
    cancelledOperationId: null,
    sessionId: input.sessionId ?? payment.sessionId,
    channel: input.channel ?? 'ECOMMERCE',
    channelDetail: input.channelDetail ?? null,
    description: input.description ?? payment.operationDefaults.description,
    reason: input.reason ?? null,
    warnings: input.warnings ?? [],
    additionalData: input.additionalData ?? {},
  };
}

function checkUncharged(payment: Payment, trigger: PaymentTrigger): void {
  const isUncharged = payment.entries.every(({ result }) => result === 'THREEDS_VALIDATED');
  if (!isUncharged || !decideTransition(payment.state, trigger))
    throw new DomainError('invalidState', `The payment is ${payment.state} and cannot be charged.`);
}

function checkIncremental(payment: Payment, now: Date): void {
  const isOpen = payment.state === 'Authorized' || payment.state === 'PartiallyCaptured';
  if (!isOpen || !payment.isIncremental)
    throw new DomainError('invalidState', `The payment is ${payment.state} and its authorization cannot be raised.`);
  if (isExpired(payment, now)) throw new DomainError('authorizationExpired');
}

function checkAmount(payment: Payment, { type, amountMinor }: Charge): void {
  if (amountMinor <= 0n) throw new DomainError('amountInvalid', 'amount is zero', { field: 'amount' });
  if (type !== 'INCREMENTAL' && payment.amountMinor !== null && amountMinor > payment.amountMinor)
    throw new DomainError('amountAboveAuthorized', 'amount is above the amount of the payment', { field: 'amount' });
}

function parentOf(payment: Payment, type: Charge['type']): string | null {
  if (type !== 'INCREMENTAL') return null;
  return payment.entries.find(({ result }) => result === 'AUTHORIZED')?.operationId ?? null;
}
