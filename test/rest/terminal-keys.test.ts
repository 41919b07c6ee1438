// A terminal's API key reads what its merchant has and acts on what its own terminal took (hosted checkout, post-operations; decision register, Terminals).
import { randomUUID } from 'node:crypto';
import {
  cards,
  type PaymentService,
  paymentServiceOf,
  payOnPage,
  payWithFields,
  type Shop,
  shopOf,
} from '../support/checkout';
import { sharedWorld, type World } from '../support/world';

let world: World;
let own: Shop;
let neighbour: Shop;
let service: PaymentService;

beforeAll(async () => {
  world = await sharedWorld();
  own = shopOf(world, 'alpha', 'explicit');
  neighbour = shopOf(world, 'alpha', 'implicit');
  service = await paymentServiceOf(world, 'alpha');
});
afterAll(() => world?.stop());

const acts = ['captures', 'refunds', 'cancels'] as const;

/** An authorization of the shop's own, with a capture where asked for. */
async function taken(isCaptured: boolean): Promise<string> {
  const { finalized } = await payWithFields(world, own);
  const { operationId } = finalized.body.operation;
  return isCaptured ? (await own.post('captures', operationId)).body.operationId : operationId;
}

it.each(acts)("%s of the neighbour's operation are refused like those of none, and change nothing", async (act) => {
  const operationId = await taken(act !== 'captures');
  const [foreign, absent] = [await neighbour.post(act, operationId), await neighbour.post(act, randomUUID())];
  expect([foreign.status, foreign.body]).toEqual([404, absent.body]);
  expect((await own.post(act, operationId)).status).toBe(200);
});

it('the neighbour reads the operation all the same', async () => {
  const operationId = await taken(false);
  const { operations } = (await neighbour.operations({ operationId })).body;
  expect(operations.map((each: { operationId: string }) => each.operationId)).toEqual([operationId]);
});

it('no terminal acts on a payment of the payment service, not even on one that names it', async () => {
  const { body } = await service.create({ processing: 'Authorize' });
  await payOnPage(world, body.paymentId, cards.visa);
  const { transactions } = (await service.read(body.paymentId)).body;
  const operationId = transactions[0].transactionRef;
  for (const act of acts) expect([act, (await own.post(act, operationId)).status]).toEqual([act, 404]);
  expect((await service.capture(body.paymentId, { terminalId: own.terminalId })).status).toBe(200);
});
