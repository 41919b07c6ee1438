// Money core under an idempotency key: whoever asks again, later or at the same time, gets the one outcome (2.4-B of the decision register).
import type { Money, Outcome } from '../../subgraphs/payments/money/money';
import { eventually } from '../support/stores';
import {
  chargeFresh,
  contextOf,
  eventsOf,
  instrumentOf,
  type MoneyWorld,
  openMoneyWorld,
  openPayment,
  refusal,
} from './money-world';

let world: MoneyWorld;
beforeEach(async () => {
  world = await openMoneyWorld();
});
afterEach(() => world.close());

it('a call whose process died is gone on with by the same request, without a second charge', async () => {
  world.door.afterSend = () => Promise.reject(new Error('killed'));
  const payment = await openPayment(world);
  const context = () => contextOf(world.alpha, { key: `once-${payment.paymentId}` });
  const charge = {
    ...({ paymentId: payment.paymentId, type: 'AUTHORIZATION', amountMinor: 1n, captureNow: false } as const),
    instrument: await instrumentOf(world),
  };
  await expect(world.money.charge(context(), charge)).rejects.toThrow('killed');
  world.door.afterSend = async () => undefined;
  const { operation } = await world.money.charge(context(), charge);
  expect(operation.result).toBe('AUTHORIZED');
  const repeated = await world.money.charge(context(), charge);
  expect(repeated.operation).toEqual(operation);
  const book = world.connection.collection('sandbox_acquirer_orders');
  expect(await book.countDocuments({ paymentId: payment.paymentId })).toBe(1);
  const other = contextOf(world.alpha, { key: `once-${payment.paymentId}`, fingerprint: 'another body' });
  expect(await refusal(world.money.charge(other, charge))).toBe('invalidState');
});

it.each(['first', 'last'] as const)('a capture has the outcome of its twin whose answer comes %s', async (which) => {
  const { payment, operation } = await chargeFresh(world);
  const answers: (() => void)[] = [];
  world.door.afterSend = () => new Promise((resolve) => void answers.push(resolve));
  const context = () => contextOf(world.alpha, { key: `twins-${payment.paymentId}` });
  const capture = (money: Money) => money.capture(context(), { operationId: operation.operationId });
  const sent: Promise<Outcome>[] = [];
  for (const money of [world.money, world.another()]) {
    sent.push(capture(money));
    await eventually(async () => answers.length === sent.length || undefined);
  }
  for (const at of which === 'first' ? [0, 1] : [1, 0]) {
    answers[at]?.();
    expect((await sent[at])?.operation.result).toBe('EXECUTED');
  }
  const ids = (await Promise.all(sent)).map((outcome) => outcome.operation.operationId);
  expect(new Set(ids).size).toBe(1);
  expect((await eventsOf(world, payment)).map(([, , type]) => type)).toEqual(['AUTHORIZATION', 'CAPTURE']);
});
