// The payment service after authorization: capture, cancel, refund, their order and their races; who may do what, and what staff leave behind (payment service; 2.2-A of the decision register).
import { dayMs, openServiceWorld, type ServiceWorld } from './payment-service-world';
import { serviceSteps } from './service-steps';

let world: ServiceWorld;
beforeAll(async () => {
  world = await openServiceWorld();
});
afterAll(() => world.close());

const { authorize, capture, cancel, refund, documentsOf, stateOf, codeOf, key } = serviceSteps(() => world);

describe('capture, cancel, refund', () => {
  it('captures add up to the authorization, refunds to the captures', async () => {
    const paymentId = await world.authorized();
    expect(await codeOf(capture(paymentId, { amount: '5001' }))).toBe('amountAboveAuthorized');
    expect(await codeOf(capture(paymentId, { amount: '2000' }))).toBeNull();
    expect(await stateOf(paymentId)).toBe('PartiallyCaptured');
    expect(await codeOf(capture(paymentId, { amount: '3001' }))).toBe('amountAboveAuthorized');
    expect(await codeOf(cancel(paymentId))).toBe('alreadyCaptured');
    expect(await codeOf(capture(paymentId))).toBeNull();
    expect(await stateOf(paymentId)).toBe('Captured');
    expect(await codeOf(refund(paymentId, { amount: '5001' }))).toBe('amountAboveCaptured');
    expect(await codeOf(refund(paymentId, { amount: '1' }))).toBeNull();
    expect(await codeOf(refund(paymentId))).toBeNull();
    const { transactions, ...sums } = await world.read(paymentId);
    expect(sums).toMatchObject({ state: 'Refunded', capturedAmount: '5000', refundedAmount: '5000' });
    expect(transactions.map(({ type, result, amount }: Record<string, string>) => [type, result, amount])).toEqual([
      ['CARD_CHECK', 'THREEDS_VALIDATED', '0'],
      ['AUTHORIZATION', 'AUTHORIZED', '5000'],
      ['CAPTURE', 'EXECUTED', '2000'],
      ['CAPTURE', 'EXECUTED', '3000'],
      ['REFUND', 'REFUNDED', '1'],
      ['REFUND', 'REFUNDED', '4999'],
    ]);
    expect(await codeOf(refund(paymentId, { amount: '1' }))).not.toBeNull();
  });

  it('need an authorization', async () => {
    const paymentId = await world.created();
    for (const call of [capture, cancel, refund]) expect(await codeOf(call(paymentId))).toBe('invalidState');
  });

  it('cancel ends it', async () => {
    const paymentId = await world.authorized();
    expect((await cancel(paymentId)).data.payment.state).toBe('Cancelled');
    for (const call of [capture, cancel, refund, authorize]) expect(await codeOf(call(paymentId))).toBe('invalidState');
  });

  it('an authorization that is too old is only said to be so', async () => {
    const paymentId = await world.authorized();
    world.clock.advance(8 * dayMs);
    expect(await codeOf(capture(paymentId))).toBe('authorizationExpired');
    expect(await codeOf(cancel(paymentId))).toBe('authorizationExpired');
    await world.payments.settle();
    expect(await stateOf(paymentId)).toBe('Expired');
    expect(await codeOf(authorize(paymentId))).toBe('authorizationExpired');
  });

  it('Authorize is refused alike with an Idempotency-Key and without one', async () => {
    const dead = await world.authorized();
    world.clock.advance(8 * dayMs);
    await world.payments.settle();
    const charged = async (number: string) => {
      const paymentId = await world.created();
      await world.giveCard(paymentId, number);
      await authorize(paymentId);
      return paymentId;
    };
    const [declined, silent, good, captured, cancelled] = await Promise.all([
      charged('4000000000000002'),
      charged('4000000000000077'),
      ...Array.from({ length: 3 }, () => world.authorized()),
    ]);
    await capture(captured ?? '');
    await cancel(cancelled ?? '');
    const refused = async (paymentId = '') => [
      await stateOf(paymentId),
      await codeOf(authorize(paymentId)),
      await codeOf(authorize(paymentId, {}, { idempotency: key(`authorize-${paymentId}`) })),
    ];
    expect(await Promise.all([dead, declined, silent, good, captured, cancelled].map(refused))).toEqual([
      ['Expired', 'authorizationExpired', 'authorizationExpired'],
      ...['Declined', 'Unknown', 'Authorized', 'Captured', 'Cancelled'].map((state) => [
        state,
        'invalidState',
        'invalidState',
      ]),
    ]);
  });

  it('the same key moves money once, and another request under it none', async () => {
    const paymentId = await world.authorized();
    const idempotency = key('capture-1');
    const first = await capture(paymentId, { amount: '100' }, { idempotency });
    const again = await capture(paymentId, { amount: '100' }, { idempotency });
    expect([again.replayed, again.data.operation]).toEqual([true, first.data.operation]);
    const other = { idempotency: key('capture-1', 'other') };
    expect(await codeOf(capture(paymentId, { amount: '101' }, other))).toBe('idempotencyMismatch');
    expect((await world.read(paymentId)).capturedAmount).toBe('100');
  });

  it('64 captures of everything at once have one effect', async () => {
    const paymentId = await world.authorized();
    const codes = await Promise.all(Array.from({ length: 64 }, () => codeOf(capture(paymentId))));
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect((await world.read(paymentId)).capturedAmount).toBe('5000');
  });

  it('a terminal of the merchant makes an operation one at a point of sale', async () => {
    const paymentId = await world.authorized();
    const { data } = await capture(paymentId, { terminalId: 'T1', posReferenceNumber: '7' });
    expect(await documentsOf('operations', { _id: data.operation.operationId })).toMatchObject([
      { channel: 'POS', channelDetail: 'TERMINAL', additionalData: { terminalId: 'T1', posReferenceNumber: '7' } },
    ]);
  });

  it.each([
    ['capture', { amount: '1.5' }],
    ['capture', { amount: '-1' }],
    ['capture', { basket: [{ quantity: -1 }] }],
    ['cancel', { description: 'a\u0000' }],
    ['refund', { amount: '0' }],
  ])('%s with %j is refused before anything is looked at', async (name, input) => {
    const { code } = await world.run(`${name}Payment`, { paymentId: 'nonsense', input });
    expect(code).toBe('invalidInput');
  });
});

