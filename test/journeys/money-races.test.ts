// Races of one payment through the real REST API of a program with several processes: one winner, one effect, one terminal operation; and how an unknown outcome became known, in the graph (payment service and B).
import {
  cards,
  enterCard,
  newOrderId,
  paymentBody,
  paymentServiceOf,
  paymentsPath,
  payOnPage,
  payWithFields,
  type Shop,
  shopOf,
} from '../support/checkout';
import { type Answer, judged } from '../support/client';
import { graph, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
let implicit: Shop;
let explicit: Shop;

beforeAll(async () => {
  world = await sharedWorld();
  implicit = shopOf(world, 'alpha', 'implicit');
  explicit = shopOf(world, 'alpha', 'explicit');
});
afterAll(() => world?.stop());

const codeOf = ({ status, body }: Answer) =>
  status < 300 ? String(status) : `${status} ${body.errors?.[0]?.code ?? body.type}`;
const statuses = (answers: readonly Answer[]) => {
  const counts: Record<string, number> = {};
  for (const code of answers.map(codeOf)) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};
const typesOf = async (shop: Shop, orderId: string): Promise<string[]> =>
  (await shop.operations({ orderId })).body.operations
    .map(({ operationType, operationResult }: Record<string, string>) => `${operationType} ${operationResult}`)
    .sort();
const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

async function authorization(): Promise<{ orderId: string; operationId: string }> {
  const { finalized, orderId } = await payWithFields(world, explicit);
  return { orderId, operationId: finalized.body.operation.operationId };
}

async function readySession(shop: Shop): Promise<{ orderId: string; sessionId: string }> {
  const orderId = newOrderId();
  const { sessionId } = (await shop.build({ order: { orderId } })).body;
  await enterCard(world, sessionId, cards.visa);
  return { orderId, sessionId };
}

it('finalize against finalize pays once, and all are answered alike', async () => {
  const { orderId, sessionId } = await readySession(implicit);
  const answers = judged(await times(8, () => implicit.finalize(sessionId)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(answers[0]?.body.operation.operationResult).toBe('AUTHORIZED');
  expect(await typesOf(implicit, orderId)).toEqual(['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']);
});

it('finalize against cancel ends the session once, for everybody the same way', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { orderId, sessionId } = await readySession(explicit);
    const isFinalize = (index: number) => (index + round) % 2 === 0;
    const answers = await times(6, (index) =>
      isFinalize(index) ? explicit.finalize(sessionId) : explicit.endSession(sessionId),
    );
    const operations = await typesOf(explicit, orderId);
    const isPaid = operations.join() === 'AUTHORIZATION AUTHORIZED';
    expect(operations).toEqual([isPaid ? 'AUTHORIZATION AUTHORIZED' : 'CANCEL CANCELED']);
    const due = answers.map((_, index) => (isPaid && !isFinalize(index) ? '400 GW0006' : '200'));
    const told = answers.map((answer, index) => (judged([answer]).length > 0 ? codeOf(answer) : due[index]));
    expect(told).toEqual(due);
    const ends = answers.filter(({ status }) => status === 200).map(({ body }) => body.operation.operationId);
    expect(new Set(ends).size).toBe(1);
  }
});

it('64 captures have one effect; the others are refused by the state, or told to come again by a busy machine', async () => {
  const { orderId, operationId } = await authorization();
  const counts = statuses(await times(64, () => explicit.post('captures', operationId)));
  const { '503 GW0503': busy = 0, ...judged } = counts;
  expect(judged).toEqual({ 200: 1, '400 PS0023': 63 - busy });
  expect(busy).toBeLessThan(32);
  expect(await typesOf(explicit, orderId)).toEqual(['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']);
});

it('captures against refunds of the authorization, and refunds against refunds, have one winner', async () => {
  const { orderId, operationId } = await authorization();
  await times(8, (index) => explicit.post(index % 2 === 0 ? 'captures' : 'refunds', operationId));
  const operations = await typesOf(explicit, orderId);
  const [, winner] = operations;
  expect([
    'AUTHORIZATION AUTHORIZED,VOID VOIDED',
    'AUTHORIZATION AUTHORIZED,CAPTURE EXECUTED,REFUND REFUNDED',
  ]).toContain(operations.join());
  if (winner === 'VOID VOIDED') return;
  expect((await explicit.order(orderId)).body.orderStatus).toMatchObject({ capturedAmount: '5000' });
  expect(statuses([await explicit.post('refunds', operationId)])).toEqual({ '400 PS0027': 1 });
});

it('Capture against Cancel of the payment service has one winner', async () => {
  const service = await paymentServiceOf(world, 'alpha');
  for (let round = 0; round < 3; round += 1) {
    const { paymentId } = (await service.call('POST', paymentsPath, paymentBody({ processing: 'Authorize' }))).body;
    await payOnPage(world, paymentId, cards.visa);
    const calls = times(6, (index) =>
      service.call('POST', `${paymentsPath}/${paymentId}/${(index + round) % 2 === 0 ? 'Capture' : 'Cancel'}`, {}),
    );
    const answers = judged(await calls);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(answers.length - 1);
    const { body } = await service.call('GET', `${paymentsPath}/${paymentId}`);
    expect(['Captured', 'Cancelled']).toContain(body.state);
  }
});

it('the graph tells by which steps a silent outcome became known', async () => {
  const { finalized } = await payWithFields(world, explicit, { number: cards.silent });
  const { operationId } = finalized.body.operation;
  const query = `query ($id: ID!) { operation(operationId: $id) { operationResult
    acquirerCall { state askAt raisedAt steps { at step outcome } } timeline(first: 5) { edges { node { type } } } } }`;
  const read = async () => (await graph(world, query, { id: operationId })).data.operation;
  // What follows the first step may be there already: other tests move the shared clock too.
  expect((await read()).acquirerCall.steps[0]).toMatchObject({ step: 'CALLED', outcome: 'PENDING' });
  await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 61_000 });
  const known = await eventually(async () => {
    const operation = await read();
    return operation.operationResult === 'AUTHORIZED' ? operation : null;
  });
  expect(known.acquirerCall).toMatchObject({ state: 'DONE', askAt: null, raisedAt: null });
  expect(known.acquirerCall.steps.at(-1)).toMatchObject({ step: 'ASKED', outcome: 'AUTHORIZED' });
  expect(known.timeline.edges.map(({ node }: { node: { type: string } }) => node.type)).toEqual([
    'operation.recorded',
    'operation.resultChanged',
  ]);
});
