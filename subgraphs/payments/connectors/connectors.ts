// The way out to whoever moves the money, bounded in time and kept back for a while after several calls got no answer; and what became of a call.
import { type CircuitLimits, createCircuit, type ObserveCall } from '../../shared/circuit';
import { DomainError } from '../../shared/errors';
import { type AcquirerCall, isMethodOrder, methodOrders } from '../payment/acquirer-call';
import type { Payment } from '../payment/payment';
import type { Acquirer, AcquirerAnswer, AcquirerOrder, AcquirerOrderKind, AcquirerResult } from './acquirer';
import type { AlternativeMethod, Debit, DebitKind, MethodVisit, VisitStatus } from './alternative-method';

export type AcquirerCallName = 'register' | 'send' | 'ask';
export type MethodCallName = keyof AlternativeMethod;

interface Guard {
  /** Refuses with `unavailable` while the circuit is open; ask before writing an intent. */
  admit(): void;
  /** While it is open, nobody asks what became of earlier calls either. */
  isOpen(): boolean;
}

export interface Connectors {
  acquirer: Acquirer & Guard;
  alternativeMethods: AlternativeMethod & Guard;
}

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

/** Only silence opens the circuit; a declined card is an answer. A call whose intent is written is made even so: at worst its outcome is asked for later. */
export function guardAcquirer(
  acquirer: Acquirer,
  limits: CircuitLimits,
  observe?: ObserveCall<AcquirerCallName>,
): Connectors['acquirer'] {
  const circuit = createCircuit<AcquirerCallName>({ name: 'The acquirer', limits, observe, isAnswer });
  return {
    admit: circuit.admit,
    isOpen: circuit.isOpen,
    async register(card) {
      circuit.admit();
      return circuit.call('register', () => acquirer.register(card));
    },
    send: (order) => circuit.call('send', () => acquirer.send(order)),
    ask: (callId) => circuit.call('ask', () => acquirer.ask(callId)),
  };
}

/** The same of methods: no payer's visit is begun, looked after or withdrawn while the circuit is open; an order with an intent is sent all the same. */
export function guardMethods(
  methods: AlternativeMethod,
  limits: CircuitLimits,
  observe?: ObserveCall<MethodCallName>,
): Connectors['alternativeMethods'] {
  const circuit = createCircuit<MethodCallName>({ name: 'The payment method', limits, observe, isAnswer });
  const admitted = async <Answer>(name: MethodCallName, send: () => Promise<Answer>): Promise<Answer> => {
    circuit.admit();
    return circuit.call(name, send);
  };
  return {
    admit: circuit.admit,
    isOpen: circuit.isOpen,
    start: (visit) => admitted('start', () => methods.start(visit)),
    ask: (visitId) => admitted('ask', () => methods.ask(visitId)),
    withdraw: (visitId) => admitted('withdraw', () => methods.withdraw(visitId)),
    answer: (visitId, answer) => admitted('answer', () => methods.answer(visitId, answer)),
    register: (account) => admitted('register', () => methods.register(account)),
    debit: (debit) => circuit.call('debit', () => methods.debit(debit)),
    askDebit: (callId) => circuit.call('askDebit', () => methods.askDebit(callId)),
    refund: (refund) => circuit.call('refund', () => methods.refund(refund)),
  };
}

function isAnswer(error: unknown): boolean {
  return error instanceof DomainError && error.code !== 'unavailable';
}