describe('isolation', () => {
  it('of somebody else, or of nobody: not found', async () => {
    const paymentId = await world.authorized();
    for (const caller of [world.beta, { ...world.alpha, merchantId: 'merchant-alpha-2' }]) {
      for (const call of [authorize, capture, cancel, refund])
        expect(await codeOf(call(paymentId, {}, { caller }))).toBe('notFound');
      expect(await world.read(paymentId, caller)).toBeNull();
    }
    for (const nobody of ['nonsense', '00000000-0000-4000-8000-000000000000', '{"$ne":null}']) {
      expect(await codeOf(capture(nobody))).toBe('notFound');
      expect(await world.read(nobody)).toBeNull();
    }
    expect(await stateOf(paymentId)).toBe('Authorized');
  });

  it('a reader reads and moves nothing', async () => {
    const paymentId = await world.authorized();
    expect(await world.read(paymentId, world.reader)).toMatchObject({ paymentId });
    expect(await codeOf(capture(paymentId, {}, { caller: world.reader }))).toBe('forbidden');
  });

  it('staff say why, and it is written down with the operation', async () => {
    const paymentId = await world.authorized();
    const caller = world.staff;
    expect(await capture(paymentId, { amount: '10' }, { caller })).toMatchObject({
      code: 'invalidInput',
      field: 'reason',
    });
    const { data } = await capture(paymentId, { amount: '10', reason: 'The shop called' }, { caller });
    const records = await documentsOf('audit', { subjectId: paymentId });
    expect(records).toMatchObject([
      {
        action: 'payment.captured',
        actor: caller.credentialId,
        accountId: 'alpha',
        changes: expect.arrayContaining([
          { field: 'operation', from: null, to: data.operation.operationId },
          { field: 'reason', from: null, to: 'The shop called' },
        ]),
      },
    ]);
    expect(await documentsOf('operations', { _id: data.operation.operationId })).toMatchObject([
      { reason: 'The shop called' },
    ]);
    await refund(paymentId);
    expect(await documentsOf('audit', { subjectId: paymentId })).toHaveLength(1);
  });
});
