// What the shop's server does for its page: builds orders in each of the three ways, finalizes, asks for states, reads the notifications it got.
import { randomBytes } from 'node:crypto';
import { formatMoney } from '../../subgraphs/shared/money';
import { type Basket, shopCurrency, summaryOf, totalMinor } from './catalogue';
import type { ShopMerchant } from './merchant';
import { callRest, checkoutHeaders, type Exchange } from './rest-calls';

export interface OrderWish {
  basket: Basket;
  capture: 'implicit' | 'explicit';
  /** Flow version: 1 or 3. */
  version: string;
  /** ISO 639-2. */
  language: string;
  /** CARDS, an alternative method, or empty to let the payer choose. */
  method: string;
  /** Sent as merchantUrl; the shop's own origin when empty. */
  merchantUrl: string;
}

function keyFor(merchant: ShopMerchant, capture: string): string {
  return capture === 'explicit' ? merchant.explicitApiKey : merchant.implicitApiKey;
}

/** Short, readable, and within the alphabet of orderId. */
export function newOrderId(): string {
  return `NP-${Date.now().toString(36).toUpperCase()}-${randomBytes(3).toString('hex').toUpperCase()}`;
}

/** Card fields in the shop's own page, or a visit to an alternative method. */
export function build(merchant: ShopMerchant, wish: OrderWish, orderId: string): Promise<Exchange> {
  return callRest({
    title: 'Build the order',
    base: merchant.restUrl,
    method: 'POST',
    path: '/api/v1/orders/build',
    headers: checkoutHeaders(keyFor(merchant, wish.capture)),
    body: {
      merchantUrl: wish.merchantUrl || merchant.shopUrl,
      version: wish.version,
      order: orderOf(wish, orderId),
      paymentSession: {
        ...sessionOf(merchant, wish, orderId),
        paymentService: wish.method || undefined,
      },
    },
  });
}

/** The hosted payment page. */
export function askForHostedPage(merchant: ShopMerchant, wish: OrderWish, orderId: string): Promise<Exchange> {
  return callRest({
    title: 'Order for the hosted page',
    base: merchant.restUrl,
    method: 'POST',
    path: '/api/v1/orders/hpp',
    headers: checkoutHeaders(keyFor(merchant, wish.capture)),
    body: { order: orderOf(wish, orderId), paymentSession: sessionOf(merchant, wish, orderId) },
  });
}

/** The page of the payment service: a token first, then the payment. */
export async function createPayment(merchant: ShopMerchant, wish: OrderWish, orderId: string): Promise<Exchange[]> {
  const { token, accessToken } = await logIn(merchant);
  if (!accessToken) return [token];
  const payment = await callRest({
    title: 'Create the payment',
    base: merchant.restUrl,
    method: 'POST',
    path: '/api/v1/payments',
    headers: { Authorization: `Bearer ${accessToken}` },
    body: {
      type: 'MerchantHostedEcom',
      paymentNumber: orderId.replace(/[^A-Za-z0-9]/g, ''),
      currencyCode: shopCurrency,
      amount: totalMinor(wish.basket),
      processing: wish.capture === 'explicit' ? 'Authorize' : 'Sale',
      description: descriptionOf(wish),
      redirectUrls: { returnUrl: `${returnAddress(merchant, wish, orderId)}&way=service` },
      payPageConfiguration: { language: 'EN', pageType: 'Singlepage' },
    },
  });
  return [token, payment];
}

