// Paying a checkout: every test card, the challenge, captures, alternative methods (2.2-B and 2.2-C of the decision register).
import { testCards } from '../../subgraphs/shared/test-cards';
import { checkoutSteps } from './checkout-steps';
import { type CheckoutWorld, card, minuteMs, openCheckoutWorld, payUrl } from './checkout-world';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

const { sessionOf, finalize, partsOf, operationsOf } = checkoutSteps(() => world);

describe('a card that is charged at once', () => {
  const rows: [string, string, string[]][] = [
    ['4242424242424242', 'AUTHORIZED', ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']],
    ['5555555555554444', 'AUTHORIZED', ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']],
    ['378282246310005', 'AUTHORIZED', ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']],
    ['4000000000000002', 'DECLINED', ['AUTHORIZATION DECLINED']],
    ['4000000000009995', 'DECLINED', ['AUTHORIZATION DECLINED']],
    ['4100000000000019', 'DENIED_BY_RISK', ['AUTHORIZATION DENIED_BY_RISK']],
    ['4000000000000119', 'FAILED', ['AUTHORIZATION FAILED']],
    ['4000000000000077', 'PENDING', ['AUTHORIZATION PENDING']],
    ['4000000000000259', 'PENDING', ['AUTHORIZATION PENDING']],
  ];
  it.each(rows)('%s comes to %s', async (number, result, operations) => {
    const sessionId = await sessionOf(number);
    expect(await partsOf(sessionId)).toHaveLength(4);
    const { data, code } = await finalize(sessionId);
    expect([code, data?.state, data?.operation?.operationType, data?.operation?.operationResult]).toEqual([
      null,
      'PAYMENT_COMPLETE',
      'AUTHORIZATION',
      result,
    ]);
    expect(data.operation.operationAmount).toBe('5000');
    expect(await operationsOf(sessionId)).toEqual(operations);
    expect(await partsOf(sessionId)).toEqual([]);
    // Repeated, it answers the same and charges nothing.
    expect((await finalize(sessionId)).data).toEqual(data);
    expect(await operationsOf(sessionId)).toEqual(operations);
  });

  it('leaves every number of the table with an outcome', () => {
    const covered = new Set([...rows.map(([number]) => number), ...challenged.map(([number]) => number)]);
    const offered = testCards.filter(({ brand }) => brand !== 'DISCOVER').map(({ number }) => number);
    expect(offered.filter((number) => !covered.has(number))).toEqual(['4000000000000341']);
  });
});

const challenged: [string, string, string, string][] = [
  ['4000002500003155', 'PASS', 'AUTHORIZATION', 'AUTHORIZED'],
  ['4000002500003155', 'FAIL', 'AUTHORIZATION', 'THREEDS_FAILED'],
  ['4000002500003155', 'CANCEL', 'CANCEL', 'CANCELED'],
  ['4000008400001629', 'PASS', 'AUTHORIZATION', 'DECLINED'],
  ['4000000000003220', 'PASS', 'AUTHORIZATION', 'THREEDS_FAILED'],
];

describe('a card whose holder is challenged', () => {
  it.each(challenged)('%s, %s: %s with %s', async (number, outcome, type, result) => {
    const sessionId = await sessionOf(number);
    const { data } = await finalize(sessionId);
    expect(data).toMatchObject({ state: 'REDIRECTED_TO_EXTERNAL_DOMAIN', operation: null });
    expect(data.url).toMatch(/\/challenge\/[0-9a-f-]{36}$/);
    expect(data.fieldSet.url).toBe(data.url);
    expect(await partsOf(sessionId)).toEqual([]);
    expect((await finalize(sessionId)).data).toEqual(data);
    const settled = await world.run('SettleChallenge', { sessionId, outcome });
    expect(settled.data).toEqual({ state: 'PAYMENT_COMPLETE' });
    const after = await world.run('GetCheckoutState', { sessionId });
    expect(after.data.operation).toMatchObject({ operationType: type, operationResult: result });
    expect((await finalize(sessionId)).data).toEqual(after.data);
    expect((await world.run('SettleChallenge', { sessionId, outcome })).code).toBe('flowStateInvalid');
    // Whatever came of it, it is found by its card.
    const [session] = await world.documents('checkout_sessions', { _id: sessionId });
    const [payment] = await world.documents('payments', { _id: session?.paymentId });
    expect(payment?.cardKey).toEqual(expect.any(Number));
  });

  it('stays where it is while the challenge is open, and dies with it', async () => {
    const sessionId = await sessionOf('4000002500003155');
    const { data } = await finalize(sessionId);
    const open = await world.run('ReturnToCheckout', { sessionId });
    expect(open.data).toMatchObject({ state: 'REDIRECTED_TO_EXTERNAL_DOMAIN', redirectUrl: data.url });
    const challengeId = data.url.split('/').at(-1);
    const answer = (text: string) => world.run('AnswerChallenge', { challengeId, answer: text });
    expect((await answer('RESEND')).data).toMatchObject({ status: 'OPEN', resends: 1, triesLeft: 3 });
    expect((await answer('000000')).data).toMatchObject({ status: 'OPEN', triesLeft: 2 });
    world.clock.advance(10 * minuteMs);
    const shown = await world.run('GetThreeDsChallenge', { challengeId });
    expect(shown.data).toMatchObject({
      status: 'TIMED_OUT',
      returnUrl: `${payUrl}/return/${sessionId}`,
      amount: '5000',
    });
    expect((await answer('123456')).data.status).toBe('TIMED_OUT');
    const back = await world.run('ReturnToCheckout', { sessionId });
    expect(back.data.operation.operationResult).toBe('THREEDS_FAILED');
  });

  it('fails after three wrong codes, passes with the right one', async () => {
    for (const [codes, result] of [
      [['1', '2', '3', '123456'], 'THREEDS_FAILED'],
      [['1', '123456', 'FAIL'], 'AUTHORIZED'],
    ] as const) {
      const sessionId = await sessionOf('4000002500003155');
      const challengeId = (await finalize(sessionId)).data.url.split('/').at(-1);
      for (const code of codes) await world.run('AnswerChallenge', { challengeId, answer: code });
      const { data } = await world.run('ReturnToCheckout', { sessionId });
      expect(data.operation.operationResult).toBe(result);
    }
  });

  it('warns of an exemption that was skipped or ignored', async () => {
    const session = { exemptions: 'EXEMPTION_REQUESTED' };
    const ofOperation = async (sessionId: string) => {
      const [first] = await world.documents('operations', { sessionId, type: { $ne: 'CAPTURE' } });
      return first.warnings.map(({ code }: { code: string }) => code);
    };
    const skippedId = await sessionOf(undefined, session);
    const skipped = (await finalize(skippedId)).data;
    expect(skipped.fieldSet.warnings).toEqual([{ code: 'TRA001', description: expect.any(String) }]);
    expect(skipped.operation.operationResult).toBe('AUTHORIZED');
    expect(await ofOperation(skippedId)).toEqual(['TRA001']);
    // What is missing for the shop's page is no matter of the payment.
    const withoutResultUrl = { ...session, resultUrl: null };
    for (const outcome of ['PASS', 'FAIL']) {
      const ignoredId = await sessionOf('4000002500003155', withoutResultUrl);
      const ignored = (await finalize(ignoredId)).data;
      expect(ignored.fieldSet.warnings.map(({ code }: { code: string }) => code)).toEqual(['TRA002', 'TRA004']);
      await world.run('SettleChallenge', { sessionId: ignoredId, outcome });
      expect(await ofOperation(ignoredId)).toEqual(['TRA004']);
    }
  });
});

describe('a result that is pending', () => {
  it('becomes final under the same operation', async () => {
    const sessionId = await sessionOf('4000000000000077');
    const { operationId } = (await finalize(sessionId)).data.operation;
    world.clock.advance(4_000);
    await world.payments.settle();
    const { data } = await world.run('GetCheckoutState', { sessionId });
    expect(data.operation).toMatchObject({ operationId, operationResult: 'AUTHORIZED' });
  });
});

describe('what may be captured', () => {
  it.each([
    ['implicit', undefined, ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']],
    ['explicit', undefined, ['AUTHORIZATION AUTHORIZED']],
    ['explicit', 'IMPLICIT', ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']],
    ['explicit', 'DEFERRED', ['AUTHORIZATION AUTHORIZED']],
  ] as const)('terminal %s, captureType %s', async (terminal, captureType, operations) => {
    const { data } = await world.build({}, captureType ? { captureType } : {}, { caller: world[terminal] });
    await world.run('FillCheckoutCard', { sessionId: data.sessionId, card: card() });
    await world.run('FinalizeCheckout', { sessionId: data.sessionId }, { caller: world[terminal] });
    expect(await operationsOf(data.sessionId)).toEqual(operations);
  });

  it('checks a card without money', async () => {
    const { data } = await world.build({ amount: null }, { actionType: 'VERIFY' });
    await world.run('FillCheckoutCard', { sessionId: data.sessionId, card: card() });
    const { operation } = (await finalize(data.sessionId)).data;
    expect(operation).toMatchObject({
      operationType: 'CARD_VERIFICATION',
      operationResult: 'AUTHORIZED',
      operationAmount: '0',
    });
  });

  it('pays nothing without an amount', async () => {
    const { data } = await world.build({ amount: null });
    await world.run('FillCheckoutCard', { sessionId: data.sessionId, card: card() });
    expect((await finalize(data.sessionId)).code).toBe('flowStateInvalid');
  });
});

describe('alternative methods', () => {
  it.each([
    ['PASS', 'AUTHORIZATION', 'EXECUTED'],
    ['FAIL', 'AUTHORIZATION', 'DECLINED'],
    ['CANCEL', 'CANCEL', 'CANCELED'],
  ])('answered %s', async (outcome, type, result) => {
    const { data } = await world.build({}, { paymentService: 'PAYPAL' });
    expect(data).toMatchObject({ state: 'REDIRECTED_TO_EXTERNAL_DOMAIN', fields: [] });
    expect(data.url).toMatch(/\/method\//);
    const { sessionId } = data;
    const visitId = data.url.split('/').at(-1);
    expect((await world.run('GetAlternativeMethodVisit', { visitId })).data).toMatchObject({
      sessionId,
      method: 'PAYPAL',
      status: 'OPEN',
    });
    await world.run('SettleChallenge', { sessionId, outcome });
    const after = (await world.run('GetCheckoutState', { sessionId })).data;
    expect(after).toMatchObject({
      state: 'PAYMENT_COMPLETE',
      operation: { operationType: type, operationResult: result },
    });
    if (result === 'EXECUTED')
      expect(after.operation).toMatchObject({ paymentMethod: 'APM', paymentCircuit: 'PAYPAL' });
  });

  it('cannot pay an amount that nobody knows', async () => {
    expect((await world.build({ amount: null }, { paymentService: 'PAYPAL' })).code).toBe('flowStateInvalid');
  });
});
