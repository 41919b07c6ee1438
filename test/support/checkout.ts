// A merchant's server as the payment interface knows it: both API families over REST, the payer played through the sandbox, and the notifications that come back.
import { randomBytes, randomUUID } from 'node:crypto';
import { type Answer, rest } from './client';
import { typedExpiry } from './expiry';
import { accessTokenOf, receivedBy, sandboxCall } from './partner';
import { eventually } from './stores';
import type { World } from './world';

export type Tenant = 'alpha' | 'beta';
/** Which of a tenant's two terminals: captured with the authorization, or by a call of its own. */
export type CaptureDefault = 'implicit' | 'explicit';
export type ChallengeOutcome = 'PASS' | 'FAIL' | 'CANCEL';

/** Changes to a request's two parts; a member set to undefined leaves it out. */
export interface OrderChanges {
  order?: object;
  paymentSession?: object;
  /** Members beside order and paymentSession. */
  more?: object;
  headers?: Record<string, string>;
}

export interface Shop {
  tenant: Tenant;
  merchantId: string;
  terminalId: string;
  apiKey: string;
  /** X-API-KEY and a fresh Correlation-Id. */
  headers(more?: Record<string, string>): Record<string, string>;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Card fields, 50.00 EUR, flow version 1, unless changed. */
  build(changes?: OrderChanges): Promise<Answer>;
  hostedPage(changes?: OrderChanges): Promise<Answer>;
  finalize(sessionId: string): Promise<Answer>;
  state(sessionId: string): Promise<Answer>;
  cardData(sessionId: string): Promise<Answer>;
  endSession(sessionId: string): Promise<Answer>;
  /** Query of the operations list; `answer.body.operations`. */
  operations(query: Record<string, string>): Promise<Answer>;
  order(orderId: string): Promise<Answer>;
  /** captures, refunds or cancels of an operation; an Idempotency-Key of its own unless one is given. */
  post(what: 'captures' | 'refunds' | 'cancels', operationId: string, body?: object, key?: string): Promise<Answer>;
}

/** The merchant's server behind one of the tenant's two API keys. */
export function shopOf(world: World, tenant: Tenant, capture: CaptureDefault = 'implicit'): Shop {
  const { merchantId, checkout } = world.credentials.tenants[tenant];
  return shopWith(world, { tenant, merchantId, ...checkout[capture] });
}

/** The same behind any key of a terminal. */
export function shopWith(
  world: World,
  { tenant, merchantId, terminalId, apiKey }: Pick<Shop, 'tenant' | 'merchantId' | 'terminalId' | 'apiKey'>,
): Shop {
  const client = rest(world.urls.rest);
  const headers: Shop['headers'] = (more = {}) => ({
    'X-API-KEY': apiKey,
    'Correlation-Id': randomUUID(),
    ...more,
  });
  const call: Shop['call'] = (method, path, body, more) => client.call(method, path, { headers: headers(more), body });
  return {
    tenant,
    merchantId,
    terminalId,
    apiKey,
    headers,
    call,
    build: (changes = {}) =>
      call('POST', '/api/v1/orders/build', buildBody(world.urls.shop, changes), changes.headers ?? {}),
    hostedPage: (changes = {}) => call('POST', '/api/v1/orders/hpp', hostedBody(changes), changes.headers ?? {}),
    finalize: (sessionId) => call('POST', '/api/v1/build/finalize_payment', { sessionId }),
    state: (sessionId) => call('GET', `/api/v1/build/state?sessionId=${encodeURIComponent(sessionId)}`),
    cardData: (sessionId) => call('GET', `/api/v1/build/cardData?sessionId=${encodeURIComponent(sessionId)}`),
    endSession: (sessionId) => call('POST', '/api/v1/build/cancel', { sessionId }),
    operations: (query) => call('GET', `/api/v1/operations?${new URLSearchParams(query)}`),
    order: (orderId) => call('GET', `/api/v1/orders/${encodeURIComponent(orderId)}`),
    post: (what, operationId, body = {}, key = randomUUID()) =>
      call('POST', `/api/v1/operations/${operationId}/${what}`, body, { 'Idempotency-Key': key }),
  };
}

/** An order identifier that nothing else uses: 22 characters of the allowed alphabet. */
export function newOrderId(): string {
  return `order-${randomBytes(8).toString('hex')}`;
}

/** A build body for card fields; see OrderChanges. */
export function buildBody(merchantUrl: string, { order, paymentSession, more }: OrderChanges = {}): object {
  return {
    merchantUrl,
    order: { amount: '5000', currency: 'EUR', orderId: newOrderId(), ...order },
    paymentSession: {
      actionType: 'PAY',
      amount: '5000',
      paymentService: 'CARDS',
      resultUrl: `${merchantUrl}/result`,
      cancelUrl: `${merchantUrl}/cancel`,
      ...paymentSession,
    },
    ...more,
  };
}

/** A body of the hosted page's order; see OrderChanges. */
export function hostedBody({ order, paymentSession, more }: OrderChanges = {}): object {
  return {
    order: { amount: '5000', currency: 'EUR', orderId: newOrderId(), ...order },
    paymentSession: {
      actionType: 'PAY',
      amount: '5000',
      language: 'eng',
      resultUrl: 'https://shop.example/result',
      cancelUrl: 'https://shop.example/cancel',
      ...paymentSession,
    },
    ...more,
  };
}

/** The session id of a hosted page: the last segment of its address. */
export function sessionIdOf(hostedPage: string): string {
  return new URL(hostedPage).pathname.split('/').at(-1) ?? '';
}