/** How a payment of the payment service stands; the payment is the last exchange. */
export async function readPayment(merchant: ShopMerchant, paymentId: string): Promise<Exchange[]> {
  const { token, accessToken } = await logIn(merchant);
  if (!accessToken) return [token];
  const payment = await callRest({
    title: 'Read the payment',
    base: merchant.restUrl,
    method: 'GET',
    path: `/api/v1/payments/${paymentId}`,
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  return [token, payment];
}

async function logIn({ payments, authUrl }: ShopMerchant): Promise<{ token: Exchange; accessToken?: string }> {
  const { clientId, clientSecret } = payments;
  const token = await callRest({
    title: 'Access token',
    base: authUrl,
    method: 'POST',
    path: '/token',
    isForm: true,
    headers: { Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: { grant_type: 'client_credentials' },
  });
  return { token, accessToken: (token.answer as { access_token?: string } | null)?.access_token };
}

export function finalizeVisit(
  merchant: ShopMerchant,
  visit: { sessionId: string; capture: string },
): Promise<Exchange> {
  return callRest({
    title: 'Finalize',
    base: merchant.restUrl,
    method: 'POST',
    path: '/api/v1/build/finalize_payment',
    headers: checkoutHeaders(keyFor(merchant, visit.capture)),
    body: { sessionId: visit.sessionId },
  });
}

/** The payer gives up before paying. */
export function cancelVisit(merchant: ShopMerchant, visit: { sessionId: string; capture: string }): Promise<Exchange> {
  return callRest({
    title: 'Cancel',
    base: merchant.restUrl,
    method: 'POST',
    path: '/api/v1/build/cancel',
    headers: checkoutHeaders(keyFor(merchant, visit.capture)),
    body: { sessionId: visit.sessionId },
  });
}

/** Reads of a visit or an order by its documented path. */
export function read(
  merchant: ShopMerchant,
  { title, path, capture }: { title: string; path: string; capture: string },
): Promise<Exchange> {
  return callRest({
    title,
    base: merchant.restUrl,
    method: 'GET',
    path,
    headers: checkoutHeaders(keyFor(merchant, capture)),
  });
}

/** What came to the order's notificationUrl, oldest first. */
export async function notifications(
  merchant: ShopMerchant,
  orderId: string,
): Promise<{ receivedAt: string; body: unknown }[]> {
  const { answer } = await callRest({
    title: 'Notifications',
    base: merchant.restUrl,
    method: 'GET',
    path: '/sandbox/receiver/requests',
    headers: { 'X-Sandbox-Key': merchant.sandboxKey },
  });
  const received = Array.isArray(answer) ? (answer as { path: string; receivedAt: string; body: string }[]) : [];
  return received
    .filter(({ path }) => path.endsWith(notificationPath(orderId)))
    .map(({ receivedAt, body }) => ({ receivedAt, body: readBody(body) }));
}

function readBody(text: string): unknown {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    return 'securityToken' in body ? { ...body, securityToken: '…' } : body;
  } catch {
    return null;
  }
}

function orderOf(wish: OrderWish, orderId: string) {
  const amount = String(totalMinor(wish.basket));
  const summaryList = summaryOf(wish.basket, (minor) => formatMoney(BigInt(minor), shopCurrency, 'en'));
  return {
    orderId,
    amount,
    currency: shopCurrency,
    description: descriptionOf(wish),
    customField: 'demo shop',
    transactionSummary: [{ language: wish.language, summaryList }],
  };
}

function descriptionOf({ basket }: OrderWish): string {
  const count = Object.values(basket).reduce((sum, each) => sum + each, 0);
  return count === 1 ? '1 article' : `${count} articles`;
}

function sessionOf(merchant: ShopMerchant, wish: OrderWish, orderId: string) {
  return {
    actionType: 'PAY',
    amount: String(totalMinor(wish.basket)),
    language: wish.language,
    resultUrl: returnAddress(merchant, wish, orderId),
    cancelUrl: `${merchant.shopUrl}/checkout?cancelled=1`,
    notificationUrl: notificationUrl(merchant, orderId),
  };
}

function returnAddress({ shopUrl }: ShopMerchant, { capture }: OrderWish, orderId: string): string {
  return `${shopUrl}/order/${encodeURIComponent(orderId)}?capture=${capture}`;
}

/** Where the shop's server hears of the order: the platform's own receiver. */
export function notificationUrl({ restUrl }: Pick<ShopMerchant, 'restUrl'>, orderId: string): string {
  return `${restUrl}${notificationPath(orderId)}`;
}

function notificationPath(orderId: string): string {
  return `/sandbox/receiver/shop/${orderId}`;
}
