// A call sent to whoever moves the money, or asked about afterwards: the order that is made of it, and what its answer means.
import { DomainError } from '../../shared/errors';
import type { AcquirerAnswer, AcquirerOrder, AcquirerOrderKind, AcquirerResult } from '../connectors/acquirer';
import type { Debit, DebitKind, MethodVisit, VisitStatus } from '../connectors/alternative-method';
import type { Connectors } from '../connectors/connectors';
import { type AcquirerCall, isMethodOrder, methodOrders } from '../payment/acquirer-call';
import type { Payment } from '../payment/payment';

/** Makes the call, or makes it again: its id lets it have one effect. Null: no answer, the outcome is unknown. */
export async function sendCall(
  connectors: Connectors,
  payment: Payment,
  call: AcquirerCall,
): Promise<AcquirerAnswer | null> {
  const { acquirer, alternativeMethods } = connectors;
  if (call.kind === 'methodVisit') throw new Error('a visit is started by its session');
  if (isMethodOrder(call.kind))
    return answered(alternativeMethods.debit(debitOf(payment, call, methodOrders[call.kind])));
  if (call.kind !== 'methodRefund') return answered(acquirer.send(orderOf(payment, call, call.kind)));
  const refund = alternativeMethods.refund({
    callId: call.callId,
    visitId: referenceOf(call),
    amountMinor: call.plan.amountMinor,
    currency: payment.currency,
  });
  return answered(refund.then(({ isDone }) => plain(isDone ? 'APPROVED' : 'FAILED')));
}

/** What became of a call. `neverArrived`: and it never will. Null: no answer. */
export async function askCall(
  connectors: Connectors,
  payment: Payment,
  call: AcquirerCall,
): Promise<AcquirerAnswer | 'neverArrived' | null> {
  const { acquirer, alternativeMethods } = connectors;
  if (call.kind === 'methodRefund') return sendCall(connectors, payment, call);
  const asked: Promise<AcquirerAnswer | null> =
    call.kind === 'methodVisit'
      ? alternativeMethods.ask(call.callId).then((visit) => visit && visitAnswer(visit))
      : isMethodOrder(call.kind)
        ? alternativeMethods.askDebit(call.callId)
        : acquirer.ask(call.callId);
  return answered(asked.then((answer) => answer ?? ('neverArrived' as const)));
}

const visitResults: Readonly<Record<VisitStatus, AcquirerResult>> = {
  OPEN: 'PENDING',
  PENDING: 'PENDING',
  PAID: 'APPROVED',
  DECLINED: 'DECLINED',
  CANCELLED: 'CANCELLED',
};

function visitAnswer({ status, endToEndId }: MethodVisit): AcquirerAnswer {
  return { result: visitResults[status], endToEndId, additionalData: {} };
}

function plain(result: AcquirerResult): AcquirerAnswer {
  return { result, endToEndId: null, additionalData: {} };
}

function orderOf(payment: Payment, call: AcquirerCall, kind: AcquirerOrderKind): AcquirerOrder {
  const { type, amountMinor, instrument } = call.plan;
  return {
    callId: call.callId,
    kind,
    type,
    amountMinor,
    reference: referenceOf(call),
    paymentId: payment.paymentId,
    merchantId: payment.merchantId,
    currency: payment.currency,
    captureNow: call.captureOperationId !== null,
    threeDs: instrument?.threeDs ?? 'none',
    isMerchantInitiated: call.isMerchantInitiated,
  };
}

function debitOf({ paymentId, accountId, currency }: Payment, call: AcquirerCall, kind: DebitKind): Debit {
  const { callId, plan, captureOperationId } = call;
  return {
    callId,
    kind,
    reference: referenceOf(call),
    captureNow: captureOperationId !== null,
    paymentId,
    accountId,
    amountMinor: plan.amountMinor,
    currency,
  };
}

function referenceOf({ plan }: AcquirerCall): string {
  if (!plan.instrument) throw new Error('a call to the acquirer needs an instrument');
  return plan.instrument.reference;
}

/** A refusal to serve and silence are the same to us: nobody knows. Anything else is a defect, and the call is asked about later. */
async function answered<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') return null;
    throw error;
  }
}
