// A call to the acquirer, written down before it is made: all that is needed to record its outcome later, whoever learns of it (payment interface; intent before, outcome after).
import type { Environment } from '../../shared/callers/caller';
import type { OperationResult, OperationType, PaymentMethod } from '../../shared/vocabulary/operation';
import { type AcquirerOrderKind, type AcquirerResult, acquirerOrderKinds } from '../connectors/acquirer';
import { type DebitKind, invoiceMethod } from '../connectors/alternative-method';
import type { Channel, Operation, Warning } from '../operations/operation';
import type { Instrument } from './instrument';

/** What an alternative method is asked without a visit of the payer, by its word for it: a debit, and the steps of an invoice. */
export const methodOrders = {
  methodDebit: 'debit',
  methodAuthorize: 'authorize',
  methodCapture: 'capture',
  methodVoid: 'void',
  methodCancelCapture: 'cancelCapture',
} as const satisfies Record<string, DebitKind>;
export type MethodOrderKind = keyof typeof methodOrders;

/** Beside the acquirer's own: a payer's visit at an alternative method, an order without one, and money given back through one. */
export type CallKind = AcquirerOrderKind | 'methodVisit' | MethodOrderKind | 'methodRefund';

/** What the acquirer is asked. */
export const acquirerKinds: ReadonlySet<CallKind> = new Set<CallKind>(acquirerOrderKinds);
/** What an alternative method is asked, not the acquirer. */
export const methodKinds: ReadonlySet<CallKind> = new Set<CallKind>([
  ...(Object.keys(methodOrders) as MethodOrderKind[]),
  ...(['methodVisit', 'methodRefund'] as const),
]);

export function isMethodOrder(kind: CallKind): kind is MethodOrderKind {
  return Object.hasOwn(methodOrders, kind);
}

/**
 * SENT: the call may be under way. OPEN: its operation is recorded as PENDING. DONE: the final result is recorded.
 * ABANDONED: it never arrived, nothing was recorded.
 */
export const callStates = ['SENT', 'OPEN', 'DONE', 'ABANDONED'] as const;
export type CallState = (typeof callStates)[number];

/** CALLED: the call itself. ASKED: the janitor's question what became of it. GIVEN_UP: silent for too long. RAISED: a person must look. */
export const callSteps = ['CALLED', 'ASKED', 'GIVEN_UP', 'RAISED'] as const;
export type CallStepName = (typeof callSteps)[number];

export interface CallStep {
  /** On the one clock. */
  at: Date;
  step: CallStepName;
  /** The result of the operation as it was known then; NO_ANSWER, NEVER_ARRIVED; null: nothing was asked. */
  outcome: OperationResult | 'NO_ANSWER' | 'NEVER_ARRIVED' | null;
}

/** What the operation of a call will say, whatever its result. */
export interface OperationPlan {
  type: OperationType;
  amountMinor: bigint;
  /** The part of it that is the payer's fee, where there is one. */
  feeMinor?: bigint;
  parentOperationId: string | null;
  cancelledOperationId: string | null;
  method: PaymentMethod;
  circuit: string | null;
  /** What is charged; the payment keeps it when that succeeds. */
  instrument: Instrument | null;
  contractId: string | null;
  sessionId: string | null;
  channel: Channel;
  channelDetail: string | null;
  description: string | null;
  reason: string | null;
  warnings: Warning[];
  /** What the caller said beside what the acquirer will say. */
  additionalData: Record<string, unknown>;
}

export interface AcquirerCall {
  callId: string;
  environment: Environment;
  accountId: string;
  /** Null in calls of a release before. */
  slot: number | null;
  paymentId: string;
  /** The operation that it becomes. */
  operationId: string;
  kind: CallKind;
  plan: OperationPlan;
  /** The id of the CAPTURE that follows at once; null: none. */
  captureOperationId: string | null;
  isMerchantInitiated: boolean;
  /** Who asked by which idempotency key, hashed; null without a key. */
  requestKey: string | null;
  requestId: string;
  state: CallState;
  /** On the one clock. */
  startedAt: Date;
  /** SENT: when it counts as lost; real time, because it measures a call in flight. */
  lostAt: Date | null;
  /** OPEN: when to ask next, on the one clock. */
  askAt: Date | null;
  /** OPEN: how often it was asked. */
  askedCount: number;
  /** When it was raised for a person. */
  raisedAt: Date | null;
  /** What has happened to it since it was written down, oldest first; the latest fifty. */
  steps: CallStep[];
}

/** A call whose final outcome became known without being asked for later: what is told of it is told by its operation. */
export function callOfOperation({ operationId, createdAt, time, result, call }: Operation): ToldCall | null {
  if (!call) return null;
  const steps = [{ at: time, step: call.step, outcome: result }];
  return { operationId, state: 'DONE', startedAt: createdAt, askAt: null, raisedAt: null, steps };
}

