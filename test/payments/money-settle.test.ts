// Money core, what waits: pending and unknown outcomes, lost calls, alternative methods, all on the one clock (payment interface; 2.2-A, 2.2-B and 2.6 of the decision register).
import type { Money } from '../../subgraphs/payments/money/money';
import type { Payment } from '../../subgraphs/payments/payment/payment';
import { newId } from '../../subgraphs/shared/ids';
import {
  chargeFresh,
  contextOf,
  dayMs,
  eventsOf,
  hourMs,
  instrumentOf,
  type MoneyWorld,
  openMoneyWorld,
  openPayment,
  present,
  refusal,
} from './money-world';

let world: MoneyWorld;
beforeEach(async () => {
  world = await openMoneyWorld();
});
afterEach(() => world.close());

const minuteMs = 60_000;
const alpha = () => contextOf(world.alpha);
/** Every call that was sent counts as lost from now on. */
const loseCalls = () =>
  world.connection
    .collection('payments')
    .updateMany({ underway: { $exists: true } }, { $set: { 'underway.lostAt': new Date(0) } });

describe('an outcome that comes later', () => {
  it('is final 3 s after a pending one, under the same operation and a new event', async () => {
    const { payment, operation } = await chargeFresh(world, { number: '4000000000000077', captureNow: true });
    world.clock.advance(2_999);
    expect(await world.money.settle()).toMatchObject({ settled: 0 });
    world.clock.advance(1);
    expect(await world.money.settle()).toMatchObject({ settled: 1 });
    expect(await present(world, payment)).toMatchObject({
      state: 'Captured',
      capturedMinor: 10_000n,
      activeCallId: null,
    });
    const final = await world.money.readOperation(alpha(), operation.operationId);
    expect(final).toMatchObject({ result: 'AUTHORIZED', time: world.clock.now(), createdAt: operation.createdAt });
    expect(await eventsOf(world, payment)).toEqual([
      [1, 'operation.recorded', 'AUTHORIZATION', 'PENDING'],
      [2, 'operation.resultChanged', 'AUTHORIZATION', 'AUTHORIZED'],
      [3, 'operation.recorded', 'CAPTURE', 'EXECUTED'],
    ]);
    expect(await world.money.settle()).toEqual({ settled: 0, postponed: 0, raised: 0, expired: 0, captured: 0 });
  });

  it('is asked for a minute after silence', async () => {
    const { payment } = await chargeFresh(world, { number: '4000000000000259' });
    world.clock.advance(minuteMs - 1);
    await world.money.settle();
    expect((await present(world, payment)).state).toBe('Unknown');
    world.clock.advance(1);
    await world.money.settle();
    expect(await present(world, payment)).toMatchObject({ state: 'Authorized', authorizedMinor: 10_000n });
  });

  it('is asked for at 1 m, 5 m, 1 h and 1 d, raised for a person, and failed after seven days', async () => {
    const asked: number[] = [];
    const money: Money = world.another({
      acquirer: {
        register: async () => ({ reference: newId(), circuit: 'VISA', additionalData: {} }),
        send: () => new Promise(() => undefined),
        ask: () => {
          asked.push(world.clock.now().getTime() - startedMs);
          return new Promise(() => undefined);
        },
      },
      answerMsMax: 20,
      circuit: { silencesMax: 1_000, openMs: 1 },
    });
    const payment = await openPayment(world);
    const startedMs = world.clock.now().getTime();
    const charge = { paymentId: payment.paymentId, type: 'AUTHORIZATION', amountMinor: 1n, captureNow: false } as const;
    await money.charge(alpha(), { ...charge, instrument: await instrumentOf(world) });
    let raised = 0;
    const until = async (ms: number) => {
      world.clock.advance(startedMs + ms - world.clock.now().getTime());
      raised += (await money.settle()).raised;
    };
    for (const ms of [59_999, minuteMs, 5 * minuteMs - 1, 5 * minuteMs, hourMs, dayMs - 1, dayMs]) await until(ms);
    expect(asked).toEqual([minuteMs, 5 * minuteMs, hourMs, dayMs]);
    expect(raised).toBe(1);
    for (let day = 2; day <= 6; day += 1) await until(day * dayMs);
    expect((await present(world, payment)).state).toBe('Unknown');
    await until(7 * dayMs);
    expect((await present(world, payment)).state).toBe('Failed');
    expect((await eventsOf(world, payment)).at(-1)).toEqual([2, 'operation.resultChanged', 'AUTHORIZATION', 'FAILED']);
    const [call] = await money.listCalls((await present(world, payment)).entries.map(({ operationId }) => operationId));
    expect(call?.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      'CALLED NO_ANSWER',
      ...Array(4).fill('ASKED NO_ANSWER'),
      'RAISED null',
      ...Array(5).fill('ASKED NO_ANSWER'),
      'GIVEN_UP FAILED',
    ]);
  });

  it('of a capture gives the money back to its former state when the acquirer never heard of it', async () => {
    const { payment } = await chargeFresh(world);
    world.door.beforeSend = () => new Promise(() => undefined);
    const withShortDeadline = world.another({ answerMsMax: 20 });
    const { operation, payment: unknown } = await withShortDeadline.capture(alpha(), { paymentId: payment.paymentId });
    expect([operation.result, unknown.state]).toEqual(['PENDING', 'Unknown']);
    expect(await refusal(world.money.capture(alpha(), { paymentId: payment.paymentId }))).toBe('invalidState');
    world.clock.advance(minuteMs);
    await world.money.settle();
    expect(await present(world, payment)).toMatchObject({ state: 'Authorized', capturedMinor: 0n });
    expect((await eventsOf(world, payment)).at(-1)).toEqual([3, 'operation.resultChanged', 'CAPTURE', 'FAILED']);
    world.door.beforeSend = async () => undefined;
    expect((await world.money.capture(alpha(), { paymentId: payment.paymentId })).payment.state).toBe('Captured');
  });

  it('carries what the rest of the domain adds', async () => {
    const money = world.another({
      settledAlongside: ({ operation }) => ({
        inserts: [{ collection: 'markers', document: { _id: operation.operationId, result: operation.result } }],
      }),
    });
    const { operation } = await chargeFresh(world, { number: '4000000000000077' });
    world.clock.advance(3_000);
    await money.settle();
    const marker = await world.connection.collection('markers').findOne({ _id: operation.operationId as never });
    expect(marker).toMatchObject({ result: 'AUTHORIZED' });
  });
});

