// The intent: what the acquirer will be asked, decided and written down with the payment before the call, once for each request (payment interface; intent before, outcome after).
import type { RequestContext } from '../../shared/callers/context';
import type { Clock } from '../../shared/clock';
import { createDeadline } from '../../shared/deadline';
import { idempotencyKeptMs } from '../../shared/idempotency/idempotency-record';
import type { KeyClaim } from '../../shared/idempotency/once-begun';
import { newOrderedId } from '../../shared/ids';
import { slotOf } from '../../shared/store/slot';
import { type InTransaction, WriteConflict } from '../../shared/store/unit-of-work';
import type { Connectors } from '../connectors/connectors';
import type { OperationRepository } from '../operations/operation.repository';
import { type AcquirerCall, type CallKind, lostAfterMs, methodKinds, type PlannedCall } from '../payment/acquirer-call';
import type { Payment } from '../payment/payment';
import type { PaymentRepository } from '../payment/payment.repository';
import { busy, deadlineMs, type Found, type RunExclusive } from '../payment/payment-lock.service';
import type { AcquirerCallRepository } from './acquirer-call.repository';
import type { Beginning } from './money';
import type { OutcomeLimits } from './outcome';

export interface CallDeps {
  payments: PaymentRepository;
  operations: OperationRepository;
  calls: AcquirerCallRepository;
  connectors: Connectors;
  inTransaction: InTransaction;
  clock: Clock;
  limits: OutcomeLimits;
  runExclusive: RunExclusive;
}

/** What names the outcome of a call. */
export type Recorded = Pick<AcquirerCall, 'environment' | 'paymentId' | 'operationId'>;

/** The call of the same request, made before. */
export interface Earlier {
  earlier: Recorded;
  /** Null once an outcome of it is recorded. */
  sent: AcquirerCall | null;
}

/** Commits the intent: from here on the payment belongs to this call. */
export async function begin(
  deps: CallDeps,
  context: RequestContext,
  {
    requestKey,
    find,
    decide,
    beginning,
    claim,
  }: {
    requestKey: string | null;
    find(): Promise<Found | Earlier>;
    decide(found: Found): PlannedCall;
    beginning: Beginning | undefined;
    claim: KeyClaim | undefined;
  },
): Promise<{ payment: Payment; call: AcquirerCall } | Earlier> {
  const isOver = createDeadline(deadlineMs);
  for (;;) {
    const found = await find();
    if ('earlier' in found) return found;
    const planned = decide(found);
    admit(deps, planned.kind);
    const call = newCall(deps, found.payment, { planned, requestKey, requestId: context.requestId });
    const { callId } = call;
    const payment = { ...found.payment, activeCallId: callId, underway: call, version: found.payment.version + 1 };
    try {
      const updates = [deps.payments.updateOf(found.payment, payment), ...(beginning?.updates ?? [])];
      await deps.inTransaction({ inserts: claim?.inserts() ?? [], updates });
      claim?.taken();
      beginning?.done();
      return { payment, call };
    } catch (error) {
      if (beginning || !(error instanceof WriteConflict)) throw error;
      if (isOver()) throw busy();
    }
  }
}

/** What the same request has done to this payment before, as far as it came; null: nothing. */
export async function findEarlier(
  deps: CallDeps,
  payment: Payment,
  requestKeys: readonly string[],
): Promise<Earlier | null> {
  const { underway } = payment;
  if (underway?.requestKey && requestKeys.includes(underway.requestKey)) return { earlier: underway, sent: underway };
  // What began before is of another request: the keys of releases before do not tell the days of a key apart.
  const keptSince = new Date(deps.clock.now().getTime() - idempotencyKeptMs);
  const recorded = await deps.operations.findByRequests(payment, requestKeys, keptSince);
  if (recorded) return { earlier: recorded, sent: null };
  const call = await deps.calls.findByRequests(payment.merchantId, requestKeys, keptSince);
  return call && { earlier: call, sent: call.state === 'SENT' ? call : null };
}

/** Refuses with unavailable while the circuit of who is to be asked is open: then nothing is written down. */
export function admit({ connectors }: CallDeps, kind: CallKind): void {
  (methodKinds.has(kind) ? connectors.alternativeMethods : connectors.acquirer).admit();
}

/** A call to be written down before it is made. */
export function newCall(
  { clock }: Pick<CallDeps, 'clock'>,
  payment: Payment,
  { planned, requestKey, requestId }: { planned: PlannedCall; requestKey: string | null; requestId: string },
): AcquirerCall {
  const slot = slotOf(payment);
  // One moment for both: lists that break the tie by the id show the authorization before its capture.
  const [operationId, captureOperationId] = [newOrderedId(slot), newOrderedId(slot)];
  return {
    callId: newOrderedId(slot),
    operationId,
    paymentId: payment.paymentId,
    environment: payment.environment,
    accountId: payment.accountId,
    slot,
    kind: planned.kind,
    plan: planned.plan,
    isMerchantInitiated: planned.isMerchantInitiated,
    captureOperationId: planned.captureNow ? captureOperationId : null,
    requestKey,
    requestId,
    state: 'SENT' as const,
    startedAt: clock.now(),
    lostAt: new Date(Date.now() + lostAfterMs),
    askAt: null,
    askedCount: 0,
    raisedAt: null,
    steps: [],
  };
}
