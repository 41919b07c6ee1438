// The calls on a payment: authorize, capture, cancel, refund; what each reads, what it asks of the money core, what it answers (payment service).
import type { RecordChange } from '../../shared/callers/audit';
import type { RequestContext } from '../../shared/callers/context';
import { reasonOfMoney } from '../../shared/callers/reason';
import { DomainError } from '../../shared/errors';
import { freeText, integer, optionalFields, text } from '../../shared/field-reader';
import type { KeyClaim, OnceBegun } from '../../shared/idempotency/once-begun';
import { isUuid } from '../../shared/ids';
import { withoutUndefined } from '../../shared/present-members';
import { together } from '../../shared/store/unit-of-work';
import type { AuditAction } from '../../shared/vocabulary/audit-action';
import { actionRecord } from '../checkout/operation-action.service';
import type { Alongside, Money, Outcome, PostOperation } from '../money/money';
import { isOwn } from '../operations/operation-query';
import type { Payment } from '../payment/payment';
import { readServiceBasket } from './create-payment';
import { checkBasket, decideAnswer, decideAuthorization, factsOf, isCharged, planCharge } from './payment-service';
import type { ReadChargedToken } from './stored-token.service';

export interface PaymentStepDeps {
  onceBegun: OnceBegun;
  money: Money;
  audit: RecordChange;
  readChargedToken: ReadChargedToken;
}

/** The answer of a mutation, kept for repetitions: ids only, the rest is read again. */
export interface Made {
  paymentId: string;
  operationId: string | null;
}

export type StepName = keyof typeof steps;

/**
 * One call on a payment, once per Idempotency-Key. Refuses with `notFound`, with what the step and the money core refuse, with `declined`, and with
 * `outcomeUnknown` while the acquirer has not answered; a repetition with the same key then finds the same operation.
 */
export async function performStep(
  deps: PaymentStepDeps,
  context: RequestContext,
  { name, paymentId, input }: { name: StepName; paymentId: string; input: object },
): Promise<Outcome> {
  const { field, action, prepare } = steps[name];
  const { run, reason: given } = prepare(input);
  const reason = reasonOfMoney(context, given);
  const made = await deps.onceBegun<Made>(context, field, async (key) => {
    const payment = await requireServicePayment(deps, context, paymentId);
    const alongside: Alongside = (reached) =>
      together(
        { inserts: actionRecord(deps.audit, context, { ...reached, action, reason }) },
        key.complete(madeOf(reached)),
      );
    return madeOf(await run({ deps, context, payment, recording: { alongside, claim: key } }));
  });
  const [payment, operation] = await Promise.all([
    requireServicePayment(deps, context, made.paymentId),
    deps.money.readOperation(context, made.operationId ?? ''),
  ]);
  if (!operation) throw new Error('an operation that was recorded cannot be read');
  decideAnswer(operation);
  return { payment, operation };
}

interface RunningStep {
  deps: PaymentStepDeps;
  context: RequestContext;
  payment: Payment;
  /** What goes with the intent and with the outcome. */
  recording: { alongside: Alongside; claim: KeyClaim };
}

interface ServiceStep {
  /** Of the graph; part of the scope of an Idempotency-Key. */
  field: string;
  /** In the audit of staff. */
  action: AuditAction;
  /** Reads the input, refusing with `invalidInput`, and says what is to be done then. */
  prepare(input: unknown): { reason?: string; run(running: RunningStep): Promise<Outcome> };
}

const anyReference = { description: freeText(1_024), reason: freeText(500) };
const terminal = { terminalId: text(64), posReferenceNumber: text(255) };
const readAuthorize = optionalFields({ ...anyReference, ...terminal, amount: readAmount });
const readCapture = optionalFields({ ...anyReference, ...terminal, amount: readAmount, basket: readServiceBasket });
const readCancel = optionalFields({ ...anyReference, ...terminal });
const readRefund = optionalFields({ ...anyReference, amount: readAmount });

