// Contracts of family B: kept with the payer's first payment, charged later, with each refusal (hosted checkout, recurrence; PS0017 and PS0043 of 2.2-D).
import { type CheckoutWorld, card, newOrderId, openCheckoutWorld, terminalOf } from './checkout-world';
import { contractSteps } from './contract-steps';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

const { pay, createContract, later } = contractSteps(() => world);

it('a later charge needs no payer: build is ready, finalize charges the card behind the contract', async () => {
  const contractId = await createContract({ contractType: 'MIT_UNSCHEDULED' });
  const { data } = await later(contractId);
  expect(data).toMatchObject({ state: 'READY_FOR_PAYMENT' });
  const { sessionId } = data;
  expect((await world.run('GetCheckoutCardData', { sessionId })).data).toMatchObject({
    bin: '424242',
    lastFourDigits: '4242',
  });
  const paid = (await world.run('FinalizeCheckout', { sessionId })).data;
  expect(paid.operation).toMatchObject({
    operationType: 'AUTHORIZATION',
    operationResult: 'AUTHORIZED',
    channel: 'BACKOFFICE',
  });
  const [operation] = await world.documents('operations', { _id: paid.operation.operationId });
  expect(operation).toMatchObject({ contractId, contractType: 'MIT_UNSCHEDULED', channelDetail: 'MIT' });
});

describe('a later charge with its payer', () => {
  const cit = async (number?: string, session: object = {}) => {
    const contractId = await createContract({ contractType: 'CIT' }, number);
    if (number === '4000002500003155') {
      const [first] = await world.documents('checkout_sessions', { 'recurrence.contractId': contractId });
      await world.run('SettleChallenge', { sessionId: first._id, outcome: 'PASS' });
    }
    return (await later(contractId, { contractType: 'CIT' }, session)).data.sessionId as string;
  };

  it('authenticates the card behind the contract, whose fields nobody is asked for', async () => {
    const sessionId = await cit();
    const { data } = await world.run('GetCheckoutState', { sessionId });
    expect([data.state, data.fieldSet.fields]).toEqual(['READY_FOR_PAYMENT', []]);
    const paid = (await world.run('FinalizeCheckout', { sessionId })).data.operation;
    expect(paid).toMatchObject({ operationResult: 'AUTHORIZED', channel: 'ECOMMERCE' });
    const [operation] = await world.documents('operations', { _id: paid.operationId });
    expect(operation).toMatchObject({ contractType: 'CIT', additionalData: { threeDS: 'frictionless' } });
  });

  it.each([
    ['PASS', 'AUTHORIZED'],
    ['FAIL', 'THREEDS_FAILED'],
  ])('goes to the issuer that wants its holder: %s is %s', async (outcome, result) => {
    const sessionId = await cit('4000002500003155');
    const sent = (await world.run('FinalizeCheckout', { sessionId })).data;
    expect(sent.state).toBe('REDIRECTED_TO_EXTERNAL_DOMAIN');
    const challengeId = sent.url.split('/').at(-1);
    const { data } = await world.run('GetThreeDsChallenge', { challengeId });
    expect(data.maskedCard).toBe('************3155');
    await world.run('AnswerChallenge', { challengeId, answer: outcome });
    const { operation } = (await world.run('GetCheckoutState', { sessionId })).data;
    expect(operation.operationResult).toBe(result);
  });
});

it.each(['MIT_UNSCHEDULED', 'CIT'])('takes no card into a later charge as %s', async (contractType) => {
  const contractId = await createContract({ contractType });
  const { sessionId } = (await later(contractId, { contractType })).data;
  for (const [name, variables] of [
    ['FillCheckoutCard', { card: card('5555555555554444') }],
    ['EnterCard', { card: card('5555555555554444') }],
    ['EnterCardField', { fieldId: 'CARD_NUMBER', value: '5555555555554444' }],
  ] as const)
    expect((await world.run(name, { sessionId, ...variables })).code).toBe('flowStateInvalid');
  const { operation } = (await world.run('FinalizeCheckout', { sessionId })).data;
  expect([operation.operationResult, operation.paymentInstrumentInfo]).toEqual(['AUTHORIZED', '424242******4242']);
});

