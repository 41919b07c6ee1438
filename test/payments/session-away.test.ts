// A payer who was sent away and never comes back: what was paid at the method or passed at the issuer counts, and nothing else (2.2-C of the decision register).
import type { AlternativeMethod } from '../../subgraphs/payments/connectors/alternative-method';
import { createMethodVisitRepository } from '../../subgraphs/payments/sandbox/alternative-method.repository';
import { createSandboxMethods } from '../../subgraphs/payments/sandbox/alternative-method.service';
import { createChallengeRepository } from '../../subgraphs/payments/sandbox/challenge.repository';
import { DomainError } from '../../subgraphs/shared/errors';
import { acsUrl, type CheckoutWorld, card, minuteMs, openCheckoutWorld } from './checkout-world';

/** A method whose answers can be held back. */
let isSilent = false;
let world: CheckoutWorld;
let methods: AlternativeMethod;
beforeAll(async () => {
  world = await openCheckoutWorld({ alternativeMethods: lateBound() });
  methods = createSandboxMethods({
    clock: world.clock,
    origin: acsUrl,
    visits: createMethodVisitRepository(world.stores.connection, 'sandbox'),
  });
});
afterAll(() => world.close());
afterEach(() => {
  isSilent = false;
});

/** The sandbox's own methods, known once the world's database is. */
function lateBound(): AlternativeMethod {
  const speak = async <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    if (isSilent) throw new DomainError('unavailable', 'The method does not answer.');
    return answer();
  };
  return {
    start: (visit) => speak(() => methods.start(visit)),
    ask: (id) => speak(() => methods.ask(id)),
    withdraw: (id) => speak(() => methods.withdraw(id)),
    answer: (id, answer) => speak(() => methods.answer(id, answer)),
    register: (account) => speak(() => methods.register(account)),
    debit: (debit) => speak(() => methods.debit(debit)),
    askDebit: (callId) => speak(() => methods.askDebit(callId)),
    refund: (refund) => speak(() => methods.refund(refund)),
  };
}

type Way = 'build' | 'hosted';

/** A session whose payer is at the method's page. */
async function sentToMethod(way: Way = 'build'): Promise<{ sessionId: string; visitId: string }> {
  const { data } = await (way === 'build' ? world.build : world.hosted)({}, { paymentService: 'PAYPAL' });
  if (way === 'hosted') await world.run('OpenCheckoutPage', { sessionId: data.sessionId });
  return { sessionId: data.sessionId, visitId: await awayOf(data.sessionId) };
}

/** A session whose payer is at the issuer's page. */
async function sentToIssuer(way: Way = 'build'): Promise<{ sessionId: string; challengeId: string }> {
  const { sessionId } = (await (way === 'build' ? world.build : world.hosted)()).data;
  await world.run('FillCheckoutCard', { sessionId, card: card('4000002500003155') });
  if (way === 'build') await world.run('FinalizeCheckout', { sessionId });
  return { sessionId, challengeId: await awayOf(sessionId) };
}

const storedOf = async (sessionId: string) => (await world.documents('checkout_sessions', { _id: sessionId }))[0];
const awayOf = async (sessionId: string): Promise<string> => (await storedOf(sessionId)).redirection.id;
const stateOf = async (sessionId: string) => (await storedOf(sessionId)).state;
const operationsOf = async (sessionId: string) =>
  (await world.documents('operations', { sessionId })).map(({ type, result }) => `${type} ${result}`).sort();
const eventsOf = async (sessionId: string) => (await world.documents('events', { 'data.sessionId': sessionId })).length;
const visitOf = async (visitId: string) => (await world.documents('sandbox_method_visits', { _id: visitId }))[0];
/** The issuer's decision, told to nobody, as when our process dies at that moment. */
const decideChallenge = async (challengeId: string, status: 'PASSED' | 'FAILED' | 'CANCELLED') => {
  const challenges = createChallengeRepository(world.stores.connection, 'sandbox');
  const found = await challenges.find(challengeId);
  await challenges.change(challengeId, found?.version ?? 0, { status });
};
const paidByCard = ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED'];