/** The four calls on a payment: what each reads, and what it asks of the money core. */
const steps = {
  authorize: {
    field: 'authorizePayment',
    action: 'payment.authorized',
    prepare(sent) {
      const input = readAuthorize(sent, '');
      return { reason: input.reason, run: (running) => authorize(running, input) };
    },
  },
  capture: {
    field: 'capturePayment',
    action: 'payment.captured',
    prepare(sent) {
      const input = readCapture(sent, '');
      const run = async ({ deps, context, payment, recording }: RunningStep) => {
        checkBasket(payment, input.basket);
        return deps.money.capture(context, postOperation(payment, input, recording));
      };
      return { reason: input.reason, run };
    },
  },
  cancel: {
    field: 'cancelPayment',
    action: 'payment.cancelled',
    prepare(sent) {
      const input = readCancel(sent, '');
      const run = ({ deps, context, payment, recording }: RunningStep) =>
        deps.money.voidAuthorization(context, postOperation(payment, input, recording));
      return { reason: input.reason, run };
    },
  },
  refund: {
    field: 'refundPayment',
    action: 'payment.refunded',
    prepare(sent) {
      const input = readRefund(sent, '');
      const run = ({ deps, context, payment, recording }: RunningStep) =>
        deps.money.refund(context, postOperation(payment, input, recording));
      return { reason: input.reason, run };
    },
  },
} satisfies Record<string, ServiceStep>;

async function authorize(
  { deps, context, payment, recording }: RunningStep,
  input: ReturnType<typeof readAuthorize>,
): Promise<Outcome> {
  const { paymentId, sessionId, instrument, contractId, feeMinor } = payment;
  // A payment that was charged may have been charged under this very key: the money core knows, and then finds the operation again.
  const mayBeRepeated = context.idempotency !== undefined && isCharged(payment);
  const facts = (mayBeRepeated && factsOf(payment)) || decideAuthorization(payment);
  const plan = planCharge(payment, facts, input.amount);
  const charged = instrument
    ? { instrument, contractId, feeMinor }
    : await deps.readChargedToken(context, { payment, facts, amountMinor: plan.amountMinor });
  return deps.money.charge(context, { ...plan, ...saidOf(input), ...charged, ...recording, paymentId, sessionId });
}

function postOperation(
  { paymentId }: Payment,
  input: { amount?: bigint } & Parameters<typeof saidOf>[0],
  recording: RunningStep['recording'],
): PostOperation {
  return { channel: 'BACKOFFICE', ...saidOf(input), paymentId, amountMinor: input.amount ?? null, ...recording };
}

/** What the caller says about an operation; a terminal of the merchant's makes it one at a point of sale. */
function saidOf(input: { description?: string; reason?: string; terminalId?: string; posReferenceNumber?: string }) {
  const { description, reason, terminalId, posReferenceNumber } = input;
  const isAtTerminal = terminalId !== undefined || posReferenceNumber !== undefined;
  const words = withoutUndefined({ description, reason });
  if (!isAtTerminal) return words;
  const additionalData = said({ terminalId, posReferenceNumber });
  return { ...words, channel: 'POS' as const, channelDetail: 'TERMINAL', additionalData };
}

/** Only what was said. */
function said(facts: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A string of minor units, as every amount in the graph; at least one, and within the int32 of family A. */
function readAmount(value: unknown, field: string): bigint {
  const isWhole = typeof value === 'string' && /^\d{1,12}$/.test(value);
  const amount = integer(1)(isWhole ? Number(value) : null, field);
  return BigInt(amount);
}

/** The caller's own payment. Refuses with `notFound`. */
export async function requireServicePayment(
  deps: Pick<PaymentStepDeps, 'money'>,
  context: RequestContext,
  paymentId: string,
): Promise<Payment> {
  const payment = isUuid(paymentId) ? await deps.money.readPayment(context, paymentId) : null;
  // A client of one merchant sees nothing of another merchant of the same account.
  if (!payment || !isOwn(context.caller)(payment)) throw new DomainError('notFound');
  return payment;
}

export function madeOf({ payment, operation }: Outcome): Made {
  return { paymentId: payment.paymentId, operationId: operation.operationId };
}
