// The merchant notification from the merchant's side alone, over real sockets: signed, tried again by the movable clock, parked by a 410, sent again on request, always under one id (merchant notification).
import { createHmac } from 'node:crypto';
import { payWithFields, shopOf } from '../support/checkout';
import { graph, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { type Received, type Receiver, startReceiver } from '../workers/receiver';

let world: World;
let receiver: Receiver;
/** What the merchant's server says next; 204 when there is nothing left to say. */
let answers: number[] = [];

beforeAll(async () => {
  world = await sharedWorld();
  receiver = await startReceiver();
  receiver.answer((_request, response) => void response.writeHead(answers.shift() ?? 204).end());
});
afterAll(async () => {
  await receiver?.close();
  await world?.stop();
});

interface Paid {
  operationId: string;
  securityToken: string;
  /** Of finalize. */
  requestId: string;
  heard(): Received[];
}

/** One paid order; the id of its operation, and what has come about it. */
async function pay(path: string): Promise<Paid> {
  const shop = shopOf(world, 'alpha', 'explicit');
  const paid = await payWithFields(world, shop, { paymentSession: { notificationUrl: `${receiver.url}${path}` } });
  const { operationId } = paid.finalized.body.operation;
  const isOurs = ({ body }: Received) => JSON.parse(body).operation.operationId === operationId;
  const { headers } = paid.finalized;
  return {
    operationId,
    securityToken: paid.built.body.securityToken,
    requestId: String(headers['x-request-id']),
    heard: () => receiver.received.filter(isOurs),
  };
}

const callbackOf = async (operationId: string) => {
  const query = `query ($id: ID!) { operation(operationId: $id) { callbacks(first: 5) { edges { node {
    callbackId eventId status attempts { number status } } } } } }`;
  const { edges } = (await graph(world, query, { id: operationId })).data.operation.callbacks;
  return edges[0].node;
};
/** What the processes wrote about the attempts that a request led to: number and event. */
const attemptsLogged = (requestId: string) =>
  world
    .processes()
    .flatMap(({ role }) => world.log(role).split('\n'))
    .filter((line) => line.includes(requestId) && line.includes('deliveryId'))
    .map((line) => JSON.parse(line))
    .map(({ attempt, eventId }) => [attempt, eventId])
    .sort();
const untilIs = (operationId: string, status: string) =>
  eventually(async () => {
    const callback = await callbackOf(operationId);
    return callback.status === status ? callback : undefined;
  });

/** As the signature's rules say it, without a library: HMAC-SHA-256 over id, time and the bytes that came. */
function signatureBy(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

it('is tried again after a 500, by the clock, with the same id and bytes and a signature of its own time', async () => {
  answers = [500, 500];
  const { operationId, securityToken, requestId, heard } = await pay('/orders?shop=1');
  const [first] = await eventually(async () => (heard().length > 0 ? heard() : undefined));
  expect(JSON.parse(first?.body ?? '')).toMatchObject({
    eventId: first?.eventId,
    securityToken,
    operation: { operationId, operationType: 'AUTHORIZATION', operationResult: 'AUTHORIZED', operationAmount: '5000' },
  });
  for (const [tries, waitMs] of [
    [1, 6_000],
    [2, 331_000],
  ] as const) {
    // One that is under way stands there, too: its wait begins when it is answered.
    await eventually(async () => {
      const { attempts } = await callbackOf(operationId);
      return attempts.filter(({ status }: { status: number | null }) => status === 500).length >= tries;
    });
    await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: waitMs });
  }
  const delivered = await untilIs(operationId, 'DELIVERED');
  expect(heard()).toHaveLength(3);
  expect(new Set(heard().map(({ body, path }) => `${path} ${body}`)).size).toBe(1);
  expect(new Set(heard().map(({ eventId }) => eventId))).toEqual(new Set([delivered.eventId]));
  // Whoever has the request's id finds the attempts that failed.
  const failed = [1, 2].map((attempt) => [attempt, delivered.eventId]);
  await eventually(() => JSON.stringify(attemptsLogged(requestId)) === JSON.stringify(failed));
  const { notifySecret } = world.credentials.tenants.alpha.checkout;
  for (const one of heard()) {
    expect(one.path).toBe('/orders?shop=1');
    expect(String(one.headers['webhook-signature']).split(' ')).toContain(signatureBy(notifySecret, one));
    expect(Math.abs(Number(one.headers['webhook-timestamp']) * 1_000 - one.at)).toBeLessThan(30_000);
  }
});

it('a 410 parks that event alone; the next one comes, and the parked one too once it is asked for', async () => {
  answers = [410];
  const parked = await pay('/gone');
  const { callbackId, eventId, attempts } = await untilIs(parked.operationId, 'REJECTED');
  expect([parked.heard().length, attempts.map(({ status }: { status: number }) => status)]).toEqual([1, [410]]);
  const next = await pay('/gone');
  await untilIs(next.operationId, 'DELIVERED');
  expect(parked.heard()).toHaveLength(1);
  const resend = 'mutation ($id: ID!) { redeliverCallback(callbackId: $id) { callbackId eventId } }';
  const answer = await graph(world, resend, { id: callbackId });
  expect(answer.data.redeliverCallback).toEqual({ callbackId, eventId });
  await untilIs(parked.operationId, 'DELIVERED');
  const [one, again] = parked.heard();
  expect([again?.eventId, again?.body]).toEqual([one?.eventId, one?.body]);
});
