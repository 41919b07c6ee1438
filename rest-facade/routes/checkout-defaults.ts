// What the routes of the hosted checkout have in common: API key, rate, body, time (decision register 2.2-B).
import type { Route } from '../route-record';

/** Longest body in bytes: an order may carry a summary in many languages. */
const bodyBytesMax = 65_536;

/** Calls that may ask the acquirer, which is given up on after 5 s. */
export const moneyTimeoutMs = 20_000;

/** 100 per second and 200 at once per API key, over all these calls together. */
export const checkout = {
  family: 'checkout',
  scheme: 'apiKey',
  scopes: ['checkout'],
  rateLimit: { name: 'checkout', perSecond: 100, burst: 200 },
} as const satisfies Partial<Route>;

export const checkoutReading = { ...checkout, method: 'GET', bodyKind: 'none', bodyBytesMax: 0 } as const;

export const writing = {
  ...checkout,
  method: 'POST',
  bodyKind: 'json',
  bodyBytesMax,
  isTidied: true,
  idempotency: { subject: () => '' },
} as const satisfies Partial<Route>;
