// Lives of the payment interface: both families, with and without Idempotency-Key; what was acknowledged is kept, to be held against the operations afterwards.
import type { Db } from 'mongodb';
import {
  buildBody,
  cards,
  hostedBody,
  type PaymentService,
  paymentBody,
  paymentsPath,
  type Shop,
  typedCard,
} from '../support/checkout';
import type { World } from '../support/world';
import type { Attempts } from './attempts';
import { type Asking, createAsking, liveOnce } from './lives';
import type { Random } from './random';

/** Operations of one payment, as its only caller knows them. */
export interface MoneyLife {
  acknowledged: string[];
  /** Calls without a key whose answer never came: each was done once or not at all. */
  open: number;
}

export interface MoneyWorld {
  world: World;
  attempts: Attempts;
  /** Of pages. */
  others: Attempts;
  shop: Shop;
  service: PaymentService;
  notificationUrl: string;
}

/** A function that lives one payment and adds it to `lives`. */
export function moneyLives(money: MoneyWorld, lives: MoneyLife[]): (random: Random) => Promise<void> {
  const { world, attempts, others } = money;
  const asking = createAsking(world.urls.rest, attempts);
  const pages = createAsking(world.urls.pay, others);
  return async (random) => {
    const life: MoneyLife = { acknowledged: [], open: 0 };
    lives.push(life);
    const kind = random.pick(['fields', 'fields', 'service', 'service', 'hosted'] as const);
    if (kind === 'fields') await payWithFields(money, asking, life, random);
    else if (kind === 'service') await payWithService(money, asking, life, random);
    else await payHosted(money, asking, pages, life);
  };
}

/** Fresh orders that are opened all at once, so that they share commits; every second one without a key. */
export async function openOrders({ world, attempts, shop }: MoneyWorld, count: number): Promise<void> {
  const { ask, dare } = createAsking(world.urls.rest, attempts);
  const one = async (index: number) => {
    const order = { headers: shop.headers(), body: buildBody(world.urls.shop) };
    await (index % 2 === 0 ? ask : dare)('POST', '/api/v1/orders/build', order);
  };
  await Promise.all(Array.from({ length: count }, (_, index) => liveOnce(one(index))));
}

const sandboxHeaders = ({ credentials }: World) => ({ 'X-Sandbox-Key': credentials.sandboxKey });

async function payWithFields(money: MoneyWorld, { ask, tell, dare }: Asking, life: MoneyLife, random: Random) {
  const { world, shop, notificationUrl } = money;
  const order = { headers: shop.headers(), body: buildBody(world.urls.shop, { paymentSession: { notificationUrl } }) };
  const built =
    random.next() < 0.5
      ? await ask('POST', '/api/v1/orders/build', order)
      : await dare('POST', '/api/v1/orders/build', order);
  if (!built) return;
  const { sessionId } = built.body;
  const card = { headers: sandboxHeaders(world), body: typedCard(cards.visa) };
  if (!(await tell('POST', `/sandbox/checkout/${sessionId}/card`, card))) return;
  const finalized = await ask('POST', '/api/v1/build/finalize_payment', {
    headers: shop.headers(),
    body: { sessionId },
  });
  const { operationId } = finalized.body.operation;
  life.acknowledged.push(operationId);
  const captured = await ask('POST', `/api/v1/operations/${operationId}/captures`, {
    headers: shop.headers(),
    body: { amount: String(random.between(2_000, 5_000)) },
  });
  life.acknowledged.push(captured.body.operationId);
  const [what, body] =
    random.next() < 0.3 ? ['cancels', {}] : ['refunds', { amount: String(random.between(1, 1_000)) }];
  const undone = await ask('POST', `/api/v1/operations/${captured.body.operationId}/${what}`, {
    headers: shop.headers(),
    body,
  });
  life.acknowledged.push(undone.body.operationId);
}

async function payWithService(money: MoneyWorld, { ask, tell, dare }: Asking, life: MoneyLife, random: Random) {
  const { world, service } = money;
  const headers = service.headers();
  const { paymentId } = (await ask('POST', paymentsPath, { headers, body: paymentBody() })).body;
  const card = { headers: sandboxHeaders(world), body: typedCard(cards.visa) };
  if (!(await tell('POST', `/sandbox/payments/${paymentId}/card`, card))) return;
  const step = async (name: string, body: object) => {
    const answer = await ask('POST', `${paymentsPath}/${paymentId}/${name}`, { headers, body });
    life.acknowledged.push(answer.body.transactionRef);
  };
  await step('Authorize', {});
  if (random.next() < 0.3) return step('Cancel', {});
  await step('Capture', { amount: random.between(2_000, 5_000) });
  if (random.next() < 0.5) return step('Refund', { amount: random.between(1, 1_000) });
  const refunded = await dare('POST', `${paymentsPath}/${paymentId}/Refund`, { headers, body: { amount: 500 } });
  if (refunded) life.acknowledged.push(refunded.body.transactionRef);
  else life.open += 1;
}

async function payHosted(money: MoneyWorld, { ask, tell }: Asking, pages: Asking, life: MoneyLife) {
  const { world, shop, notificationUrl } = money;
  const body = hostedBody({ paymentSession: { notificationUrl } });
  const { hostedPage } = (await ask('POST', '/api/v1/orders/hpp', { headers: shop.headers(), body })).body;
  const { pathname } = new URL(hostedPage);
  await pages.tell('GET', pathname);
  await tell('POST', `/sandbox/checkout/${pathname.split('/').at(-1)}/card`, {
    headers: sandboxHeaders(world),
    body: typedCard(cards.visa),
  });
  await pages.tell('GET', pathname);
  // The payer's browser is told of the operation, the shop's server by its notification only.
  life.open += 1;
}

/** Operations that a payment has beside those its caller knows of, and those that it lacks. */
export async function moneyFaults(database: Db, lives: readonly MoneyLife[]): Promise<string[]> {
  // The check of a card on the page is the payer's, and nobody is answered with it.
  const operations = await database
    .collection<{ _id: string; paymentId: string }>('operations')
    .find({ type: { $ne: 'CARD_CHECK' } })
    .toArray();
  const paymentOf = new Map(operations.map(({ _id, paymentId }) => [_id, paymentId]));
  return lives.flatMap(({ acknowledged, open }) => {
    const [first] = acknowledged;
    if (!first) return [];
    const made = operations.filter(({ paymentId }) => paymentId === paymentOf.get(first)).map(({ _id }) => _id);
    const lacking = acknowledged.filter((id) => !made.includes(id));
    const beside = made.filter((id) => !acknowledged.includes(id));
    return [
      ...lacking.map((id) => `${id} was acknowledged and is missing`),
      ...(beside.length > open ? [`${beside.join(', ')} were asked for by nobody (${open} are open)`] : []),
    ];
  });
}