describe('told by the method or by the issuer', () => {
  it.each<[Way, string, string]>([
    ['build', 'PASS', 'AUTHORIZATION EXECUTED'],
    ['hosted', 'PASS', 'AUTHORIZATION EXECUTED'],
    ['build', 'FAIL', 'AUTHORIZATION DECLINED'],
    ['hosted', 'CANCEL', 'CANCEL CANCELED'],
  ])('%s: the method says %s, the session is complete without its browser', async (way, answer, operation) => {
    const { sessionId, visitId } = await sentToMethod(way);
    await world.run('AnswerAlternativeMethod', { visitId, answer });
    expect([await stateOf(sessionId), await operationsOf(sessionId)]).toEqual(['PAYMENT_COMPLETE', [operation]]);
    const returned = (await world.run('ReturnToCheckout', { sessionId })).data;
    expect(`${returned.operation.operationType} ${returned.operation.operationResult}`).toBe(operation);
    expect(await eventsOf(sessionId)).toBe(1);
  });

  it.each<[Way, string, string[]]>([
    ['build', 'PASS', paidByCard],
    ['hosted', 'PASS', paidByCard],
    ['build', 'FAIL', ['AUTHORIZATION THREEDS_FAILED']],
    ['hosted', 'CANCEL', ['CANCEL CANCELED']],
  ])('%s: the issuer says %s, the session is complete without its browser', async (way, answer, operations) => {
    const { sessionId, challengeId } = await sentToIssuer(way);
    await world.run('AnswerChallenge', { challengeId, answer: '000000' });
    expect(await stateOf(sessionId)).toBe('REDIRECTED_TO_EXTERNAL_DOMAIN');
    await world.run('AnswerChallenge', { challengeId, answer });
    expect([await stateOf(sessionId), await operationsOf(sessionId)]).toEqual(['PAYMENT_COMPLETE', operations]);
  });
});

