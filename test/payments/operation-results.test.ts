// Every pair of operation type and result, decided without any store: what is printed, where the payment goes, and that PENDING ends as the answer itself would have (hosted checkout, Operation object).
import { acquirerResults } from '../../subgraphs/payments/connectors/acquirer';
import { decisions, type PostAction } from '../../subgraphs/payments/money/actions';
import { decideRecording } from '../../subgraphs/payments/money/authorize';
import type { ChargeType, Recording } from '../../subgraphs/payments/money/money';
import type { Known } from '../../subgraphs/payments/money/outcome';
import type { AcquirerCall, PlannedCall } from '../../subgraphs/payments/payment/acquirer-call';
import type { Payment } from '../../subgraphs/payments/payment/payment';
import { operationResults, operationTypes } from '../../subgraphs/shared/vocabulary/operation';
import { printHow, type ResultRow, resultRows } from './operation-results';
import { after, answered, callOf, charge, created, decide, limits, now, paymentId } from './pure-money';

/** A payment of 10.00 in the state that the row starts from. */
function startOf({ from }: ResultRow): Payment {
  if (from === 'Created') return created();
  return after([{ act: 'AUTHORIZATION', captureNow: from === 'Captured' }]);
}

const actions: Partial<Record<ResultRow['type'], PostAction>> = {
  CAPTURE: 'capture',
  REFUND: 'refund',
  VOID: 'void',
  CANCEL: 'cancelCapture',
};

function plan(payment: Payment, { type, how, result }: ResultRow): PlannedCall {
  if (how.by !== 'acquirer') {
    const method = how.by === 'method' ? ({ method: 'APM', visitId: 'visit-1', circuit: 'PAYPAL' } as const) : {};
    return decideRecording(payment, { paymentId, type, result, ...method } as Recording);
  }
  const action = actions[type];
  if (!action) return charge(payment, type as ChargeType);
  const target = payment.entries.find((entry) => entry.type === 'CAPTURE') ?? null;
  const input = target ? { operationId: target.operationId } : { paymentId };
  return decisions[action]({ payment, target, input, now });
}

const knownBy = (call: AcquirerCall, { how, result }: ResultRow): Known =>
  how.by === 'record' ? { result, endToEndId: null, additionalData: {} } : answered(call, how.answer);
const name = (row: ResultRow) => `${row.type}: when ${printHow(row.how)}`;
const rows = resultRows.map((row) => [name(row), row] as const);

it.each(rows)('%s', (_name, row) => {
  const payment = startOf(row);
  expect(payment.state).toBe(row.from);
  const call = callOf(payment, plan(payment, row));
  const { next, printed } = decide(payment, call, knownBy(call, row));
  expect(printed.map(({ operation, change }) => [operation.type, operation.result, change])).toEqual([
    [row.type, row.result, 'recorded'],
  ]);
  expect([next.state, next.activeCallId]).toEqual([row.to, row.result === 'PENDING' ? call.callId : null]);
  expect(next.sequence - payment.sequence).toBe(1);
});

it.each(rows.filter(([, { how }]) => how.by !== 'record'))('%s, after it was PENDING', (_name, row) => {
  const payment = startOf(row);
  const call = callOf(payment, plan(payment, { ...row, result: 'PENDING' }));
  const open: AcquirerCall = { ...call, state: 'OPEN' };
  const unknown = decide(payment, call, answered(call, 'PENDING'));
  expect(unknown.next.state).toBe('Unknown');
  const { next, printed } = decide(unknown.next, open, knownBy(call, row));
  expect(next.state).toBe(row.to);
  expect(next.entries).toHaveLength(payment.entries.length + 1);
  expect(printed[0]).toMatchObject({
    change: 'resultChanged',
    operation: { operationId: call.operationId, type: row.type, result: row.result },
  });
  const amounts = ({ authorizedMinor, capturedMinor, refundedMinor }: Payment) => [
    authorizedMinor,
    capturedMinor,
    refundedMinor,
  ];
  expect(amounts(next)).toEqual(amounts(decide(payment, call, knownBy(call, row)).next));
});

it('names every type and every result of the document, and every answer to every type that is asked for', () => {
  expect(new Set(resultRows.map(({ type }) => type))).toEqual(new Set(operationTypes));
  expect(new Set(resultRows.map(({ result }) => result))).toEqual(new Set(operationResults));
  for (const type of operationTypes.filter((one) => one !== 'CARD_CHECK'))
    expect(
      resultRows.flatMap((row) => (row.type === type && row.how.by === 'acquirer' ? [row.how.answer] : [])),
    ).toEqual([...acquirerResults]);
});

const outcomesOf = (payment: Payment, action: PostAction, at = now) => {
  const target = payment.entries.find(({ type }) => type === 'CAPTURE') ?? payment.entries[0] ?? null;
  return () => decisions[action]({ payment, target, input: { operationId: target?.operationId ?? '' }, now: at });
};

it('an authorization holds until its last millisecond, and not in the one after', () => {
  const payment = startOf({ from: 'Authorized' } as ResultRow);
  const endsAt = now.getTime() + limits.authorizationMs;
  expect(payment.authorizationExpiresAt).toEqual(new Date(endsAt));
  expect(outcomesOf(payment, 'capture', new Date(endsAt - 1))).not.toThrow();
  for (const action of ['capture', 'void'] as const)
    expect(outcomesOf(payment, action, new Date(endsAt))).toThrow(
      expect.objectContaining({ code: 'authorizationExpired' }),
    );
});

it('a capture can be cancelled until midnight at +01:00', () => {
  const payment = startOf({ from: 'Captured' } as ResultRow);
  const midnight = new Date('2026-11-21T23:00:00.000Z');
  expect(outcomesOf(payment, 'cancelCapture', new Date(midnight.getTime() - 1))).not.toThrow();
  expect(outcomesOf(payment, 'cancelCapture', midnight)).toThrow(expect.objectContaining({ code: 'cancelTooLate' }));
});
