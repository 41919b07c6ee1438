// What an outcome makes of a payment: its next state and amounts, the operations it prints, the events it emits (payment interface; 2.2-A and 2.6 of the decision register).
import { DomainError } from '../../shared/errors';
import { withoutUndefined } from '../../shared/present-members';
import type { OperationResult } from '../../shared/vocabulary/operation';
import type { AcquirerAnswer } from '../connectors/acquirer';
import type { Operation, Printed } from '../operations/operation';
import {
  type AcquirerCall,
  type CallStepName,
  callResultOf,
  chargeTypes,
  isMethodCharge,
  isReservation,
} from '../payment/acquirer-call';
import { type Payment, type PaymentEntry, takingOver } from '../payment/payment';
import { decideTransition, moneyTrigger, type PaymentTrigger } from '../payment/transitions';
import { chargeTrigger } from './authorize';

export interface Decided {
  next: Payment;
  /** The operation of the call first; then the capture that came with it. */
  printed: [Printed, ...Printed[]];
}

export interface OutcomeLimits {
  /** How long an authorization holds, on the one clock. */
  authorizationMs: number;
}

/** What is known of a call's outcome: an acquirer's answer, or the result itself where no acquirer was asked. */
export type Known = Pick<AcquirerAnswer, 'endToEndId' | 'additionalData'> & { result: OperationResult };

/** No answer came: the outcome is unknown, which is printed as PENDING. */
export const noAnswer: AcquirerAnswer = { result: 'PENDING', endToEndId: null, additionalData: {} };

export function knownOf(call: AcquirerCall, answer: AcquirerAnswer): Known {
  return { ...answer, result: callResultOf(call, answer.result) };
}

/** Applies an outcome. Refuses with invalidState when the payment has no arrow for it. */
export function decideOutcome(
  payment: Payment,
  call: AcquirerCall,
  { known, at, limits, step = 'CALLED' }: { known: Known; at: Date; limits: OutcomeLimits; step?: CallStepName },
): Decided {
  const isFirst = call.state !== 'OPEN';
  const operation = { ...operationOf(payment, call, { known, at }), ...ownCall(payment, call, { known, step }) };
  const capture = call.captureOperationId && known.result === 'AUTHORIZED' ? captureOf(call, operation) : null;
  const operations = capture ? [operation, capture] : [operation];
  const moved = amountsAfter(payment, operations);
  const trigger = triggerOf(moved, call, known.result);
  const state = trigger ? decideTransition(payment.state, trigger) : payment.state;
  if (!state) throw new DomainError('invalidState', `The payment is ${payment.state}.`);
  const isPending = known.result === 'PENDING';
  const next: Payment = {
    ...moved,
    instrument: isKept(call, known.result) ? instrumentAfter(call, known) : moved.instrument,
    contractId: call.plan.contractId ?? payment.contractId,
    feeMinor: call.plan.feeMinor ?? payment.feeMinor,
    state,
    entries: operations.reduce(withEntry, payment.entries),
    activeCallId: isPending ? call.callId : null,
    underway: null,
    updatedAt: at,
    version: payment.version + 1,
    sequence: payment.sequence + operations.length,
  };
  const printed: Decided['printed'] = [{ operation, change: isFirst ? 'recorded' : 'resultChanged' }];
  if (capture) printed.push({ operation: capture, change: 'recorded' });
  return { next: { ...next, ...deadlinesAfter(payment, next, { call, known, at, limits }) }, printed };
}

/** The operation of a call as it is printed with that result. */
function operationOf(payment: Payment, call: AcquirerCall, { known, at }: { known: Known; at: Date }): Operation {
  const { instrument, feeMinor: _fee, ...plan } = call.plan;
  const { environment, accountId, merchantId, terminalId, family, paymentId, orderId, currency } = payment;
  const endToEndId = known.endToEndId ?? instrument?.endToEndId ?? payment.instrument?.endToEndId ?? null;
  return {
    operationId: call.operationId,
    environment,
    accountId,
    merchantId,
    terminalId,
    family,
    paymentId,
    orderId,
    currency,
    instrumentInfo: instrument?.info || null,
    endToEndId,
    ...payment.operationDefaults,
    ...plan,
    description: plan.description ?? payment.operationDefaults.description,
    result: known.result,
    time: at,
    createdAt: call.startedAt,
    additionalData: {
      ...plan.additionalData,
      ...instrument?.additionalData,
      ...withoutUndefined({ threeDS: instrument?.card ? instrument.threeDs : undefined }),
      ...known.additionalData,
    },
  };
}

/** The call of a final outcome stays with its operation; one that is asked about later has a record of its own. */
function ownCall(
  { underway }: Payment,
  { callId, requestKey }: AcquirerCall,
  { known, step }: { known: Known; step: CallStepName },
): Pick<Operation, 'call'> {
  if (underway?.callId !== callId || known.result === 'PENDING') return {};
  const told = { callId, step: step === 'CALLED' ? step : 'ASKED' } as const;
  return { call: requestKey === null ? told : { ...told, requestKey } };
}

