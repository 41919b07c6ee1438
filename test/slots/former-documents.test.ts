// Documents of a release before, which have no slot, beside those of this one: each step of a payment finds them, writes them, and tells what is taken.
import { type CheckoutWorld, card, merchantClient, openCheckoutWorld } from '../payments/checkout-world';

const collections = ['payments', 'operations', 'checkout_sessions', 'card_entries', 'contracts', 'acquirer_calls'];

let world: CheckoutWorld;
beforeEach(async () => {
  world = await openCheckoutWorld();
});
afterEach(() => world.close());

/** As a process of a release before has written everything there is, beside its index of what is taken. */
async function withoutSlots(): Promise<void> {
  await world.stores.connection
    .collection('payments')
    .createIndex(
      { environment: 1, merchantId: 1, orderId: 1 },
      { unique: true, partialFilterExpression: { holdsOrderId: true } },
    );
  for (const name of collections)
    await world.stores.connection.collection(name).updateMany({}, { $unset: { slot: true } });
}

test.each([
  ['with a slot', async () => undefined],
  ['without', withoutSlots],
])('a payment whose documents are %s', async (_case, layOut) => {
  const options = { caller: world.explicit };
  const recurrence = { action: 'CONTRACT_CREATION', contractId: 'consent', contractType: 'MIT_UNSCHEDULED' };
  const { data: built } = await world.build({ orderId: 'order-1' }, { recurrence }, options);
  const { sessionId } = built;
  await layOut();
  expect((await world.run('FillCheckoutCard', { sessionId, card: card() })).code).toBeNull();
  await layOut();
  const { data: paid } = await world.run('FinalizeCheckout', { sessionId }, options);
  expect(paid.operation.operationResult).toBe('AUTHORIZED');
  await layOut();
  const { operationId } = paid.operation;
  const amount = { amount: '5000', currency: 'EUR' };
  const captured = await world.run('CaptureOperation', { operationId, input: amount }, options);
  expect(captured.code).toBeNull();
  await layOut();
  const refunded = await world.run('RefundOperation', { operationId, input: amount }, options);
  expect(refunded.code).toBeNull();
  await layOut();
  // Whoever sees more than one merchant, too.
  const { merchantId: _one, ...ofAccount } = merchantClient;
  for (const caller of [
    world.explicit,
    { ...ofAccount, scopes: ['graph:read', 'checkout'] } as typeof world.explicit,
  ]) {
    const { data } = await world.run('GetOperation', { operationId }, { caller });
    expect(data.operationId).toBe(operationId);
  }
  const again = await world.build({ orderId: 'order-1' }, {}, options);
  const consentAgain = await world.build({}, { recurrence }, options);
  expect([again.code, consentAgain.code]).toEqual(['orderIdTaken', 'invalidData']);
});

test('an open outcome is asked about by the first lane, which finds what has no slot', async () => {
  const options = { caller: world.explicit };
  const { data } = await world.build({}, {}, options);
  await world.run('FillCheckoutCard', { sessionId: data.sessionId, card: card('4000000000000077') });
  const paid = await world.run('FinalizeCheckout', { sessionId: data.sessionId }, options);
  expect(paid.data.operation.operationResult).toBe('PENDING');
  await withoutSlots();
  world.clock.advance(3_600_000);
  expect(await world.payments.settle(undefined, { from: 0, to: 127 })).toMatchObject({ settled: 1 });
  expect(await world.documents('operations', { result: 'PENDING' })).toEqual([]);
});
