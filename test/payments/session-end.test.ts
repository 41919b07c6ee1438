// How sessions end: cancelled, idle, in a race, after a call that died; and who may end them (2.2-C of the decision register).
import { randomUUID } from 'node:crypto';
import { Long } from 'mongodb';
import { flow, flowStates } from '../../subgraphs/payments/sessions/checkout-session';
import { checkoutSteps } from './checkout-steps';
import { type CheckoutWorld, card, minuteMs, openCheckoutWorld } from './checkout-world';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

const { sessionOf, finalize, partsOf, operationsOf } = checkoutSteps(() => world);

describe('ends without a payment', () => {
  it.each(['CARD_DATA_COLLECTION', 'PAYMENT_METHOD_SELECTION', 'READY_FOR_PAYMENT', 'REDIRECTED_TO_EXTERNAL_DOMAIN'])(
    'is cancelled in %s',
    async (state) => {
      const { data } = await world.build({}, state === 'PAYMENT_METHOD_SELECTION' ? { paymentService: null } : {});
      const { sessionId } = data;
      const isFilled = state === 'READY_FOR_PAYMENT' || state === 'REDIRECTED_TO_EXTERNAL_DOMAIN';
      if (isFilled) await world.run('FillCheckoutCard', { sessionId, card: card('4000002500003155') });
      if (state === 'REDIRECTED_TO_EXTERNAL_DOMAIN') await finalize(sessionId);
      expect((await world.run('GetCheckoutState', { sessionId })).data.state).toBe(state);
      const cancelled = await world.run('CancelCheckout', { sessionId });
      expect(cancelled.data).toMatchObject({
        state: 'PAYMENT_COMPLETE',
        operation: { operationType: 'CANCEL', operationResult: 'CANCELED' },
      });
      expect(await partsOf(sessionId)).toEqual([]);
      expect((await world.run('CancelCheckout', { sessionId })).data).toEqual(cancelled.data);
      expect((await finalize(sessionId)).data).toEqual(cancelled.data);
    },
  );

  it('cannot be cancelled once it was paid', async () => {
    const sessionId = await sessionOf();
    await finalize(sessionId);
    expect((await world.run('CancelCheckout', { sessionId })).code).toBe('flowStateInvalid');
    expect((await world.run('AbandonCheckout', { sessionId })).code).toBe('flowStateInvalid');
  });

  it.each(['read', 'janitor'])('after thirty idle minutes, seen by the %s', async (seenBy) => {
    const sessionId = await sessionOf();
    world.clock.advance(30 * minuteMs - 1_000);
    await world.payments.expireSessions();
    expect((await world.documents('checkout_sessions', { _id: sessionId }))[0].state).toBe('READY_FOR_PAYMENT');
    world.clock.advance(1_000);
    if (seenBy === 'janitor') await world.payments.expireSessions();
    else await world.run('GetCheckoutState', { sessionId });
    expect((await world.documents('checkout_sessions', { _id: sessionId }))[0].state).toBe('PAYMENT_COMPLETE');
    expect(await operationsOf(sessionId)).toEqual(['CANCEL CANCELED']);
    expect(await partsOf(sessionId)).toEqual([]);
    expect((await finalize(sessionId)).data.operation.operationResult).toBe('CANCELED');
  });
});

it('after thirty idle minutes, seen by two janitors at once and by one again, it ends once', async () => {
  const sessionId = await sessionOf();
  world.clock.advance(30 * minuteMs);
  await Promise.all([world.payments.expireSessions(), world.payments.expireSessions()]);
  const [ended] = await world.documents('checkout_sessions', { _id: sessionId });
  await world.payments.expireSessions();
  expect(ended.state).toBe('PAYMENT_COMPLETE');
  expect(await operationsOf(sessionId)).toEqual(['CANCEL CANCELED']);
  expect(await world.documents('checkout_sessions', { _id: sessionId })).toEqual([ended]);
});