it('a contract is made by a verification too, and without an id gets one', async () => {
  const contractId = await createContract({}, undefined, { actionType: 'VERIFY' });
  expect((await later(contractId)).data.state).toBe('READY_FOR_PAYMENT');
  const { sessionId } = await pay({ action: 'CONTRACT_CREATION' });
  const [session] = await world.documents('checkout_sessions', { _id: sessionId });
  const [payment] = await world.documents('payments', { sessionId });
  expect(payment.contractId).toBe(session.recurrence.contractId);
  expect((await later(payment.contractId)).code).toBeNull();
});

it('a challenged card is kept after its challenge, and charged without one', async () => {
  const contractId = newOrderId();
  const { sessionId } = await pay({ action: 'CONTRACT_CREATION', contractId }, '4000002500003155');
  expect((await later(contractId)).code).toBe('contractUnknown');
  await world.run('SettleChallenge', { sessionId, outcome: 'PASS' });
  const { data } = await later(contractId);
  const paid = await world.run('FinalizeCheckout', { sessionId: data.sessionId });
  expect(paid.data.operation.operationResult).toBe('AUTHORIZED');
  const [operation] = await world.documents('operations', { _id: paid.data.operation.operationId });
  expect(operation.additionalData.threeDS).toBe('none');
});

it.each([
  ['declined', '4000000000000002'],
  ['denied by risk', '4100000000000019'],
  ['failed', '4000000000000119'],
])('a first payment that was %s leaves no contract', async (_, number) => {
  expect((await later(await createContract({}, number))).code).toBe('contractUnknown');
});

it('a pending first payment makes the contract good when it is authorized', async () => {
  const contractId = await createContract({}, '4000000000000077');
  expect((await later(contractId)).code).toBe('contractUnknown');
  world.clock.advance(4_000);
  await world.payments.settle();
  expect((await later(contractId)).data.state).toBe('READY_FOR_PAYMENT');
});

it('what a payment was refused for can be agreed anew under the same contractId, and not before', async () => {
  const contractId = await createContract({}, '4000000000000077');
  const create = () => world.build({}, { recurrence: { action: 'CONTRACT_CREATION', contractId } });
  expect((await create()).code).toBe('invalidData');
  world.clock.advance(4_000);
  await world.payments.settle();
  const declined = { $set: { state: 'Declined', 'entries.$[].result': 'DECLINED' } };
  await world.stores.connection.collection('payments').updateOne({ contractId }, declined);
  await pay({ action: 'CONTRACT_CREATION', contractId });
  expect((await later(contractId)).data.state).toBe('READY_FOR_PAYMENT');
  expect((await create()).code).toBe('invalidData');
});

describe('only a card can be kept, charged later or verified', () => {
  const visits: [string, string, () => Promise<object>][] = [
    ['CONTRACT_CREATION', 'recurrence', async () => ({ recurrence: { action: 'CONTRACT_CREATION' } })],
    ...['CARD_SUBSTITUTION', 'SUBSEQUENT_PAYMENT'].map((action): (typeof visits)[number] => [
      action,
      'recurrence',
      async () => ({ recurrence: { action, contractType: 'CIT', contractId: await createContract() } }),
    ]),
    ['VERIFY', 'actionType', async () => ({ actionType: 'VERIFY' })],
  ];

  it.each(visits)('%s offers cards, by the fields and on the page', async (_, _field, sessionOf) => {
    const session = { paymentService: null, ...(await sessionOf()) };
    const sessionIds = [await world.build({}, session), await world.hosted({}, session)].map(
      ({ data }) => data.sessionId,
    );
    for (const sessionId of sessionIds) {
      const { methods } = (await world.run('GetCheckoutPage', { sessionId })).data;
      expect(methods.map(({ method }: { method: string }) => method)).toEqual(['CARDS']);
      expect((await world.run('ChooseCheckoutMethod', { sessionId, method: 'PAYPAL' })).code).toBe('invalidData');
    }
  });

  it.each(visits)('%s is refused with another method, by either door', async (_, member, sessionOf) => {
    const session = { ...(await sessionOf()), paymentService: 'PAYPAL' };
    const refusal = { code: 'invalidData', field: `paymentSession.${member}`, data: null };
    expect(await world.build({}, session)).toMatchObject(refusal);
    expect(await world.hosted({}, session)).toMatchObject(refusal);
  });

  it.each(visits)('%s is refused on a terminal that takes none', async (_, member, sessionOf) => {
    const session = { paymentService: null, ...(await sessionOf()) };
    const cardless = { methods: [{ method: 'PAYPAL', circuits: ['PAYPAL'] }] };
    const there = await openCheckoutWorld({ readTerminal: async (_mode, id) => terminalOf(id, cardless) });
    const answers = [await there.build({}, session), await there.hosted({}, session)];
    const orders = await there.documents('checkout_sessions');
    await there.close();
    const refusal = { code: 'invalidData', field: `paymentSession.${member}`, data: null };
    expect([answers, orders]).toMatchObject([[refusal, refusal], []]);
  });

  it('the card that the payer enters is behind the contract', async () => {
    const contractId = newOrderId();
    const recurrence = { action: 'CONTRACT_CREATION', contractId };
    const { sessionId } = (await world.hosted({}, { recurrence })).data;
    await world.run('FillCheckoutCard', { sessionId, card: card() });
    expect((await later(contractId)).data.state).toBe('READY_FOR_PAYMENT');
  });
});

