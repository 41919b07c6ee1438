// Hosted checkout as a merchant calls it: sessions with a card on them, and their payment.
import { randomUUID } from 'node:crypto';
import type { Product } from './product';

export interface CheckoutCalls {
  /** An order of 50.00 EUR whose card is entered; resolves with the session's id. */
  build(): Promise<string>;
  /** Resolves with the operation's id. */
  pay(sessionId: string): Promise<string>;
  /** Captures an authorization whole. */
  capture(operationId: string): Promise<unknown>;
}

/** `asked` goes into each paymentSession; the key is alpha's unless another one is given. */
export function checkoutOf(
  { credentials }: Product,
  asked: Record<string, string> = {},
  apiKey = credentials.tenants.alpha.checkout.explicit.apiKey,
): CheckoutCalls {
  const { urls, sandboxKey } = credentials;
  const headers = () => ({ 'X-API-KEY': apiKey, 'Correlation-Id': randomUUID() });
  const card = { number: '4242424242424242', expiry: '12/30', cvv: '123', holder: 'Ada Lovelace' };
  const order = () => ({ amount: '5000', currency: 'EUR', orderId: `b${randomUUID().replace(/-/g, '').slice(0, 24)}` });
  const paymentSession = { actionType: 'PAY', amount: '5000', paymentService: 'CARDS', ...asked };
  return {
    async build() {
      const built = await post(
        `${urls.rest}/api/v1/orders/build`,
        { merchantUrl: urls.shop, order: order(), paymentSession },
        headers(),
      );
      const { sessionId } = (await built.json()) as { sessionId: string };
      await post(`${urls.rest}/sandbox/checkout/${sessionId}/card`, card, { 'X-Sandbox-Key': sandboxKey });
      return sessionId;
    },
    pay: async (sessionId) =>
      operationIdOf(await post(`${urls.rest}/api/v1/build/finalize_payment`, { sessionId }, headers())),
    capture: (operationId) =>
      post(
        `${urls.rest}/api/v1/operations/${operationId}/captures`,
        { amount: '5000', currency: 'EUR' },
        { ...headers(), 'Idempotency-Key': randomUUID() },
      ),
  };
}

/** Throws on anything but 200: such a figure means nothing. */
export async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

export async function operationIdOf(answer: Response): Promise<string> {
  const { state, operation } = (await answer.json()) as {
    state: string;
    operation: { operationId: string; operationResult: string };
  };
  if (state !== 'PAYMENT_COMPLETE' || operation.operationResult !== 'AUTHORIZED')
    throw new Error(`finalize ended as ${state} ${operation?.operationResult}`);
  return operation.operationId;
}