it('pages that still wait for their payer keep no idle session waiting, however many they are', async () => {
  const [sessionId, unopened] = [await sessionOf(), await sessionOf()];
  const sessions = world.stores.connection.collection('checkout_sessions');
  const page = await sessions.findOne({ _id: unopened as never });
  // The driver reads small integers as numbers, and the validator wants them long.
  const amountMinor = Long.fromNumber(Number(page?.['amountMinor']));
  const state = { family: 'paymentService', state: 'PAYMENT_INITIALIZATION', touchedAt: new Date(0) };
  const waiting = { ...page, amountMinor, ...state };
  await sessions.deleteOne({ _id: unopened as never });
  await sessions.insertMany(Array.from({ length: 600 }, () => ({ ...waiting, _id: randomUUID() as never })));
  world.clock.advance(30 * minuteMs);
  expect(await world.payments.expireSessions()).toBe(1);
  expect(await operationsOf(sessionId)).toEqual(['CANCEL CANCELED']);
  await sessions.deleteMany({ touchedAt: new Date(0) });
});

describe('races', () => {
  it('finalize beside finalize: one charge, one body', async () => {
    for (let round = 0; round < 5; round += 1) {
      const sessionId = await sessionOf();
      const answers = await Promise.all(Array.from({ length: 8 }, () => finalize(sessionId)));
      const [first] = answers;
      for (const answer of answers) expect(answer.data).toEqual(first?.data);
      expect(await operationsOf(sessionId)).toEqual(['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']);
      expect(await world.documents('events', { 'data.sessionId': sessionId })).toHaveLength(2);
    }
  });

  it('finalize beside cancel: one winner, the loser is told', async () => {
    for (let round = 0; round < 5; round += 1) {
      const sessionId = await sessionOf();
      const [paid, cancelled] = await Promise.all([finalize(sessionId), world.run('CancelCheckout', { sessionId })]);
      const operations = await operationsOf(sessionId);
      const isPaid = operations.length === 2;
      expect(operations).toEqual(isPaid ? ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED'] : ['CANCEL CANCELED']);
      expect(paid.data.operation.operationType).toBe(isPaid ? 'AUTHORIZATION' : 'CANCEL');
      expect(cancelled.code).toBe(isPaid ? 'flowStateInvalid' : null);
    }
  });

  it('return beside return: the challenge is completed once', async () => {
    const sessionId = await sessionOf('4000002500003155');
    const challengeId = (await finalize(sessionId)).data.url.split('/').at(-1);
    await world.run('AnswerChallenge', { challengeId, answer: 'PASS' });
    await Promise.all(Array.from({ length: 8 }, () => world.run('ReturnToCheckout', { sessionId })));
    expect(await operationsOf(sessionId)).toEqual(['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']);
  });
});

describe('while another call pays or ends the session', () => {
  const pays = (sessionId: string, payingSince: Date | null) =>
    world.stores.connection
      .collection('checkout_sessions')
      .updateOne({ _id: sessionId as never }, { $set: { payingSince }, $inc: { version: 1 } });
  /** Starts while the other call runs, and is answered once that has let go. */
  const meanwhile = async <Answer>(sessionId: string, call: () => Promise<Answer>): Promise<Answer> => {
    await pays(sessionId, new Date());
    const answer = call();
    // By then it has read what it must wait for.
    for (let look = 0; look < 10; look += 1) await operationsOf(sessionId);
    await pays(sessionId, null);
    return answer;
  };

  it('a step of the payer waits', async () => {
    const sessionId = await sessionOf();
    expect(
      await meanwhile(sessionId, () => world.run('ConfirmCheckout', { sessionId }, { caller: world.page })),
    ).toMatchObject({ code: null, data: { state: 'READY_FOR_PAYMENT' } });
  });

  it('a read of a session whose half hour is over waits, and never sees it open', async () => {
    const sessionId = await sessionOf();
    world.clock.advance(30 * minuteMs);
    expect(await meanwhile(sessionId, () => world.run('GetCheckoutState', { sessionId }))).toMatchObject({
      code: null,
      data: { state: 'PAYMENT_COMPLETE', operation: { operationType: 'CANCEL', operationResult: 'CANCELED' } },
    });
  });

  it('the janitor passes over it', async () => {
    const sessionId = await sessionOf();
    world.clock.advance(30 * minuteMs);
    await pays(sessionId, new Date());
    await world.payments.expireSessions();
    expect(await operationsOf(sessionId)).toEqual([]);
  });
});

describe('a call that died', () => {
  const die = (sessionId: string) =>
    world.stores.connection
      .collection('checkout_sessions')
      .updateOne(
        { _id: sessionId as never },
        { $set: { payingSince: new Date(Date.now() - 20_000) }, $inc: { version: 1 } },
      );

  /** By the janitor. */
  const forget = () => {
    world.clock.advance(30 * minuteMs);
    return world.payments.expireSessions();
  };

  it('before it charged: the next finalize pays', async () => {
    const sessionId = await sessionOf();
    await die(sessionId);
    expect((await finalize(sessionId)).data.operation.operationResult).toBe('AUTHORIZED');
    expect(await operationsOf(sessionId)).toEqual(['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']);
  });

  it.each(['finalize', 'state', 'janitor'])('after it charged: %s adopts the operation', async (seenBy) => {
    const sessionId = await sessionOf();
    await finalize(sessionId);
    const reset = { state: 'READY_FOR_PAYMENT', operationId: null };
    await world.stores.connection
      .collection('checkout_sessions')
      .updateOne({ _id: sessionId as never }, { $set: reset, $inc: { version: 1 } });
    await die(sessionId);
    if (seenBy === 'finalize') await finalize(sessionId);
    else if (seenBy === 'state') await world.run('GetCheckoutState', { sessionId });
    else await forget();
    const [stored] = await world.documents('checkout_sessions', { _id: sessionId });
    expect([stored.state, typeof stored.operationId]).toEqual(['PAYMENT_COMPLETE', 'string']);
    expect(await operationsOf(sessionId)).toEqual(['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']);
  });

  it('without a charge: the session ends when it is forgotten', async () => {
    const sessionId = await sessionOf();
    await die(sessionId);
    await world.payments.expireSessions();
    expect(await operationsOf(sessionId)).toEqual([]);
    await forget();
    expect(await operationsOf(sessionId)).toEqual(['CANCEL CANCELED']);
  });
});

describe('refusals', () => {
  it('finalize in every earlier state', async () => {
    const { sessionId } = (await world.build()).data;
    expect((await finalize(sessionId)).code).toBe('flowStateInvalid');
    const chosen = (await world.build({}, { paymentService: null })).data;
    expect((await finalize(chosen.sessionId)).code).toBe('flowStateInvalid');
  });

  it('sessions of somebody else, unknown ones and no ids look alike', async () => {
    const sessionId = await sessionOf();
    for (const id of [sessionId, '0b81ee2f-2b0a-4b4e-9d46-2b8c7ac0a6a1', 'x', '{"$ne":1}']) {
      const options = { caller: world.foreign };
      expect((await world.run('FinalizeCheckout', { sessionId: id }, options)).code).toBe('notFound');
      expect((await world.run('CancelCheckout', { sessionId: id }, options)).code).toBe('notFound');
      expect((await world.run('GetCheckoutState', { sessionId: id }, options)).data).toBeNull();
      expect((await world.run('GetCheckoutCardData', { sessionId: id }, options)).data).toBeNull();
    }
    expect((await world.run('GetCheckoutState', { sessionId })).data.state).toBe('READY_FOR_PAYMENT');
  });

  it('every call asks for its own scope', async () => {
    const { sessionId } = (await world.build()).data;
    for (const name of ['FinalizeCheckout', 'CancelCheckout', 'GetCheckoutState', 'GetCheckoutCardData'])
      expect((await world.run(name, { sessionId }, { caller: world.page })).code).toBe('forbidden');
    for (const name of [
      'GetCheckoutPage',
      'PayCheckout',
      'AbandonCheckout',
      'ReturnToCheckout',
      'OpenCheckoutPage',
      'ConfirmCheckout',
    ])
      expect((await world.run(name, { sessionId }, { caller: world.implicit })).code).toBe('forbidden');
    for (const caller of [world.page, world.implicit])
      expect((await world.run('FillCheckoutCard', { sessionId, card: card() }, { caller })).code).toBe('forbidden');
  });
});

it('has an arrow to the end from every state but the end', () => {
  for (const state of flowStates)
    expect([flow[state].cancel, flow[state].expire]).toEqual(
      state === 'PAYMENT_COMPLETE' ? [undefined, undefined] : ['PAYMENT_COMPLETE', 'PAYMENT_COMPLETE'],
    );
});
