// Money core, charges on a real database: every test card's result, refusals, events (payment interface; 2.2-A and 2.6 of the decision register).

import type { Operation } from '../../subgraphs/payments/operations/operation';
import { callResultOf } from '../../subgraphs/payments/payment/acquirer-call';
import type { Payment } from '../../subgraphs/payments/payment/payment';
import { newId } from '../../subgraphs/shared/ids';
import {
  chargeFresh,
  contextOf,
  dayMs,
  instrumentOf,
  type MoneyWorld,
  openMoneyWorld,
  openPayment,
  refusal,
} from './money-world';

let world: MoneyWorld;
beforeAll(async () => {
  world = await openMoneyWorld();
});
afterAll(() => world.close());

const eventsOf = ({ paymentId }: Payment) =>
  world.connection.collection('events').find({ aggregateId: paymentId }).sort({ sequence: 1 }).toArray();

const said = ({ type, result }: Operation) => `${type} ${result}`;
const alpha = () => contextOf(world.alpha);

describe('charge', () => {
  const rows: [string, string, string, string][] = [
    ['4242424242424242', 'AUTHORIZED', 'Authorized', 'VISA'],
    ['5555555555554444', 'AUTHORIZED', 'Authorized', 'MC'],
    ['378282246310005', 'AUTHORIZED', 'Authorized', 'AMEX'],
    ['4000000000000002', 'DECLINED', 'Declined', 'VISA'],
    ['4000000000009995', 'DECLINED', 'Declined', 'VISA'],
    ['4100000000000019', 'DENIED_BY_RISK', 'Declined', 'VISA'],
    ['4000000000000119', 'FAILED', 'Failed', 'VISA'],
    ['4000000000000077', 'PENDING', 'Unknown', 'VISA'],
    ['4000000000000259', 'PENDING', 'Unknown', 'VISA'],
    ['4000002500003155', 'AUTHORIZED', 'Authorized', 'VISA'],
    ['4000008400001629', 'DECLINED', 'Declined', 'VISA'],
  ];
  it.each(rows)('of card %s comes to %s and leaves the payment %s', async (number, result, state, circuit) => {
    const { payment, operation } = await chargeFresh(world, { number });
    expect(operation).toMatchObject({ type: 'AUTHORIZATION', result, circuit, method: 'CARD', amountMinor: 10_000n });
    expect(payment.state).toBe(state);
    expect(await world.money.readPayment(alpha(), payment.paymentId)).toEqual(payment);
    expect(await world.money.readOperation(alpha(), operation.operationId)).toEqual(operation);
    const events = await eventsOf(payment);
    expect(events.map(({ type, sequence, data }) => [type, sequence, data['operationResult'], data['state']])).toEqual([
      ['operation.recorded', 1, result, state],
    ]);
    expect(events[0]?.['data']).toMatchObject({ operationId: operation.operationId, operationAmount: '10000' });
  });

  it('keeps the masked card, its authorization code and how the payer was authenticated', async () => {
    const { payment, operation } = await chargeFresh(world);
    expect(operation.instrumentInfo).toBe('424242******4242');
    expect(operation.additionalData).toMatchObject({ threeDS: 'frictionless', cardCountry: 'ITA' });
    expect(operation.additionalData['authorizationCode']).toMatch(/^\d{6}$/);
    expect(operation.endToEndId).toMatch(/^\d{15}$/);
    expect(payment.instrument?.endToEndId).toBe(operation.endToEndId);
    expect(payment.authorizationExpiresAt).toEqual(new Date(world.clock.now().getTime() + 7 * dayMs));
  });

  it('with captureNow adds a CAPTURE of its own in the same unit of work', async () => {
    const { payment, operation } = await chargeFresh(world, { captureNow: true });
    expect(said(operation)).toBe('AUTHORIZATION AUTHORIZED');
    expect(payment).toMatchObject({ state: 'Captured', capturedMinor: 10_000n, authorizedMinor: 10_000n, sequence: 2 });
    const [, capture] = payment.entries;
    expect(capture).toMatchObject({ type: 'CAPTURE', result: 'EXECUTED', parentOperationId: operation.operationId });
    expect((await eventsOf(payment)).map(({ data, sequence }) => [data['operationType'], sequence])).toEqual([
      ['AUTHORIZATION', 1],
      ['CAPTURE', 2],
    ]);
  });

  it.each(['none', 'exempted'])('is declined for want of authentication when it was %s', async (threeDs) => {
    const payment = await openPayment(world);
    const instrument = await instrumentOf(world, '4000002500003155', threeDs);
    const order = { paymentId: payment.paymentId, type: 'AUTHORIZATION', amountMinor: 1n, captureNow: false } as const;
    const { operation } = await world.money.charge(alpha(), { ...order, instrument });
    expect(operation).toMatchObject({
      result: 'DECLINED',
      additionalData: { responseReason: 'authentication_required' },
    });
  });

  it('of the merchant alone needs no authentication', async () => {
    const payment = await openPayment(world);
    const instrument = await instrumentOf(world, '4000002500003155', 'none');
    const { operation } = await world.money.charge(alpha(), {
      paymentId: payment.paymentId,
      type: 'NOSHOW',
      amountMinor: 500n,
      captureNow: true,
      instrument,
      isMerchantInitiated: true,
      channel: 'BACKOFFICE',
      channelDetail: 'MIT',
    });
    expect(operation).toMatchObject({ type: 'NOSHOW', result: 'AUTHORIZED', channel: 'BACKOFFICE', amountMinor: 500n });
  });

  it.each([
    ['authorize', 'AUTHORIZATION', 'APPROVED', 'AUTHORIZED'],
    ['authorize', 'AUTHORIZATION', 'DECLINED', 'DECLINED'],
    ['capture', 'CAPTURE', 'APPROVED', 'EXECUTED'],
    ['capture', 'CAPTURE', 'DECLINED', 'DENIED'],
    ['refund', 'REFUND', 'DECLINED', 'DENIED'],
    ['void', 'VOID', 'CANCELLED', 'CANCELED'],
    ['methodVisit', 'AUTHORIZATION', 'APPROVED', 'EXECUTED'],
  ] as const)('says what the acquirer said, in the words of operations', (kind, type, said, result) => {
    expect(callResultOf({ kind, plan: { type } }, said)).toBe(result);
  });

  it('verifies a card with no amount', async () => {
    const { payment, operation } = await chargeFresh(world, { type: 'CARD_VERIFICATION', captureNow: true });
    expect(operation).toMatchObject({ type: 'CARD_VERIFICATION', result: 'AUTHORIZED', amountMinor: 0n });
    expect(payment).toMatchObject({ state: 'Verified', authorizedMinor: 0n, capturedMinor: 0n });
    expect(payment.instrument).not.toBeNull();
  });

  it('writes what the caller adds in the same unit of work', async () => {
    const marker = newId();
    const { payment } = await chargeFresh(world, {
      alongside: ({ payment: after }) => ({
        inserts: [{ collection: 'markers', document: { _id: marker, state: after.state } }],
      }),
    });
    expect(await world.connection.collection('markers').findOne({ _id: marker as never })).toMatchObject({
      state: payment.state,
    });
  });

  it('leaves no call open once its outcome is recorded', async () => {
    const { payment, operation } = await chargeFresh(world);
    expect(payment.activeCallId).toBeNull();
    const stored = await world.connection.collection('payments').findOne({ _id: payment.paymentId as never });
    expect(stored).not.toHaveProperty('underway');
    expect(await world.connection.collection('acquirer_calls').countDocuments({ paymentId: payment.paymentId })).toBe(
      0,
    );
    const [told] = await world.money.listCalls([operation.operationId]);
    expect(told).toMatchObject({ state: 'DONE', startedAt: operation.createdAt, askAt: null, raisedAt: null });
    expect(told?.steps).toEqual([{ at: operation.time, step: 'CALLED', outcome: 'AUTHORIZED' }]);
  });

  it.each(['4242424242424242', '4000000000000002', '4000000000000077'])(
    'is refused on a payment that was charged with %s',
    async (number) => {
      const { payment } = await chargeFresh(world, { number });
      const instrument = await instrumentOf(world);
      const order = {
        paymentId: payment.paymentId,
        type: 'AUTHORIZATION',
        amountMinor: 1n,
        captureNow: false,
      } as const;
      const sentBefore = world.door.sent;
      expect(await refusal(world.money.charge(alpha(), { ...order, instrument }))).toBe('invalidState');
      expect(world.door.sent).toBe(sentBefore);
    },
  );

  it('refuses no amount, more than the payment is over, and payments of others as if they were absent', async () => {
    const payment = await openPayment(world);
    const instrument = await instrumentOf(world);
    const order = { paymentId: payment.paymentId, type: 'AUTHORIZATION', captureNow: false, instrument } as const;
    expect(await refusal(world.money.charge(alpha(), { ...order, amountMinor: 0n }))).toBe('amountInvalid');
    expect(await refusal(world.money.charge(alpha(), { ...order, amountMinor: 10_001n }))).toBe(
      'amountAboveAuthorized',
    );
    const foreign = world.money.charge(contextOf(world.beta), { ...order, amountMinor: 1n });
    expect(await refusal(foreign)).toBe('notFound');
    expect(await refusal(world.money.charge(alpha(), { ...order, paymentId: newId(), amountMinor: 1n }))).toBe(
      'notFound',
    );
  });

  it('raises an authorization that allows it, and no other', async () => {
    const instrument = await instrumentOf(world);
    const preauthorized = (await chargeFresh(world, { opening: { isIncremental: true } })).payment;
    const more = {
      paymentId: preauthorized.paymentId,
      type: 'INCREMENTAL',
      amountMinor: 500n,
      captureNow: false,
    } as const;
    const { payment, operation } = await world.money.charge(alpha(), { ...more, instrument });
    expect(said(operation)).toBe('INCREMENTAL AUTHORIZED');
    expect(payment).toMatchObject({ state: 'Authorized', authorizedMinor: 10_500n });
    const declined = await world.money.charge(alpha(), {
      ...more,
      instrument: await instrumentOf(world, '4000000000000002'),
    });
    expect(declined.operation.result).toBe('DECLINED');
    expect(declined.payment).toMatchObject({ state: 'Authorized', authorizedMinor: 10_500n });
    const { paymentId } = (await chargeFresh(world)).payment;
    expect(await refusal(world.money.charge(alpha(), { ...more, paymentId, instrument }))).toBe('invalidState');
  });
});
