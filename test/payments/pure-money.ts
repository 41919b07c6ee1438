// The money core without any store: a payment, its calls and their outcomes as plain values, so that a decision is tested in microseconds.
import type { AcquirerResult } from '../../subgraphs/payments/connectors/acquirer';
import { newCall } from '../../subgraphs/payments/money/acquirer-intent.service';
import { decisions, type PostAction } from '../../subgraphs/payments/money/actions';
import { decideCharge, newPayment } from '../../subgraphs/payments/money/authorize';
import type { Charge, ChargeType } from '../../subgraphs/payments/money/money';
import { type Decided, decideOutcome, type Known, knownOf } from '../../subgraphs/payments/money/outcome';
import type { AcquirerCall, PlannedCall } from '../../subgraphs/payments/payment/acquirer-call';
import type { Instrument } from '../../subgraphs/payments/payment/instrument';
import type { Payment } from '../../subgraphs/payments/payment/payment';
import { manualClock } from '../../subgraphs/shared/clock';

export const now = new Date('2026-11-21T10:00:00Z');
export const limits = { authorizationMs: 7 * 86_400_000 };
export const paymentId = 'payment-1';
const clock = manualClock(now);
const instrument: Instrument = {
  reference: 'card-1',
  method: 'CARD',
  circuit: 'VISA',
  info: '424242******4242',
  additionalData: {},
  card: { bin: '424242', lastFour: '4242', expiry: '12/30' },
  threeDs: 'frictionless',
  endToEndId: null,
};

/** Over 100.00 EUR; its authorization may be raised unless changed. */
export function created(changes: Partial<Payment> = {}): Payment {
  const payment = newPayment(
    {
      environment: 'sandbox',
      accountId: 'alpha',
      merchantId: 'merchant-alpha',
      terminalId: 'terminal-1',
      family: 'checkout',
      orderId: 'order-1',
      amountMinor: 10_000n,
      currency: 'EUR',
      captureType: 'EXPLICIT',
      isIncremental: true,
      details: {},
      operationDefaults: {
        customField: null,
        contractType: null,
        installmentQty: null,
        customerInfo: null,
        description: null,
        paymentLinkId: null,
        omnichannelId: null,
      },
    },
    paymentId,
    now,
  );
  return { ...payment, ...changes };
}

export const answered = (call: AcquirerCall, result: AcquirerResult): Known =>
  knownOf(call, { result, endToEndId: null, additionalData: {} });

export const callOf = (payment: Payment, planned: PlannedCall): AcquirerCall =>
  newCall({ clock }, payment, { planned, requestKey: null, requestId: 'request-1' });

export const decide = (payment: Payment, call: AcquirerCall, known: Known, at = now): Decided =>
  decideOutcome(payment, call, { known, at, limits });

export const charge = (payment: Payment, type: ChargeType, more: Partial<Charge> = {}, at = now): PlannedCall =>
  decideCharge(payment, { paymentId, type, amountMinor: 1_000n, instrument, captureNow: false, ...more }, at);

/** One act on a payment. `of`: the place of a capture among the captures, or the authorization; the whole payment when absent. */
export interface Act {
  act: ChargeType | PostAction;
  amountMinor?: bigint | null;
  captureNow?: boolean;
  of?: number | 'authorization';
  currency?: string;
  at?: Date;
  answer?: AcquirerResult;
}

export function planOf(payment: Payment, { act, of, at = now, captureNow = false, ...said }: Act): PlannedCall {
  if (!isPost(act)) return charge(payment, act, { captureNow, amountMinor: said.amountMinor ?? 1_000n }, at);
  const captures = payment.entries.filter(({ type }) => type === 'CAPTURE');
  const named = of === 'authorization' ? payment.entries[0] : of === undefined ? undefined : captures[of];
  const { amountMinor = null, currency = null } = said;
  const wanted = named ? { operationId: named.operationId } : { paymentId };
  const input = { amountMinor, currency, ...wanted };
  return decisions[act]({ payment, target: named ?? null, input, now: at });
}

/** The payment after those acts, each answered APPROVED unless it says otherwise. */
export function after(acts: readonly Act[], from = created()): Payment {
  return acts.reduce((payment, act) => {
    const call = callOf(payment, planOf(payment, act));
    return decide(payment, call, answered(call, act.answer ?? 'APPROVED'), act.at).next;
  }, from);
}

function isPost(act: Act['act']): act is PostAction {
  return Object.hasOwn(decisions, act);
}
