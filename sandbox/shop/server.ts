// The demo shop of the sandbox: a small real shop whose server is a merchant's server, calling the documented REST paths with its own key.

import { type Asset, assetRoute, readAsset } from '../../pages/assets';
import type { PageReply, PageRequest, PageRoute } from '../../pages/page-route';
import { createPageServer, type PageDeps, type PageServer } from '../../pages/page-server';
import { shopHeaders } from '../../pages/security-headers';
import type { Refusal } from '../../rest-facade/errors/errors';
import { DomainError } from '../../subgraphs/shared/errors';
import { isUuid } from '../../subgraphs/shared/ids';
import { basketCookie, basketCookieName, basketOf, withOneMore } from './basket';
import { readBasket, totalMinor } from './catalogue';
import { checkoutPage } from './checkout-view';
import type { ShopMerchant } from './merchant';
import {
  askForHostedPage,
  build,
  cancelVisit,
  createPayment,
  finalizeVisit,
  newOrderId,
  notifications,
  type OrderWish,
  read,
  readPayment,
} from './orders';
import { type Exchange, shown } from './rest-calls';
import { missingPage, orderPage, shelfPage } from './shop-view';

export interface ShopDeps extends PageDeps {
  /** Read at each request, because the seed may still be running when the shop starts. */
  merchant(): ShopMerchant | Promise<ShopMerchant>;
}

/** The payment that the payer was sent to pay: its page's return address cannot name it. */
const paymentCookieName = 'payment';

interface Shop {
  merchant: ShopDeps['merchant'];
  assets: { style: Asset; script: Asset };
}

/** Builds the server; the caller listens. Only in the sandbox. Throws when the built scripts are not below `root`. */
export function createShopServer(deps: ShopDeps): PageServer {
  const assets = { style: readAsset(deps.root, 'shop.css'), script: readAsset(deps.root, 'shop.js') };
  const shop: Shop = { merchant: deps.merchant, assets };
  return createPageServer(deps, {
    name: 'shop',
    routes: [assetRoute(Object.values(assets)), ...pageRoutes(shop), ...callRoutes(shop)],
    refuse: (refusal, request) => refuse(shop, refusal, request),
  });
}