/** What is told of a call. */
export type ToldCall = Pick<AcquirerCall, 'operationId' | 'state' | 'startedAt' | 'askAt' | 'raisedAt' | 'steps'>;

/** What a decision asks for; the service makes a call of it. */
export interface PlannedCall {
  kind: CallKind;
  plan: OperationPlan;
  captureNow: boolean;
  isMerchantInitiated: boolean;
}

/** Longer than any call to the acquirer can take; real time. */
export const lostAfterMs = 15_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** When the acquirer is asked about an unknown outcome, counted from the call; then daily, and raised for a person. */
const askScheduleMs = [minuteMs, 5 * minuteMs, 60 * minuteMs, dayMs] as const;
/** A payer's method or authorization that stays silent that long has failed. */
export const silentMsMax = 7 * dayMs;

/** The next look at an open call: by the schedule, or sooner when the acquirer said so. One that nobody has asked about yet is not passed over, however late its outcome was written down. */
export function decideNextAsk(
  call: Pick<AcquirerCall, 'startedAt' | 'askedCount'>,
  now: Date,
  askAgainAfterMs?: number,
): { askAt: Date; isRaised: boolean } {
  const isRaised = call.askedCount >= askScheduleMs.length;
  if (askAgainAfterMs !== undefined) return { askAt: new Date(now.getTime() + askAgainAfterMs), isRaised };
  const firstAt = new Date(call.startedAt.getTime() + askScheduleMs[0]);
  if (call.askedCount === 0) return { askAt: firstAt > now ? firstAt : now, isRaised };
  const upcoming = askScheduleMs.map((ms) => new Date(call.startedAt.getTime() + ms)).find((at) => at > now);
  return { askAt: upcoming ?? new Date(now.getTime() + dayMs), isRaised };
}

/** Whether an open call has been silent for so long that it counts as failed. Money that goes out is never given up: it might have gone. */
export function isSilentForGood(call: Pick<AcquirerCall, 'kind' | 'startedAt'>, now: Date): boolean {
  const isGivenUp = isMethodCharge(call) || isReservation(call);
  return isGivenUp && now.getTime() - call.startedAt.getTime() >= silentMsMax;
}

/** Whether it takes money by an alternative method: then the money has moved, and no capture follows. */
export function isMethodCharge({ kind }: { kind: CallKind }): boolean {
  return kind === 'methodVisit' || kind === 'methodDebit';
}

/** Whether it reserves money, of a card or for an invoice. */
export function isReservation({ kind }: { kind: CallKind }): boolean {
  return kind === 'authorize' || kind === 'methodAuthorize';
}

const successes: Readonly<Record<OperationType, OperationResult>> = {
  AUTHORIZATION: 'AUTHORIZED',
  CARD_VERIFICATION: 'AUTHORIZED',
  INCREMENTAL: 'AUTHORIZED',
  NOSHOW: 'AUTHORIZED',
  DELAY_CHARGE: 'AUTHORIZED',
  CARD_CHECK: 'THREEDS_VALIDATED',
  CAPTURE: 'EXECUTED',
  REFUND: 'REFUNDED',
  VOID: 'VOIDED',
  CANCEL: 'VOIDED',
};

/** The operation types that reserve money anew. */
export const chargeTypes: ReadonlySet<OperationType> = new Set<OperationType>([
  'AUTHORIZATION',
  'CARD_VERIFICATION',
  'INCREMENTAL',
  'NOSHOW',
  'DELAY_CHARGE',
]);

/** How an acquirer's answer is spelled as the result of an operation (2.6 of the decision register, Results of success). */
export function callResultOf(
  call: { kind: CallKind; plan: Pick<OperationPlan, 'type'> },
  answer: AcquirerResult,
): OperationResult {
  if (answer === 'APPROVED') return isMethodCharge(call) ? 'EXECUTED' : successes[call.plan.type];
  if (answer === 'CANCELLED') return 'CANCELED';
  if (answer === 'DECLINED') return chargeTypes.has(call.plan.type) ? 'DECLINED' : 'DENIED';
  return answer;
}

const invoiceKinds: Readonly<Record<AcquirerOrderKind, CallKind>> = {
  authorize: 'methodAuthorize',
  capture: 'methodCapture',
  void: 'methodVoid',
  cancelCapture: 'methodCancelCapture',
  refund: 'methodRefund',
};

/** Which system is asked to do something with an instrument. */
export function kindFor(instrument: Instrument | null, kind: AcquirerOrderKind): CallKind {
  if (instrument?.method !== 'APM') return kind;
  if (isInvoice(instrument)) return invoiceKinds[kind];
  return kind === 'authorize' ? 'methodDebit' : kind === 'refund' ? 'methodRefund' : kind;
}

export function isInvoice(instrument: Pick<Instrument, 'method' | 'circuit'> | null): boolean {
  return instrument?.method === 'APM' && instrument.circuit === invoiceMethod;
}