describe('refusals', () => {
  it('a contract that there is not, or that is somebody else’s', async () => {
    const contractId = await createContract();
    expect(await later('nobody')).toMatchObject({
      code: 'contractUnknown',
      field: 'paymentSession.recurrence.contractId',
    });
    expect((await later(contractId, {}, { caller: world.foreign })).code).toBe('contractUnknown');
    const substitution = { recurrence: { action: 'CARD_SUBSTITUTION', contractId: 'nobody' } };
    expect((await world.build({}, substitution)).code).toBe('contractUnknown');
  });

  it('an id that is in use', async () => {
    const contractId = await createContract();
    const { code, field } = await world.build({}, { recurrence: { action: 'CONTRACT_CREATION', contractId } });
    expect([code, field]).toEqual(['invalidData', 'paymentSession.recurrence.contractId']);
  });

  it.each([
    ['CIT', 'MIT_UNSCHEDULED', 'merchantInitiatedRefused'],
    ['CIT', 'CIT', null],
    ['MIT_UNSCHEDULED', 'MIT_SCHEDULED', 'merchantInitiatedRefused'],
    ['MIT_SCHEDULED', 'MIT_SCHEDULED', null],
    ['MIT_UNSCHEDULED', 'CIT', null],
  ])('made for %s, charged as %s: %s', async (made, charged, code) => {
    const contractId = await createContract({ contractType: made });
    expect((await later(contractId, { contractType: charged })).code).toBe(code);
  });

  it('a contract after its last day', async () => {
    const contractId = await createContract({ contractType: 'MIT_SCHEDULED', contractExpiryDate: '2026-11-21' });
    expect((await later(contractId)).code).toBeNull();
    world.clock.advance(24 * 3_600_000);
    expect((await later(contractId)).code).toBe('merchantInitiatedRefused');
  });
});

it('keeps no card number', async () => {
  await createContract();
  for (const name of ['contracts', 'checkout_sessions', 'payments', 'operations', 'events'])
    expect(
      JSON.stringify(await world.documents(name), (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toMatch(/4242424242424242|5555555555554444/);
});

const voided = async (contractId: string) => {
  const [operation] = await world.documents('operations', { contractId, type: 'AUTHORIZATION' });
  const refund = { operationId: operation._id, input: { currency: 'EUR' } };
  expect((await world.run('RefundOperation', refund, { caller: world.explicit })).code).toBeNull();
};
const expired = async () => world.clock.advance(8 * 24 * 3_600_000);

describe.each([
  ['answered at once', '4242424242424242'],
  ['answered later', '4000000000000077'],
])('a contract whose first payment was %s', (_when, number) => {
  it.each<[string, (contractId: string) => Promise<unknown>]>([
    ['voided', voided],
    ['left to expire', expired],
  ])('stays good when that is %s', async (_what, end) => {
    const contractId = newOrderId();
    const recurrence = { action: 'CONTRACT_CREATION', contractId };
    const { data } = await world.build({}, { recurrence }, { caller: world.explicit });
    await world.run('FillCheckoutCard', { sessionId: data.sessionId, card: card(number) });
    await world.run('FinalizeCheckout', { sessionId: data.sessionId });
    world.clock.advance(4_000);
    await world.payments.settle();
    await end(contractId);
    await world.payments.settle();
    const [payment] = await world.documents('payments', { contractId });
    expect(payment.state).toMatch(/^(Cancelled|Expired)$/);
    expect((await later(contractId, {}, { caller: world.explicit })).data.state).toBe('READY_FOR_PAYMENT');
  });
});