describe('a call whose process died', () => {
  const dies = () => Promise.reject(new Error('killed'));

  it('after the acquirer booked it is recorded by the janitor, once', async () => {
    world.door.afterSend = dies;
    const payment = await openPayment(world);
    const charge = { paymentId: payment.paymentId, type: 'AUTHORIZATION', amountMinor: 1n, captureNow: true } as const;
    await expect(world.money.charge(alpha(), { ...charge, instrument: await instrumentOf(world) })).rejects.toThrow(
      'killed',
    );
    expect(await present(world, payment)).toMatchObject({ state: 'Created', entries: [] });
    await world.money.settle();
    expect((await present(world, payment)).state).toBe('Created');
    await loseCalls();
    const janitors = [world.money, world.another(), world.another()];
    await Promise.all(janitors.map((money) => money.settle()));
    expect(await present(world, payment)).toMatchObject({ state: 'Captured', capturedMinor: 1n });
    expect((await eventsOf(world, payment)).map(([, , type, result]) => `${type} ${result}`)).toEqual([
      'AUTHORIZATION AUTHORIZED',
      'CAPTURE EXECUTED',
    ]);
  });

  it('before the acquirer heard of it leaves no trace, and is refused there should it come late', async () => {
    let release: () => void = () => undefined;
    const stalled = new Promise<void>((resolve) => {
      release = resolve;
    });
    world.door.beforeSend = () => stalled;
    const slow = world.another({ answerMsMax: 60_000 });
    const payment = await openPayment(world);
    const charge = { paymentId: payment.paymentId, type: 'AUTHORIZATION', amountMinor: 1n, captureNow: false } as const;
    const instrument = await instrumentOf(world);
    const late = refusal(slow.charge(alpha(), { ...charge, instrument }));
    while ((await present(world, payment)).activeCallId === null)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await loseCalls();
    expect(await world.money.settle()).toMatchObject({ settled: 1 });
    expect(await present(world, payment)).toMatchObject({ state: 'Created', activeCallId: null, sequence: 0 });
    release();
    expect(await late).toBe('unavailable');
    world.door.beforeSend = async () => undefined;
    expect((await world.money.charge(alpha(), { ...charge, instrument })).payment.state).toBe('Authorized');
    const book = world.connection.collection('sandbox_acquirer_orders');
    expect(await book.countDocuments({ paymentId: payment.paymentId, refused: false })).toBe(1);
  });

  it('makes others on the payment wait no longer than their deadline', async () => {
    world.door.afterSend = dies;
    const { paymentId } = await openPayment(world);
    const charge = {
      ...({ paymentId, type: 'AUTHORIZATION', amountMinor: 1n, captureNow: false } as const),
      instrument: await instrumentOf(world),
    };
    await expect(world.money.charge(alpha(), charge)).rejects.toThrow('killed');
    expect(await refusal(world.money.charge(alpha(), charge))).toBe('unavailable');
  });
});

