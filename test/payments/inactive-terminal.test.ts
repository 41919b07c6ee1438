// A terminal that staff switched off takes no new orders, and what it authorized before goes on (2.2-B of the decision register, PS0051).
import type { CheckoutTerminal } from '../../subgraphs/payments';
import { type CheckoutWorld, card, openCheckoutWorld, terminalOf } from './checkout-world';

let world: CheckoutWorld;
let status: CheckoutTerminal['status'] = 'ACTIVE';
beforeAll(async () => {
  world = await openCheckoutWorld({ readTerminal: async (_environment, id) => terminalOf(id, { status }) });
});
afterAll(() => world.close());
afterEach(() => {
  status = 'ACTIVE';
});

test.each<[string, () => Promise<{ code: unknown }>]>([
  ['build', () => world.build()],
  ['hpp', () => world.hosted()],
  ['payment methods', () => world.run('GetPaymentMethods', {}, { caller: world.implicit })],
])('%s: refused while it is inactive, served again afterwards', async (_what, ask) => {
  status = 'INACTIVE';
  expect((await ask()).code).toBe('terminalNotFound');
  status = 'ACTIVE';
  expect((await ask()).code).toBeNull();
});

test('a visit that had begun is finished, and its operation is captured and refunded', async () => {
  const caller = world.explicit;
  const { data } = await world.build({}, {}, { caller });
  await world.run('FillCheckoutCard', { sessionId: data.sessionId, card: card('4242424242424242') });
  status = 'INACTIVE';
  const finalized = await world.run('FinalizeCheckout', { sessionId: data.sessionId }, { caller });
  const { operationId, operationResult } = finalized.data.operation;
  expect(operationResult).toBe('AUTHORIZED');
  const captured = await world.run(
    'CaptureOperation',
    { operationId, input: { amount: '5000', currency: 'EUR' } },
    { caller },
  );
  expect(captured.code).toBeNull();
  const refund = { operationId: captured.data.operationId, input: { amount: '1000', currency: 'EUR' } };
  expect((await world.run('RefundOperation', refund, { caller })).code).toBeNull();
});
