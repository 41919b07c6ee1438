// A card number in a text that people write is kept with all but four digits masked, in every family; the request is served, and the sandbox says so (decision register, Texts).
import { randomUUID } from 'node:crypto';
import { buildBody, newOrderId, paymentServiceOf, payWithFields, shopOf } from '../support/checkout';
import type { Answer } from '../support/client';
import { sharedWorld, type World } from '../support/world';

const number = '4242424242424242';
const grouped = '4242 4242 4242 4242';
let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world?.stop());

const detail = ({ headers }: Answer) => headers['x-error-detail']?.toString();
const digitsOf = (answer: Answer) => JSON.stringify(answer.body).replace(/[ -]/g, '');

it('in an order of hosted checkout and the acts on it', async () => {
  const shop = shopOf(world, 'alpha', 'explicit');
  const orderId = newOrderId();
  const customerInfo = { cardHolderName: `Ada ${number}`, billingAddress: { street: grouped } };
  const order = { orderId, description: `card ${grouped}`, customField: number, customerInfo };
  const { built, finalized } = await payWithFields(world, shop, { order });
  expect([built.status, detail(built)]).toEqual([
    200,
    'field=order.description, order.customField, order.customerInfo.cardHolderName, order.customerInfo.billingAddress.street; what looks like a card number is kept with all but its last four digits masked',
  ]);
  const { operationId } = finalized.body.operation;
  const captured = await shop.post('captures', operationId, { description: `paid by ${number}` });
  expect([captured.status, detail(captured)?.split(';')[0]]).toEqual([200, 'field=description']);
  const reads = [await shop.order(orderId), await shop.operations({ orderId })];
  for (const read of reads) expect(digitsOf(read)).not.toContain(number);
  const found = await shop.operations({ orderId, customField: '************4242' });
  expect(found.body.operations.length).toBeGreaterThan(0);
});

it('in a payment of the payment service', async () => {
  const service = await paymentServiceOf(world, 'alpha');
  const made = await service.create({
    description: number,
    reconciliationReference: `ref ${number}`,
    customer: { type: 'Individual', firstName: 'Ada', lastName: grouped },
  });
  expect([made.status, detail(made)?.split(';')[0]]).toEqual([
    201,
    'field=description, reconciliationReference, customer.lastName',
  ]);
  const stored = await service.read(made.body.paymentId);
  expect(digitsOf(stored)).not.toContain(number);
});

it('identifiers stay as they are, and nothing is said of them', async () => {
  const shop = shopOf(world, 'alpha', 'explicit');
  const orderId = `5555555555554444-${randomUUID().slice(0, 8)}`;
  const built = await shop.call('POST', '/api/v1/orders/build', buildBody(world.urls.shop, { order: { orderId } }));
  expect([built.status, detail(built)]).toEqual([200, undefined]);
  expect((await shop.order(orderId)).body.orderStatus.order?.orderId ?? orderId).toBe(orderId);
});