function pageRoutes(shop: Shop): PageRoute[] {
  return [
    {
      method: 'GET',
      pattern: /^\/$/,
      name: '/',
      serve: async (request) => {
        const merchant = await shop.merchant();
        const body = shelfPage({ assets: shop.assets, payUrl: merchant.payUrl, basket: basketIn(request) });
        return { status: 200, headers: headersOf(merchant), body };
      },
    },
    {
      method: 'POST',
      pattern: /^\/basket$/,
      name: '/basket',
      serve: (request) => {
        const basket = withOneMore(basketIn(request), request.form['add'] ?? '');
        return { status: 303, headers: { location: '/', 'set-cookie': basketCookie(basket) } };
      },
    },
    {
      method: 'GET',
      pattern: /^\/checkout$/,
      name: '/checkout',
      serve: async (request) => {
        const merchant = await shop.merchant();
        const { query } = request;
        const notice = query.get('cancelled') ? 'cancelled' : query.get('failed') ? 'failed' : null;
        const again = orderIdOf(query.get('order') ?? '');
        const view = { payUrl: merchant.payUrl, basket: basketIn(request), notice, again } as const;
        return { status: 200, headers: headersOf(merchant), body: checkoutPage({ assets: shop.assets, ...view }) };
      },
    },
    {
      method: 'GET',
      pattern: /^\/order\/([\w%#*+.:;=?[\]{|}-]{1,120})$/,
      name: '/order/{orderId}',
      serve: async (request) => showOrder(shop, request),
    },
    // Plain forms, so that the pages of the platform are reached without a script too.
    {
      method: 'POST',
      pattern: /^\/pay\/(hosted|service)$/,
      name: '/pay/{page}',
      serve: async (request) => sendToPage(shop, request),
    },
  ];
}

/** Calls of the shop's own script; each answers with the exchange that it led to. */
function callRoutes(shop: Shop): PageRoute[] {
  const route = (
    name: string,
    serve: (request: PageRequest, merchant: ShopMerchant) => Promise<object>,
  ): PageRoute => ({
    method: 'POST',
    pattern: new RegExp(`^/api/${name}$`),
    name: `/api/${name}`,
    serve: async (request) => {
      const { cookie, ...body } = (await serve(request, await shop.merchant())) as { cookie?: string };
      return { status: 200, body, headers: cookie ? { 'set-cookie': cookie } : undefined };
    },
  });
  return [
    route('build', async (request, merchant) => {
      const wish = wishOf(request);
      const orderId = orderIdOf(request.form['orderId'] ?? '') || newOrderId();
      const exchange = await build(merchant, wish, orderId);
      return { orderId, fieldSet: fieldSetOf(exchange), merchantOrigin: merchant.shopUrl, exchange: shown(exchange) };
    }),
    route('finalize', async ({ form }, merchant) => {
      const visit = visitOf(form);
      return { exchange: shown(await finalizeVisit(merchant, visit)) };
    }),
    // The same two ways as the plain forms, for the page that shows the exchange.
    route('hosted', (request, merchant) => leave(merchant, request, 'hosted')),
    route('service', (request, merchant) => leave(merchant, request, 'service')),
    route('cancel', async ({ form }, merchant) => ({ exchange: shown(await cancelVisit(merchant, visitOf(form))) })),
    route('state', ({ form }, merchant) => ofVisit(merchant, form, { title: 'State', path: '/api/v1/build/state' })),
    route('card-data', ({ form }, merchant) =>
      ofVisit(merchant, form, { title: 'Card data', path: '/api/v1/build/cardData' }),
    ),
    route('notifications', async ({ form }, merchant) => ({
      received: await notifications(merchant, form['orderId'] ?? ''),
    })),
  ];
}

async function ofVisit(
  merchant: ShopMerchant,
  form: PageRequest['form'],
  { title, path }: { title: string; path: string },
): Promise<object> {
  const { sessionId, capture } = visitOf(form);
  const exchange = await read(merchant, { title, path: `${path}?sessionId=${sessionId}`, capture });
  return { exchange: shown(exchange) };
}

function visitOf(form: PageRequest['form']): { sessionId: string; capture: string } {
  const { sessionId, capture = 'implicit' } = form;
  if (!isUuid(sessionId)) throw new DomainError('invalidInput', undefined, { field: 'sessionId' });
  return { sessionId, capture };
}

function wishOf({ form }: PageRequest): OrderWish {
  const basket = readBasket(form);
  if (totalMinor(basket) === 0) throw new DomainError('invalidInput', 'the basket is empty', { field: 'basket' });
  return {
    basket,
    capture: form['capture'] === 'explicit' ? 'explicit' : 'implicit',
    version: form['version'] === '3' ? '3' : '1',
    language: /^[a-z]{3}$/.test(form['language'] ?? '') ? (form['language'] ?? 'eng') : 'eng',
    method: form['method'] ?? '',
    merchantUrl: form['merchantUrl'] ?? '',
  };
}

/** The field set for the browser: everything but the security token, which is the server's own. */
function fieldSetOf({ status, answer }: Exchange): object | null {
  if (status !== 200 || typeof answer !== 'object' || answer === null) return null;
  return Object.fromEntries(Object.entries(answer).filter(([name]) => name !== 'securityToken'));
}

async function sendToPage(shop: Shop, request: PageRequest): Promise<PageReply> {
  const merchant = await shop.merchant();
  const { location, cookie } = await leave(merchant, request, request.params[0] ?? '');
  const headers = { ...headersOf(merchant), location: location ?? '/checkout?failed=1' };
  return { status: 303, headers: cookie ? { ...headers, 'set-cookie': cookie } : headers };
}

/** An order for a page of the platform; `location` is where the payer goes, null when the order was refused. */
async function leave(
  merchant: ShopMerchant,
  request: PageRequest,
  page: string,
): Promise<{ orderId: string; location: string | null; exchanges: Exchange[]; cookie?: string }> {
  const wish = wishOf(request);
  const orderId = orderIdOf(request.form['orderId'] ?? '') || newOrderId();
  const exchanges =
    page === 'hosted'
      ? [await askForHostedPage(merchant, wish, orderId)]
      : await createPayment(merchant, wish, orderId);
  const answer = (exchanges.at(-1)?.answer ?? {}) as Record<string, string | undefined>;
  const { hostedPage, hostedPaymentPageUrl, paymentId } = answer;
  const location = hostedPage ?? hostedPaymentPageUrl ?? null;
  const cookie = paymentId && `${paymentCookieName}=${paymentId}; Path=/; HttpOnly; SameSite=Lax`;
  return { orderId, location, exchanges: exchanges.map(shown), cookie };
}

function basketIn(request: PageRequest) {
  return basketOf(request.cookie(basketCookieName));
}

/** An order that failed may be tried again under its own name; anything that is no name of ours is empty. */
function orderIdOf(text: string): string {
  return /^NP-[0-9A-Z]{6,12}-[0-9A-F]{6}$/.test(text) ? text : '';
}

async function showOrder(shop: Shop, request: PageRequest): Promise<PageReply> {
  const merchant = await shop.merchant();
  const [orderId = ''] = request.params;
  const capture = request.query.get('capture') ?? 'implicit';
  const paymentId = request.cookie(paymentCookieName);
  const isService = request.query.get('way') === 'service' && isUuid(paymentId);
  const exchanges = isService ? await readPayment(merchant, paymentId) : [await readOrder(merchant, orderId, capture)];
  const view = { payUrl: merchant.payUrl, orderId, exchanges: exchanges.map(shown), isNotified: !isService };
  return { status: 200, headers: headersOf(merchant), body: orderPage({ assets: shop.assets, ...view }) };
}

function readOrder(merchant: ShopMerchant, orderId: string, capture: string): Promise<Exchange> {
  return read(merchant, { title: 'Order', path: `/api/v1/orders/${encodeURIComponent(orderId)}`, capture });
}

function headersOf({ payUrl }: ShopMerchant): Record<string, string> {
  return shopHeaders(new URL(payUrl).origin);
}

function refuse({ assets }: Shop, { code }: Refusal, request: PageRequest | null): PageReply {
  const status = statuses[code] ?? 502;
  if (request?.header('content-type').startsWith('application/json')) return { status, body: { code } };
  return { status, headers: shopHeaders("'self'"), body: missingPage({ assets, status }) };
}

/** What the visitor's own request brought about; everything else is the gateway's. */
const statuses: Readonly<Record<string, number>> = {
  notFound: 404,
  forbidden: 403,
  rateLimited: 429,
  payloadTooLarge: 413,
  invalidInput: 400,
  notJson: 400,
};