/** The CAPTURE that a Sale or an implicit capture adds. */
function captureOf(call: AcquirerCall, authorization: Operation): Operation {
  const { call: _asked, ...shared } = authorization;
  return {
    ...shared,
    operationId: call.captureOperationId as string,
    type: 'CAPTURE',
    result: 'EXECUTED',
    parentOperationId: authorization.operationId,
    createdAt: authorization.time,
    warnings: [],
  };
}

function amountsAfter(payment: Payment, operations: readonly Operation[]): Payment {
  let { authorizedMinor, capturedMinor, refundedMinor } = payment;
  for (const { type, result, amountMinor } of operations) {
    if (chargeTypes.has(type) && type !== 'CARD_VERIFICATION' && (result === 'AUTHORIZED' || result === 'EXECUTED'))
      authorizedMinor += amountMinor;
    if (result === 'EXECUTED') capturedMinor += amountMinor;
    if (result === 'REFUNDED') refundedMinor += amountMinor;
    if (type === 'CANCEL' && result === 'VOIDED') capturedMinor -= amountMinor;
  }
  return { ...payment, authorizedMinor, capturedMinor, refundedMinor };
}

/** Null: the outcome leaves the state as it is. */
function triggerOf(moved: Payment, call: AcquirerCall, result: OperationResult): PaymentTrigger | null {
  const { type } = call.plan;
  if (result === 'PENDING') return 'OUTCOME_UNKNOWN';
  if (type === 'VOID' && result === 'VOIDED') return 'VOIDED';
  const isFirstCharge = (isReservation(call) || isMethodCharge(call)) && type !== 'INCREMENTAL';
  if (isFirstCharge) return chargeTrigger(result, type === 'CARD_VERIFICATION') ?? moneyTrigger(moved);
  const hasMoved = result === 'AUTHORIZED' || result === 'EXECUTED' || result === 'REFUNDED' || result === 'VOIDED';
  return hasMoved || moved.state === 'Unknown' ? moneyTrigger(moved) : null;
}

function isKept(call: AcquirerCall, result: OperationResult): boolean {
  const isSuccess = result === 'AUTHORIZED' || result === 'EXECUTED' || result === 'THREEDS_VALIDATED';
  const isFirst =
    (chargeTypes.has(call.plan.type) && call.plan.type !== 'INCREMENTAL') || call.plan.type === 'CARD_CHECK';
  return isFirst && (isSuccess || result === 'PENDING') && call.plan.instrument !== null;
}

/** The circuit's transaction id of the first charge goes with everything that follows. */
function instrumentAfter({ plan, kind, callId }: AcquirerCall, { endToEndId }: Known): Payment['instrument'] {
  if (!plan.instrument) return null;
  // What was debited is given back by the debit, not by the account.
  const reference = kind === 'methodDebit' ? callId : plan.instrument.reference;
  return { ...plan.instrument, reference, endToEndId: endToEndId ?? plan.instrument.endToEndId };
}

function withEntry(entries: PaymentEntry[], operation: Operation): PaymentEntry[] {
  const { operationId, type, result, amountMinor, parentOperationId, cancelledOperationId, time } = operation;
  const entry = { operationId, type, result, amountMinor, parentOperationId, cancelledOperationId, time };
  return [...entries.filter((known) => known.operationId !== operationId), entry];
}

/** When the authorization dies and when a DEFERRED capture is due. */
function deadlinesAfter(
  before: Payment,
  next: Payment,
  { call, known, at, limits }: { call: AcquirerCall; known: Known; at: Date; limits: OutcomeLimits },
): Pick<Payment, 'authorizationExpiresAt' | 'captureDueAt'> {
  const { captureDueAt } = before;
  const isNewAuthorization = known.result === 'AUTHORIZED' && call.plan.type !== 'INCREMENTAL';
  // An automatic capture is tried once, and left to the merchant after a void that was refused.
  const isOver = takingOver.has(call.plan.type) || (next.state !== 'Authorized' && next.state !== 'Unknown');
  const deferred = isNewAuthorization && next.captureType === 'DEFERRED' ? at.getTime() + next.captureDelayMs : null;
  return {
    authorizationExpiresAt: before.authorizationExpiresAt ?? expiryOf(next, limits),
    captureDueAt: isOver ? null : deferred === null ? captureDueAt : new Date(deferred),
  };
}

/** Counted from the authorization itself, also when a capture was taken back since. */
function expiryOf({ state, entries }: Payment, { authorizationMs }: OutcomeLimits): Date | null {
  const authorization = entries.find(({ result }) => result === 'AUTHORIZED');
  return state === 'Authorized' && authorization ? new Date(authorization.time.getTime() + authorizationMs) : null;
}