export interface PaymentService {
  tenant: Tenant;
  merchantId: string;
  accessToken: string;
  headers(more?: Record<string, string>): Record<string, string>;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** 50.00 EUR with processing None unless changed. */
  create(changes?: object, headers?: Record<string, string>): Promise<Answer>;
  authorize(paymentId: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  capture(paymentId: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  cancel(paymentId: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  refund(paymentId: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  read(paymentId: string): Promise<Answer>;
}

/** The payment service as the tenant's OAuth client. */
export async function paymentServiceOf(world: World, tenant: Tenant, scope?: string): Promise<PaymentService> {
  const { merchantId, payments } = world.credentials.tenants[tenant];
  const accessToken = await accessTokenOf(world, payments, scope);
  const client = rest(world.urls.rest);
  const headers: PaymentService['headers'] = (more = {}) => ({ Authorization: `Bearer ${accessToken}`, ...more });
  const call: PaymentService['call'] = (method, path, body, more) =>
    client.call(method, path, { headers: headers(more), body });
  const step = (name: string) => (paymentId: string, body: object | undefined, more?: Record<string, string>) =>
    call('POST', `${paymentsPath}/${paymentId}/${name}`, body ?? {}, more);
  return {
    tenant,
    merchantId,
    accessToken,
    headers,
    call,
    create: (changes = {}, more = {}) => call('POST', paymentsPath, paymentBody(changes), more),
    authorize: step('Authorize'),
    capture: step('Capture'),
    cancel: step('Cancel'),
    refund: step('Refund'),
    read: (paymentId) => call('GET', `${paymentsPath}/${paymentId}`),
  };
}

export const paymentsPath = '/api/v1/payments';

/** A create-payment body of the first variant. */
export function paymentBody(changes: object = {}): object {
  return {
    type: 'MerchantHostedEcom',
    amount: 5_000,
    currencyCode: 'EUR',
    processing: 'None',
    paymentNumber: `p${randomBytes(8).toString('hex')}`,
    redirectUrls: { returnUrl: 'https://shop.example/thanks' },
    ...changes,
  };
}

/** The payment interface's test cards by what they make happen (docs/sandbox.md). */
export const cards = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  challenge: '4000002500003155',
  challengeThenDeclined: '4000008400001629',
  challengeAlwaysFails: '4000000000003220',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  risk: '4100000000000019',
  technical: '4000000000000119',
  pending: '4000000000000077',
  silent: '4000000000000259',
} as const;

/** What the payer types. */
export function typedCard(number: string): { number: string; expiry: string; cvv: string; holder: string } {
  return { number, expiry: typedExpiry, cvv: /^3[47]/.test(number) ? '1234' : '123', holder: 'Ada Lovelace' };
}

/** Fills the card of a checkout session as the shopper would; on a hosted page this also pays. */
export function enterCard(world: World, sessionId: string, number: string): Promise<Answer> {
  return sandboxCall(world, 'POST', `/sandbox/checkout/${sessionId}/card`, typedCard(number));
}

/** Answers the pending challenge, or the pending alternative method, of a checkout session. */
export function settleChallenge(world: World, sessionId: string, outcome: ChallengeOutcome): Promise<Answer> {
  return sandboxCall(world, 'POST', `/sandbox/checkout/${sessionId}/challenge`, { outcome });
}

/** Does on the page of a payment what the payer would. */
export function payOnPage(
  world: World,
  paymentId: string,
  number: string,
  challenge?: ChallengeOutcome,
): Promise<Answer> {
  const body = { ...typedCard(number), challenge };
  return sandboxCall(world, 'POST', `/sandbox/payments/${paymentId}/card`, body);
}

/** A whole card payment with fields: built, filled and finalized; finalize's answer and what to ask for afterwards. */
export async function payWithFields(
  world: World,
  shop: Shop,
  { number = cards.visa as string, challenge, ...changes }: OrderChanges & PayerChoices = {},
): Promise<{ built: Answer; finalized: Answer; sessionId: string; orderId: string }> {
  const orderId = (changes.order as { orderId?: string } | undefined)?.orderId ?? newOrderId();
  const built = await shop.build({ ...changes, order: { ...changes.order, orderId } });
  const sessionId: string = built.body.sessionId;
  await enterCard(world, sessionId, number);
  let finalized = await shop.finalize(sessionId);
  if (challenge) {
    await settleChallenge(world, sessionId, challenge);
    finalized = await shop.finalize(sessionId);
  }
  return { built, finalized, sessionId, orderId };
}

interface PayerChoices {
  number?: string;
  challenge?: ChallengeOutcome;
}

interface Notification {
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the body that the merchant would read
  body: any;
}

export interface NotificationInbox {
  /** Goes into paymentSession.notificationUrl. */
  url: string;
  /** What has come so far, oldest first, each notification once. */
  received(): Promise<Notification[]>;
  /** Waits until at least so many have come. */
  atLeast(count: number): Promise<Notification[]>;
}

/** An address of the built-in receiver that nothing else uses. */
export function openInbox(world: World): NotificationInbox {
  const name = `inbox-${randomBytes(8).toString('hex')}`;
  const received = async (): Promise<Notification[]> =>
    (await receivedBy(world))
      .filter(({ path }) => path.includes(name))
      .map(({ headers, body }) => ({ headers, body: JSON.parse(body) }));
  return {
    url: `${world.urls.rest}/sandbox/receiver/${name}`,
    received,
    atLeast: (count) =>
      eventually(async () => {
        const all = await received();
        return all.length >= count ? all : undefined;
      }),
  };
}
