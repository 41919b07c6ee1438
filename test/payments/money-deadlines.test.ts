// Money beyond one call: outcomes that no acquirer gave, orders freed for another try, and what ends or begins at a time of its own.
import {
  chargeFresh,
  contextOf,
  dayMs,
  eventsOf,
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

const alpha = () => contextOf(world.alpha);

describe('outcomes without an acquirer', () => {
  it.each([
    ['AUTHORIZATION', 'THREEDS_FAILED', 'Failed'],
    ['CANCEL', 'CANCELED', 'Cancelled'],
    ['AUTHORIZATION', 'FAILED', 'Failed'],
  ] as const)('%s with %s ends the payment, once', async (type, result, state) => {
    const { paymentId } = await openPayment(world);
    const { payment, operation } = await world.money.record(alpha(), { paymentId, type, result });
    expect(operation).toMatchObject({ type, result, amountMinor: 10_000n, method: 'CARD' });
    expect(payment.state).toBe(state);
    expect(await refusal(world.money.record(alpha(), { paymentId, type, result }))).toBe('invalidState');
    expect(await eventsOf(world, payment)).toEqual([[1, 'operation.recorded', type, result]]);
  });

  it('none is recorded beside a call under way, also upon a payment that was seen with it', async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((ask) => {
      world.door.beforeSend = () => {
        ask();
        return new Promise((answered) => {
          answer = answered;
        });
      };
    });
    const payment = await openPayment(world);
    const { paymentId } = payment;
    const instrument = await instrumentOf(world);
    const charge = { paymentId, type: 'AUTHORIZATION', amountMinor: 10_000n, captureNow: false, instrument } as const;
    const charged = world.money.charge(alpha(), charge);
    await asked;
    const seen = await present(world, payment);
    const cancel = { paymentId, type: 'CANCEL', result: 'CANCELED', seen } as const;
    const recorded = refusal(world.another().record(alpha(), cancel));
    answer();
    await charged;
    expect(await recorded).toBe('invalidState');
    expect((await present(world, payment)).state).toBe('Authorized');
  });

  it('a checked card waits for its charge', async () => {
    const { paymentId } = await openPayment(world, { family: 'paymentService' });
    const instrument = await instrumentOf(world, '4000002500003155', 'challenge');
    const checked = { paymentId, type: 'CARD_CHECK', result: 'THREEDS_VALIDATED', instrument } as const;
    const { payment } = await world.money.record(alpha(), checked);
    expect(payment).toMatchObject({ state: 'PendingCustomer', instrument });
    const charge = { paymentId, type: 'AUTHORIZATION', amountMinor: 10_000n, captureNow: false, instrument } as const;
    expect((await world.money.charge(alpha(), charge)).payment.state).toBe('Authorized');
  });

  it('frees the orderId of an order that failed, and of no other', async () => {
    const orderId = 'order-1';
    const first = await openPayment(world, { orderId });
    await expect(openPayment(world, { orderId })).rejects.toThrow('duplicate key in payments');
    await openPayment(world, { orderId, merchantId: 'merchant-beta', accountId: 'beta' });
    await openPayment(world, { orderId, family: 'paymentService' });
    await world.money.record(alpha(), { paymentId: first.paymentId, type: 'CANCEL', result: 'CANCELED' });
    await openPayment(world, { orderId });
  });

  it('moves a payment by what its page does', async () => {
    const payment = await openPayment(world);
    await world.committer.inTransaction({ updates: world.money.setState(payment, 'PAGE_OPENED') });
    const opened = await present(world, payment);
    expect(opened.state).toBe('PendingCustomer');
    expect(world.money.setState(opened, 'PAGE_OPENED')).toEqual([]);
    await world.committer.inTransaction({ updates: world.money.setState(opened, 'CHALLENGE_SHOWN') });
    expect((await present(world, payment)).state).toBe('PendingAuthentication');
    const { payment: charged } = await chargeFresh(world);
    expect(() => world.money.setState(charged, 'PAGE_OPENED')).toThrow('Authorized');
  });
});

