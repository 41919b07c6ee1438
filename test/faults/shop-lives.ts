// Payments of one shop for proofs that kill: each is built, paid, captured and given back in parts, every call repeated with its key until it is answered; a refusal,
// because a kill left an outcome open, ends that payment and is no fault.

import { newId } from '../../subgraphs/shared/ids';
import { buildBody, cards, type Shop, typedCard } from '../support/checkout';
import type { Answer } from '../support/client';
import type { World } from '../support/world';
import type { Attempts } from './attempts';
import { type Lives, startLives } from './lives';
import type { Random } from './random';

interface ShopWorld {
  world: World;
  attempts: Attempts;
  shop: Shop;
  notificationUrl: string;
}

export function startShop(shop: ShopWorld, random: Random, actors: number): Lives {
  return startLives({ random, actors }, (own) => live(shop, own));
}

async function live({ world, attempts, shop, notificationUrl }: ShopWorld, random: Random): Promise<void> {
  /** The answer, or null when the payment ends here. */
  const ask = async (path: string, body: object, headers: object = shop.headers()): Promise<Answer['body'] | null> => {
    const options = { body, headers: { ...headers, 'Idempotency-Key': newId() } };
    const { answer } = await attempts.persist(world.urls.rest, { method: 'POST', path, options });
    return answer && answer.status < 300 ? (answer.body ?? {}) : null;
  };
  const built = await ask('/api/v1/orders/build', buildBody(world.urls.shop, { paymentSession: { notificationUrl } }));
  if (!built) return;
  const { sessionId } = built;
  const sandbox = { 'X-Sandbox-Key': world.credentials.sandboxKey };
  if (!(await ask(`/sandbox/checkout/${sessionId}/card`, typedCard(cards.visa), sandbox))) return;
  const paid = (await ask('/api/v1/build/finalize_payment', { sessionId }))?.operation?.operationId;
  for (let capture = 0; paid && capture < 3; capture += 1) {
    const amount = String(random.between(100, 1_000));
    const captured = await ask(`/api/v1/operations/${paid}/captures`, { amount });
    if (!captured) return;
    if (!(await ask(`/api/v1/operations/${captured.operationId}/refunds`, { amount: '50' }))) return;
  }
}