describe('alternative methods', () => {
  const visitOf = (payment: Payment) =>
    world.money.alternativeMethods.start({
      paymentId: payment.paymentId,
      accountId: 'alpha',
      sessionId: newId(),
      merchantName: 'Alpha',
      method: 'PAYPAL',
      amountMinor: 10_000n,
      currency: 'EUR',
      returnUrl: 'http://127.0.0.1/return',
      language: null,
      isAgreement: false,
    });
  const recording = (payment: Payment, visitId: string) =>
    ({ paymentId: payment.paymentId, type: 'AUTHORIZATION', method: 'APM', circuit: 'PAYPAL', visitId }) as const;

  it('paid is an AUTHORIZATION that is EXECUTED: the money has moved, and goes back to the method', async () => {
    const payment = await openPayment(world);
    const { visitId, url } = await visitOf(payment);
    expect(url).toBe(`http://127.0.0.1:8084/method/${visitId}`);
    await world.money.alternativeMethods.answer(visitId, 'PASS');
    const paid = await world.money.record(alpha(), { ...recording(payment, visitId), result: 'EXECUTED' });
    expect(paid.operation).toMatchObject({
      type: 'AUTHORIZATION',
      result: 'EXECUTED',
      method: 'APM',
      circuit: 'PAYPAL',
    });
    expect(paid.payment).toMatchObject({ state: 'Captured', authorizedMinor: 10_000n, capturedMinor: 10_000n });
    const { operationId } = paid.operation;
    expect(await refusal(world.money.capture(alpha(), { operationId }))).toBe('operationCaptured');
    expect(await refusal(world.money.voidAuthorization(alpha(), { operationId }))).toBe('alreadyCaptured');
    const back = await world.money.refund(alpha(), { operationId, amountMinor: 4_000n });
    expect(back.operation).toMatchObject({
      type: 'REFUND',
      result: 'REFUNDED',
      method: 'APM',
      parentOperationId: operationId,
    });
    expect(back.payment).toMatchObject({ state: 'PartiallyRefunded', refundedMinor: 4_000n });
  });

  it.each([
    ['PASS', 'EXECUTED', 'Captured'],
    ['FAIL', 'DECLINED', 'Declined'],
    ['CANCEL', 'CANCELED', 'Cancelled'],
  ] as const)('that answers %s later ends PENDING with %s', async (answer, result, state) => {
    const payment = await openPayment(world);
    const { visitId } = await visitOf(payment);
    const pending = await world.money.record(alpha(), { ...recording(payment, visitId), result: 'PENDING' });
    expect([pending.operation.result, pending.payment.state]).toEqual(['PENDING', 'Unknown']);
    world.clock.advance(minuteMs);
    expect(await world.money.settle()).toMatchObject({ postponed: 1 });
    await world.money.alternativeMethods.answer(visitId, answer);
    world.clock.advance(4 * minuteMs);
    expect(await world.money.settle()).toMatchObject({ settled: 1 });
    expect(await present(world, payment)).toMatchObject({ state });
    expect((await eventsOf(world, payment)).at(-1)).toEqual([2, 'operation.resultChanged', 'AUTHORIZATION', result]);
  });

  it('that stays silent for seven days has failed', async () => {
    const payment = await openPayment(world);
    const { visitId } = await visitOf(payment);
    await world.money.record(alpha(), { ...recording(payment, visitId), result: 'PENDING' });
    world.clock.advance(7 * dayMs - 1);
    await world.money.settle();
    expect((await present(world, payment)).state).toBe('Unknown');
    world.clock.advance(dayMs);
    await world.money.settle();
    expect((await present(world, payment)).state).toBe('Failed');
  });
});