describe('deadlines', () => {
  it('an authorization dies after seven days, with one event', async () => {
    const { payment, operation } = await chargeFresh(world);
    world.clock.advance(7 * dayMs - 1);
    await world.money.settle();
    expect((await present(world, payment)).state).toBe('Authorized');
    world.clock.advance(1);
    expect(await refusal(world.money.capture(alpha(), { operationId: operation.operationId }))).toBe(
      'authorizationExpired',
    );
    await Promise.all([world.money.settle(), world.another().settle()]);
    expect((await present(world, payment)).state).toBe('Expired');
    expect((await eventsOf(world, payment)).slice(1)).toEqual([[2, 'payment.expired', 'AUTHORIZATION', 'AUTHORIZED']]);
    for (const target of [{ operationId: operation.operationId }, { paymentId: payment.paymentId }]) {
      expect(await refusal(world.money.capture(alpha(), target))).toBe('authorizationExpired');
      expect(await refusal(world.money.voidAuthorization(alpha(), target))).toBe('authorizationExpired');
    }
  });

  it('what was captured in part stays captured, and no more of it can be', async () => {
    const { payment } = await chargeFresh(world);
    const { paymentId } = payment;
    await world.money.capture(alpha(), { paymentId, amountMinor: 1n });
    world.clock.advance(7 * dayMs);
    await world.money.settle();
    expect((await present(world, payment)).state).toBe('PartiallyCaptured');
    expect(await refusal(world.money.capture(alpha(), { paymentId }))).toBe('authorizationExpired');
  });

  it('a DEFERRED capture is made after its delay, unless the merchant was there before', async () => {
    const opening = { captureType: 'DEFERRED', captureDelayMs: dayMs } as const;
    const left = await chargeFresh(world, { opening });
    const touched = await chargeFresh(world, { opening });
    await world.money.capture(alpha(), { paymentId: touched.payment.paymentId, amountMinor: 1n });
    const undone = await chargeFresh(world, { opening });
    await world.money.voidAuthorization(alpha(), { paymentId: undone.payment.paymentId });
    world.clock.advance(dayMs - 1);
    expect((await world.money.settle()).captured).toBe(0);
    world.clock.advance(1);
    const runs = await Promise.all([world.money.settle(), world.another().settle()]);
    expect(runs.reduce((sum, { captured }) => sum + captured, 0)).toBe(1);
    const states = await Promise.all(
      [left, touched, undone].map(async ({ payment }) => (await present(world, payment)).state),
    );
    expect(states).toEqual(['Captured', 'PartiallyCaptured', 'Cancelled']);
  });

  it('a batch captures what waits for it, those of the caller only', async () => {
    const opening = { captureType: 'FILE' } as const;
    const waiting = await chargeFresh(world, { opening });
    await chargeFresh(world, { opening: { captureType: 'EXPLICIT' } });
    await chargeFresh(world, { opening, number: '4000000000000002' });
    expect(await world.money.captureBatch(contextOf(world.beta))).toBe(0);
    expect(await world.money.captureBatch(contextOf(world.staff))).toBe(1);
    expect((await present(world, waiting.payment)).state).toBe('Captured');
    expect(await world.money.captureBatch(contextOf(world.staff))).toBe(0);
  });

  it('a batch tries a capture once: what was captured, voided or refused before is left to the merchant', async () => {
    const opening = { captureType: 'FILE' } as const;
    const says = async () => ({ result: 'DECLINED', endToEndId: null, additionalData: {} }) as const;
    const silent = async () => Promise.reject(new Error('nobody registers or asks here'));
    const refusing = world.another({ acquirer: { register: silent, send: says, ask: silent } });
    const refused = await chargeFresh(world, { opening });
    expect(await refusing.captureBatch(contextOf(world.staff))).toBe(0);
    const kept = await chargeFresh(world, { opening });
    await refusing.voidAuthorization(alpha(), { paymentId: kept.payment.paymentId });
    const takenBack = await chargeFresh(world, { opening });
    expect(await world.money.captureBatch(contextOf(world.staff))).toBe(1);
    const [, capture] = (await present(world, takenBack.payment)).entries;
    await world.money.cancelCapture(alpha(), { operationId: capture?.operationId ?? '' });
    expect(await world.money.captureBatch(contextOf(world.staff))).toBe(0);
    for (const { payment } of [refused, kept, takenBack])
      expect(await present(world, payment)).toMatchObject({ state: 'Authorized', capturedMinor: 0n });
  });

  it('a capture by itself gives way to the merchant who was there since it was found', async () => {
    const { payment } = await chargeFresh(world, { opening: { captureType: 'FILE' } });
    let meanwhile = async () => {
      await world.money.capture(alpha(), { paymentId: payment.paymentId, amountMinor: 1n });
    };
    const late = world.another({
      async inTransaction(unit) {
        await meanwhile();
        meanwhile = async () => undefined;
        await world.committer.inTransaction(unit);
      },
    });
    expect(await late.captureBatch(contextOf(world.staff))).toBe(0);
    expect(await present(world, payment)).toMatchObject({ state: 'PartiallyCaptured', capturedMinor: 1n });
  });
});
