// Shops whose merchants lie in all lanes alike: what belongs to a merchant is in its slot, so by one merchant a single lane would have all the work.
import { slotCount, slotOf } from '../../subgraphs/shared/store/slot';
import { type CheckoutCalls, checkoutOf } from '../support/checkout';
import type { Product } from '../support/product';

const accountId = 'alpha';
const merchantsOfLane = 8;

const equip = `mutation ($merchantId: ID!, $terminalId: ID!, $shop: String!) {
  createMerchant(input: { accountId: "${accountId}", merchantId: $merchantId, name: "Nordlys" }) { merchantId }
  createTerminal(input: { merchantId: $merchantId, terminalId: $terminalId, label: "Web", origins: [$shop] }) { terminalId }
  createApiKey(merchantId: $merchantId, terminalId: $terminalId, label: "till") { apiKey } }`;

/** Resolves with the API keys of their terminals. */
export async function openShops(product: Product, lanes: number): Promise<string[]> {
  const { graph, shop } = product.credentials.urls;
  const authorization = `Bearer ${await product.graphToken()}`;
  const keys: string[] = [];
  for (const merchantId of merchantIdsOf(lanes)) {
    const answer = await fetch(graph, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({ query: equip, variables: { merchantId, terminalId: `t-${merchantId}`, shop } }),
    });
    const { data, errors } = (await answer.json()) as { data?: { createApiKey: { apiKey: string } }; errors?: unknown };
    if (!data || errors) throw new Error(`no shop of ${merchantId}: ${JSON.stringify(errors)}`);
    keys.push(data.createApiKey.apiKey);
  }
  return keys;
}

/** Their checkouts, one after the other. */
export function inTurn(product: Product, keys: readonly string[], asked?: Record<string, string>): () => CheckoutCalls {
  const shops = keys.map((apiKey) => checkoutOf(product, asked, apiKey));
  let next = 0;
  return () => {
    const shop = shops[next++ % shops.length];
    if (!shop) throw new Error('there is no shop');
    return shop;
  };
}

function merchantIdsOf(lanes: number): string[] {
  const laneOf = (merchantId: string) => Math.floor((slotOf({ merchantId, accountId }) * lanes) / slotCount);
  const found = Array.from({ length: lanes }, (): string[] => []);
  for (let index = 0; found.some((ids) => ids.length < merchantsOfLane); index++) {
    const merchantId = `merchant-bench-${index}`;
    const ids = found[laneOf(merchantId)];
    if (ids && ids.length < merchantsOfLane) ids.push(merchantId);
  }
  return found.flat();
}