describe('given up', () => {
  const ways: [string, (sessionId: string) => Promise<unknown>][] = [
    ['the shop', (sessionId) => world.run('CancelCheckout', { sessionId })],
    ['the payer', (sessionId) => world.run('AbandonCheckout', { sessionId })],
    [
      'the janitor',
      async () => {
        world.clock.advance(30 * minuteMs);
        await world.payments.expireSessions();
      },
    ],
    [
      'a read',
      async (sessionId) => {
        world.clock.advance(30 * minuteMs);
        await world.run('GetCheckoutState', { sessionId });
      },
    ],
  ];

  it.each(ways)('%s takes an open visit back, and nobody can pay it any more', async (_by, giveUp) => {
    const { sessionId, visitId } = await sentToMethod();
    await giveUp(sessionId);
    expect(await operationsOf(sessionId)).toEqual(['CANCEL CANCELED']);
    await world.run('AnswerAlternativeMethod', { visitId, answer: 'PASS' });
    expect([(await visitOf(visitId)).status, await operationsOf(sessionId)]).toEqual([
      'CANCELLED',
      ['CANCEL CANCELED'],
    ]);
  });

  it.each(ways)('%s finds a visit that was paid: the money counts', async (_by, giveUp) => {
    const { sessionId, visitId } = await sentToMethod();
    await methods.answer(visitId, 'PASS');
    await giveUp(sessionId);
    expect([await stateOf(sessionId), await operationsOf(sessionId)]).toEqual([
      'PAYMENT_COMPLETE',
      ['AUTHORIZATION EXECUTED'],
    ]);
    const [operation] = await world.documents('operations', { sessionId });
    expect([operation.channelDetail, operation.paymentMethod ?? operation.method]).toEqual(['FIELDS', 'APM']);
    expect((await world.run('CancelCheckout', { sessionId })).code).toBe('flowStateInvalid');
  });

  it('waits for a method that does not answer, then counts what it says', async () => {
    const { sessionId, visitId } = await sentToMethod();
    await methods.answer(visitId, 'PASS');
    world.clock.advance(30 * minuteMs);
    isSilent = true;
    await world.payments.expireSessions();
    expect((await world.run('CancelCheckout', { sessionId })).code).toBe('unavailable');
    expect((await world.run('GetCheckoutState', { sessionId })).data.state).toBe('REDIRECTED_TO_EXTERNAL_DOMAIN');
    isSilent = false;
    await world.payments.expireSessions();
    expect(await operationsOf(sessionId)).toEqual(['AUTHORIZATION EXECUTED']);
  });

  it.each<[Way, 'PASSED' | 'FAILED' | 'CANCELLED' | 'OPEN', string[]]>([
    ['build', 'PASSED', paidByCard],
    ['hosted', 'PASSED', paidByCard],
    ['build', 'FAILED', ['AUTHORIZATION THREEDS_FAILED']],
    ['build', 'CANCELLED', ['CANCEL CANCELED']],
    ['hosted', 'OPEN', ['CANCEL CANCELED']],
  ])('%s: a challenge that is %s when nobody has come back for thirty minutes', async (way, status, operations) => {
    const { sessionId, challengeId } = await sentToIssuer(way);
    if (status !== 'OPEN') await decideChallenge(challengeId, status);
    world.clock.advance(30 * minuteMs);
    await world.payments.expireSessions();
    expect([await stateOf(sessionId), await operationsOf(sessionId)]).toEqual(['PAYMENT_COMPLETE', operations]);
  });

  it('a challenge that was passed has moved no money: the shop may still cancel before it does', async () => {
    const { sessionId, challengeId } = await sentToIssuer();
    await decideChallenge(challengeId, 'PASSED');
    expect((await world.run('CancelCheckout', { sessionId })).data.operation.operationResult).toBe('CANCELED');
    await world.run('ReturnToCheckout', { sessionId });
    expect(await operationsOf(sessionId)).toEqual(['CANCEL CANCELED']);
  });
});

describe('races have one winner and one terminal event', () => {
  it.each<'method' | 'issuer'>(['method', 'issuer'])('return beside answer, cancel, expiry at the %s', async (kind) => {
    for (let round = 0; round < 6; round += 1) {
      const { sessionId, ...away } = await (kind === 'method' ? sentToMethod() : sentToIssuer());
      const answer = () =>
        'visitId' in away
          ? world.run('AnswerAlternativeMethod', { visitId: away.visitId, answer: 'PASS' })
          : world.run('AnswerChallenge', { challengeId: away.challengeId, answer: 'PASS' });
      world.clock.advance(30 * minuteMs);
      const calls = [
        answer,
        () => world.run('ReturnToCheckout', { sessionId }),
        () => world.run('CancelCheckout', { sessionId }),
        () => world.run('AbandonCheckout', { sessionId }),
        () => world.payments.expireSessions(),
        () => world.run('GetCheckoutState', { sessionId }),
      ];
      await Promise.all([...calls.slice(round), ...calls.slice(0, round)].map((call) => call()));
      const operations = await operationsOf(sessionId);
      const isAnswered = operations[0] !== 'CANCEL CANCELED';
      // The time of a challenge is over by then: its answer comes too late.
      const answered = kind === 'method' ? 'AUTHORIZATION EXECUTED' : 'AUTHORIZATION THREEDS_FAILED';
      expect([await stateOf(sessionId), operations]).toEqual([
        'PAYMENT_COMPLETE',
        [isAnswered ? answered : 'CANCEL CANCELED'],
      ]);
      expect(await eventsOf(sessionId)).toBe(operations.length);
      if ('visitId' in away) expect((await visitOf(away.visitId)).status).toBe(isAnswered ? 'PAID' : 'CANCELLED');
    }
  });
});
