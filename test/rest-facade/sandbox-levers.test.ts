// The payer's part in the sandbox: card, challenge and capture batch as calls, each one persisted operation (docs/sandbox.md, section 6).
import { type Facade, type FakeGraph, refusing, sandboxKey, startFacade, virtualAccountId } from './fixture';

const levers: Record<string, Record<string, unknown>> = {
  FillCheckoutCard: { fillCheckoutCard: { state: 'READY_FOR_PAYMENT' } },
  SettleChallenge: { settleChallenge: { state: 'PAYMENT_COMPLETE' } },
  FillPaymentCard: { fillPaymentCard: { state: 'Authorized' } },
  CaptureBatch: { captureBatch: 3 },
};

const leverGraph: FakeGraph = ({ operation }) => ({ data: levers[operation] });
let facade: Facade;
let graph = leverGraph;
beforeAll(async () => {
  facade = await startFacade({ graph: (asked) => graph(asked) });
});
beforeEach(() => {
  facade.asked.length = 0;
  graph = leverGraph;
});
afterAll(() => facade.stop());

const id = virtualAccountId;
const card = { number: '4242424242424242', expiry: '12/30', cvv: '123' };
const checkoutCard = `/sandbox/checkout/${id}/card`;
const challenge = `/sandbox/checkout/${id}/challenge`;
const paymentCard = `/sandbox/payments/${id}/card`;

it.each([
  [
    checkoutCard,
    card,
    { state: 'READY_FOR_PAYMENT' },
    'FillCheckoutCard',
    { sessionId: id, card: { ...card, holder: null } },
  ],
  [
    checkoutCard,
    { ...card, holder: 'Ada', extra: 1 },
    { state: 'READY_FOR_PAYMENT' },
    'FillCheckoutCard',
    { sessionId: id, card: { ...card, holder: 'Ada' } },
  ],
  [
    challenge,
    { outcome: 'PASS' },
    { state: 'PAYMENT_COMPLETE' },
    'SettleChallenge',
    { sessionId: id, outcome: 'PASS' },
  ],
  [
    paymentCard,
    card,
    { state: 'Authorized' },
    'FillPaymentCard',
    { paymentId: id, card: { ...card, holder: null }, challenge: null },
  ],
  [
    paymentCard,
    { ...card, holder: null, challenge: 'FAIL' },
    { state: 'Authorized' },
    'FillPaymentCard',
    { paymentId: id, card: { ...card, holder: null }, challenge: 'FAIL' },
  ],
  ['/sandbox/capture-batch', undefined, { captures: 3 }, 'CaptureBatch', {}],
])('POST %s %j', async (path, body, reply, operation, variables) => {
  const answer = await facade.sandbox('POST', path, body);
  expect([answer.status, answer.body]).toEqual([200, reply]);
  expect(facade.asked.map((asked) => [asked.operation, asked.variables])).toEqual([[operation, variables]]);
  expect(facade.asked[0]?.context.caller).toMatchObject({ kind: 'sandboxKey', scopes: ['sandbox:control'] });
});

it.each([
  [checkoutCard, { ...card, number: undefined }, 'number'],
  [checkoutCard, { ...card, number: null }, 'number'],
  [checkoutCard, { ...card, number: 4242424242424242 }, 'number'],
  [checkoutCard, { ...card, number: '4242 4242' }, 'number'],
  [checkoutCard, { ...card, number: { $gt: '' } }, 'number'],
  [checkoutCard, { ...card, expiry: '13/30' }, 'expiry'],
  [checkoutCard, { ...card, expiry: '12/2030' }, 'expiry'],
  [checkoutCard, { ...card, cvv: '12' }, 'cvv'],
  [checkoutCard, { ...card, cvv: '12345' }, 'cvv'],
  [checkoutCard, { ...card, holder: 'x'.repeat(256) }, 'holder'],
  [challenge, {}, 'outcome'],
  [challenge, { outcome: 'MAYBE' }, 'outcome'],
  [challenge, { outcome: ['PASS'] }, 'outcome'],
  [paymentCard, { ...card, cvv: undefined }, 'cvv'],
  [paymentCard, { ...card, challenge: 'pass' }, 'challenge'],
])('%s refuses %j by its field', async (path, body, field) => {
  const answer = await facade.sandbox('POST', path, body);
  expect(answer.status).toBe(400);
  expect(answer.body.message).toContain(field);
  expect(facade.asked).toEqual([]);
});

it.each([checkoutCard, challenge, paymentCard, '/sandbox/capture-batch'])('%s wants the key', async (path) => {
  for (const key of [undefined, 'wrong', `${sandboxKey}x`]) {
    const answer = await facade.call('POST', path, { headers: key === undefined ? {} : { 'X-Sandbox-Key': key } });
    expect(answer.status).toBe(401);
  }
  expect(facade.asked).toEqual([]);
});

it.each([
  ['notFound', 404],
  ['invalidState', 400],
  ['unavailable', 503],
] as const)('what the service refuses as %s is a %d', async (code, status) => {
  graph = refusing(code, undefined, code === 'unavailable' ? { retryAfterSeconds: 1 } : {});
  const answer = await facade.sandbox('POST', checkoutCard, card);
  expect(answer.status).toBe(status);
});
